// The camera's troubles during a game: bumped, tray moved, light, focus. One button repairs what can be repaired from
// here; for the rest it links to calibration.

import { button, h } from "./dom.js";
import { t } from "./words.js";
import { faultOf, post } from "./api.js";

const attempt = { busy: false, fault: "" };

/** @param {() => void} draw */
async function repair(draw) {
  Object.assign(attempt, { busy: true, fault: "" });
  draw();
  attempt.fault = await faultOf(() => post("/api/v1/calibration/repair", {}));
  attempt.busy = false;
  draw();
}

/** @param {State} state @param {() => void} draw @param {boolean} may: whether this screen may repair it */
export function notice(state, draw, may) {
  const { camera, reading } = state;
  const moved = reading.reasons.includes("camera_moved");
  if (!camera.message || (!camera.ok && !moved)) {
    attempt.fault = "";
    return null;
  }
  return h(
    "div.problem",
    { key: "camera", role: "status" },
    h("p", attempt.fault || camera.message),
    may
      ? h(
          "p.steps",
          attempt.fault
            ? h("a.second.button", { href: "/setup/calibrate" }, t("page/common/calibrate"))
            : button("second", attempt.busy ? t("page/common/moment") : t("page/common/repair"), () => repair(draw), {
                disabled: attempt.busy,
              }),
        )
      : null,
  );
}
