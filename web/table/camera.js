// What the station has noticed about its camera while it works: bumped, tray moved, light, focus. One button
// repairs what can be repaired from here; for the rest it leads to the steps of calibration.

import { button, h } from "./dom.js";
import { t } from "./words.js";
import { faultOf, post } from "./api.js";

const tried = { busy: false, fault: "" };

/** @param {() => void} draw */
async function repair(draw) {
  Object.assign(tried, { busy: true, fault: "" });
  draw();
  tried.fault = await faultOf(() => post("/api/v1/calibration/repair", {}));
  tried.busy = false;
  draw();
}

/** @param {State} state @param {() => void} draw @param {boolean} may: this screen may repair it */
export function notice(state, draw, may) {
  const { camera, reading } = state;
  const moved = reading.reasons.includes("camera_moved");
  if (!camera.message || (!camera.ok && !moved)) {
    tried.fault = "";
    return null;
  }
  return h(
    "div.problem",
    { key: "camera", role: "status" },
    h("p", tried.fault || camera.message),
    may
      ? h(
          "p.steps",
          tried.fault
            ? h("a.second.button", { href: "/setup/calibrate" }, t("page/common/calibrate"))
            : button("second", tried.busy ? t("page/common/moment") : t("page/common/repair"), () => repair(draw), {
                disabled: tried.busy,
              }),
        )
      : null,
  );
}
