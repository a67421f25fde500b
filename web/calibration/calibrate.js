// Calibration: the picture on one side, the steps on the other. The profile in use changes only with "Use it".

import { byId, h, paint } from "./dom.js";
import { t } from "./words.js";
import { get, inOrder, post, failureOf } from "./api.js";
import { live, picture, renew } from "./calibration_picture.js";
import { steps } from "./calibration_steps.js";
import { parts } from "./calibrate_parts.js";
import { loaded } from "./loaded.js";
import { checking, lens, profiles } from "./calibrated.js";

const LIVE_MS = 1000;
const LENS_MS = 900;
const STEP_MS = 120000; // the longest step, on the smallest station
/**
 * fault, faultAt, code: the last error's message, step and code. picture, empty: addresses of pictures.
 * @typedef {{ info: Api.CalibrationReport | null, camera: State["camera"] | null, far: boolean, fault: string, faultAt: string, code: string,
 *   busy: string, name: string, width: string, edit: import("./corners.js").Edit | null, area: boolean, faces: (number | null)[],
 *   missed: (number | null)[], picture: string, empty: string, watching: boolean }} Page
 */

/** @type {Page} */
const page = {
  info: null,
  camera: null,
  far: false,
  fault: "",
  faultAt: "",
  code: "",
  busy: "",
  name: "",
  width: "",
  edit: null,
  area: false, // whether the corners being dragged are of a feature's area in the tray
  faces: [],
  missed: [],
  picture: "",
  empty: "",
  watching: false,
};

/** Takes over the station's response to a step. @param {Api.CalibrationReport} info */
function take(info) {
  Object.assign(page, { info, faces: info.check.reading?.dice.map((die) => die.face) || [], missed: [] });
}

/** Updates the camera's status. `far`: it was moved too far for the station to follow. @param {State} state */
function updateCamera(state) {
  Object.assign(page, { camera: state.camera, far: Boolean(state.reading.reasons.includes("camera_moved")) });
}

/** Updates camera and picture after a step. @param {string} path */
async function refresh(path) {
  updateCamera(await get("/api/v1/state"));
  if (path === "/empty") page.empty = await live();
}

/** @param {string} where @param {string} path @param {object} body @param {string} method */
async function act(where, path, body = {}, method = "POST") {
  if (page.busy) return false;
  Object.assign(page, { busy: where, fault: "", faultAt: "", code: "" });
  draw();
  let done = true;
  try {
    take(await inOrder(() => post(`/api/v1/calibration${path}`, body, { method, limit_ms: STEP_MS })));
    await refresh(path).catch(() => {}); // the step itself succeeded; the next look tries again
  } catch (error) {
    const { message: fault, code } = failureOf(error);
    Object.assign(page, { fault, faultAt: where, code });
    done = false;
  }
  page.busy = "";
  draw();
  byId("live").textContent = page.fault || page.info?.message || "";
  look();
  return done;
}

// -- the picture ---------------------------------------------------------------------------------------

let looking = false;
async function look() {
  if (looking || document.hidden) return;
  looking = true;
  try {
    const [now, state] = await Promise.all([live(), get("/api/v1/state")]);
    updateCamera(state);
    renew(page, now);
    draw();
  } catch {
    /* not connected; the next look tries again */
  } finally {
    looking = false;
  }
}

// -- the steps -----------------------------------------------------------------------------------------

/** @param {string} where */
const fault = (where) =>
  page.faultAt === where && page.fault
    ? h(
        "div.fault",
        { key: "fault", role: "alert" },
        page.fault,
        page.code === "room/host_only" ? [" ", h("a", { href: "/setup" }, t("page/calibrate/to_pin"))] : null,
      )
    : null;

/** @param {string} where @param {string} label @param {() => unknown} press @param {string} looks */
const button = (where, label, press, looks = "first") =>
  h(
    "button",
    { key: label, class: looks, disabled: Boolean(page.busy), onclick: press },
    page.busy === where ? t("page/common/moment") : label,
  );

/** @param {Api.CalibrationReport} info */
function moved(info) {
  const { camera } = page;
  if (!info.active || !(camera?.message || page.faultAt === "repair" || page.faultAt === "relearn")) return null;
  const pattern = page.faultAt === "relearn" && page.code === "calibration/empty";
  const far = page.far || (page.faultAt === "repair" && page.code !== "room/host_only");
  return h(
    "div.card.cal-moved",
    { key: "moved", role: "status" },
    camera?.message ? h("p", h("b", camera.message)) : null,
    far ? h("p", t("page/calibrate/too_far")) : null,
    h(
      "p.links",
      far ? button("tray", t("page/calibrate/find"), () => act("tray", "/tray")) : null,
      button("repair", t("page/common/repair"), () => act("repair", "/repair"), "second"),
      far ? null : button("relearn", t("page/calibrate/relearn"), () => act("relearn", "/relearn"), "second"),
      pattern ? button("relearn", t("page/calibrate/pattern"), () => act("relearn", "/relearn", { surely_empty: true }), "second") : null,
    ),
    fault("repair"),
    fault("relearn"),
  );
}

function draw() {
  const { info } = page;
  if (!info) return;
  const byTray = page.edit && !page.area;
  const at = !info.tray || byTray ? 1 : !info.empty ? 2 : !info.dice ? 4 : info.saved ? 0 : 5;
  const tools = { page, info, act, button, fault, draw };
  paint(byId("calibrate"), [
    page.camera?.ok === false && !info.active ? h("p.fault", { key: "away", role: "alert" }, page.camera.message) : null,
    moved(info),
    info.message ? h("p.good", { key: "message" }, info.message) : null,
    h(
      "div.calibrate",
      { key: "calibrate" },
      picture(tools),
      h(
        "div.cal-side",
        h("ol.cal-steps", steps(tools, at)),
        ...parts.map((part) => part.card(tools)),
        checking(tools),
        lens(tools),
        profiles(tools),
      ),
    ),
  ]);
}

async function watch() {
  if (page.watching && !page.busy && !document.hidden) {
    let failure = { message: "", code: "" };
    try {
      page.info = await inOrder(() => post("/api/v1/calibration/view", {}));
    } catch (error) {
      failure = failureOf(error);
    }
    // An error of a step stays, also of one pressed meanwhile.
    if (page.watching && (!page.fault || page.faultAt === "view"))
      Object.assign(page, { fault: failure.message, faultAt: "view", code: failure.code });
    draw();
  }
  setTimeout(watch, LENS_MS);
}

async function begin() {
  const [info, state] = await loaded(() => Promise.all([get("/api/v1/calibration"), get("/api/v1/state")]));
  updateCamera(state);
  take(info);
  page.name = info.active?.name || t("page/calibrate/default_name");
  draw();
  look();
  setInterval(look, LIVE_MS);
  watch();
}

begin().catch(() => paint(byId("calibrate"), [h("p.fault", { role: "alert" }, t("page/calibrate/no_camera"))]));
