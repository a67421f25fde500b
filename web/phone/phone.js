// A phone as the camera: shows its picture with the tray's outline and a level, and sends it to the station. Other phones
// request to be the camera here, and the host chooses one here, on any screen.

import { byId, failure, h, paint } from "./dom.js";
import { faultOf, get, post, failureOf } from "./api.js";
import { awake } from "./wake.js";
import { level, sense } from "./phone_level.js";
import { Sender } from "./phone_sender.js";
import { t } from "./words.js";

const ASK_MS = 2000;
const AGAIN_MS = 3000;
const MODES = /** @type {const} */ ({ exposure: "exposureMode", white_balance: "whiteBalanceMode", focus: "focusMode" });
const SECURE = window.isSecureContext && Boolean(navigator.mediaDevices);
const STARTED = "phone-camera"; // key in the session storage: a reloaded page continues

/** @type {HTMLVideoElement} */
const video = byId("video");
/** on: the person wants this phone to be the camera. next: the station's advice for placing the phone. */
const page = {
  on: false,
  /** @type {Api.PhoneReport | null} */ report: null,
  /** @type {[number, number] | null} */ angles: null,
  /** @type {MediaStreamTrack | null} */ track: null,
  state: "",
  fault: "",
  next: "",
  torch: false,
};
const sender = new Sender(video, onAnswer);
let changing = false; // while the camera is opened, or the station is asked why it takes no pictures any more
/** A camera's capabilities, with those missing in TypeScript. @typedef {MediaTrackCapabilities & Record<string, any>} Can */

/** @param {Api.PhoneAnswer | null} answer @param {unknown} error */
function onAnswer(answer, error) {
  if (!page.on || document.hidden) return;
  if (!answer) {
    const { code, message } = failureOf(error);
    page.state = code === "line/cut" ? t("page/phone/cut") : "";
    page.fault = page.state ? "" : message;
    if (code === "phone/not_camera") lost();
  } else {
    page.fault = "";
    page.state = t(sender.moving ? "page/phone/moving" : "page/phone/still");
    if (answer.hold.join() !== sender.wished) hold(answer.hold);
  }
  draw();
}

/** Locks exposure, white balance or focus of the camera, as far as the browser can. @param {readonly string[]} wished */
async function hold(wished) {
  sender.wished = wished.join();
  const held = [];
  const can = /** @type {Can} */ (page.track?.getCapabilities?.() || {});
  for (const [name, mode] of Object.entries(MODES)) {
    const wanted = wished.includes(name) ? "manual" : "continuous";
    if (!can[mode]?.includes(wanted)) continue;
    const fault = await faultOf(async () => page.track?.applyConstraints({ advanced: [/** @type {any} */ ({ [mode]: wanted })] }));
    if (!fault && wanted === "manual") held.push(name);
  }
  sender.held = held;
}

async function light() {
  page.torch = !page.torch;
  page.fault = await faultOf(async () => page.track?.applyConstraints({ advanced: [/** @type {any} */ ({ torch: page.torch })] }));
  draw();
}

/** Opens the camera of the phone. Rejects without permission, or without a camera. */
async function open() {
  const wanted = { facingMode: { ideal: "environment" }, width: { ideal: 1920 }, height: { ideal: 1080 }, frameRate: { ideal: 30 } };
  const stream = await navigator.mediaDevices.getUserMedia({ video: wanted });
  const [track] = stream.getVideoTracks();
  page.track = track;
  track.onended = track.onmute = busy;
  track.onunmute = () => {
    video.play();
    sender.start();
  };
  video.srcObject = stream;
  video.onresize = draw;
  await video.play();
  byId("view").hidden = false;
  page.torch = false;
  sender.wished = "";
}

function busy() {
  if (!page.on || document.hidden) return;
  sender.stop();
  sender.report("busy");
  page.state = t("page/phone/busy");
  draw();
}

function close() {
  sender.stop();
  page.track?.stop();
  page.track = null;
}

/** Continues while the person wants it: reopens a lost camera, and requests again to be the camera. */
async function go() {
  if (!page.on || document.hidden || changing) return;
  if (page.track?.readyState !== "live") {
    changing = true;
    try {
      await open();
    } catch (error) {
      const name = error instanceof DOMException ? error.name : "";
      page.state = t(`page/phone/${{ NotAllowedError: "denied", NotFoundError: "none" }[name] || "busy"}`);
      draw();
    } finally {
      changing = false;
    }
  }
  await request();
}

/** Starts as the camera, or requests to be the camera. */
async function request() {
  page.fault = await faultOf(async () => {
    const { standing } = await post("/api/v1/phone/ask", { on: true });
    if (standing === "camera") {
      if (page.track?.readyState === "live" && !page.track.muted && !sender.timer && !document.hidden) sender.start();
    } else {
      sender.stop();
      page.state = t("page/phone/asks");
    }
  });
  draw();
}

function start() {
  page.on = true;
  sessionStorage.setItem(STARTED, "on");
  awake(true);
  sense((beta, gamma) => {
    page.angles = [beta, gamma];
    draw();
  });
  go();
}

function end() {
  page.on = false;
  sessionStorage.removeItem(STARTED);
  awake(false);
  close();
  byId("view").hidden = true;
  page.state = page.fault = "";
}

async function stop() {
  end();
  page.fault = await faultOf(() => post("/api/v1/phone/ask", { on: false }));
  await look();
}

/** The station no longer takes this phone as the camera: another one is, or the station has restarted. */
async function lost() {
  changing = true; // else the phone would ask again before it knows
  sender.stop();
  await look();
  changing = false;
  if (!page.report?.camera) return request();
  end();
  page.state = t("page/phone/another");
  return draw();
}

/** @param {string} id */
async function choose(id) {
  page.fault = await faultOf(() => post("/api/v1/phone/choose", { id }));
  await look();
}

/** @param {Api.Phone} phone @param {Api.PhoneReport} report */
function row(phone, { may_choose: may, camera }) {
  const name = phone.seat || phone.device || t("page/phone/unnamed");
  const is = camera?.id === phone.id ? "page/phone/is_camera" : "page/phone/wants";
  return h(
    "li",
    { key: phone.id },
    h("span", t(phone.you ? `${is}_this` : is, { name })),
    may && camera?.id !== phone.id ? h("button.second", { onclick: () => choose(phone.id) }, t("page/phone/let", { name })) : null,
  );
}

function marks() {
  const { outline, size_wh: size } = page.report || {};
  const [width, height] = [video.videoWidth || 16, video.videoHeight || 9];
  const fits = outline && size && Math.abs(size[0] / size[1] - width / height) < 0.02;
  const [x, y] = [width, height].map((side) => side * 0.08);
  byId("view").style.setProperty("--ratio", String(width / height));
  paint(byId("marks"), [
    h(
      "svg.phone-marks",
      { viewBox: fits ? `0 0 ${size[0]} ${size[1]}` : `0 0 ${width} ${height}`, "aria-hidden": "true" },
      fits
        ? h("polygon.phone-outline", { key: "outline", points: outline.map((point) => point.join()).join(" ") })
        : h("rect.phone-guide", { key: "guide", x, y, width: width - 2 * x, height: height - 2 * y }),
    ),
  ]);
}

function draw() {
  const { report, on, track } = page;
  if (on) marks();
  const can = /** @type {Can} */ (track?.getCapabilities?.() || {});
  const phones = report ? [...(report.camera ? [report.camera] : []), ...report.asking] : [];
  paint(byId("phone"), [
    failure(page.fault),
    report && !report.in_use ? h("p.card", { key: "other" }, t("page/phone/other_camera")) : null,
    page.state ? h("p.phone-state", { key: "state", role: "status" }, page.state) : null,
    on ? level(page.angles) : null,
    on && page.next ? h("p", { key: "next" }, page.next) : null,
    h(
      "p.links",
      { key: "actions" },
      on
        ? h("button.second", { key: "stop", onclick: stop }, t("page/phone/stop"))
        : h("button.first", { key: "start", disabled: !report?.in_use || !SECURE, onclick: start }, t("page/phone/start")),
      on && can.torch
        ? h("button.second", { key: "torch", "aria-pressed": String(page.torch), onclick: light }, t("page/phone/torch"))
        : null,
    ),
    on ? h("p.aside", { key: "elsewhere" }, t("page/phone/elsewhere")) : null,
    phones.length
      ? h(
          "section.card",
          { key: "phones" },
          h("h2", t("page/phone/phones")),
          h(
            "ul.phone-list",
            phones.map((phone) => row(phone, /** @type {Api.PhoneReport} */ (report))),
          ),
        )
      : null,
  ]);
}

/** Updates which phone is the camera, and, before a game without a calibrated tray, the advice for placing it. */
async function look() {
  if (document.hidden) return;
  try {
    const report = await get("/api/v1/phone");
    page.report = report;
    const placing = page.on && report.standing === "camera" && !report.outline && sender.timer;
    const next = placing && !(await get("/api/v1/state")).players.length ? (await get("/api/v1/mounting")).next : [];
    page.next = next.join(" ");
  } catch {
    /* the sender reports a lost connection; or there are no pictures yet */
  }
  draw();
}

function visibilityChanged() {
  if (document.hidden) {
    if (page.on) sender.report("hidden");
    sender.stop();
  } else go();
}

if (SECURE) {
  document.addEventListener("visibilitychange", visibilityChanged);
  addEventListener("pagehide", () => {
    if (page.on && sender.timer) sender.report("closed");
  });
  setInterval(() => {
    if (sender.stuck) close();
    if (page.on && (!sender.timer || page.track?.readyState !== "live")) go();
  }, AGAIN_MS);
  if (sessionStorage.getItem(STARTED)) start();
} else byId("insecure").hidden = false;
const watch = () => look().then(() => setTimeout(watch, ASK_MS));
watch();
