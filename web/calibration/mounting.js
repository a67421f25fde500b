// Mounting: the live picture with the tray's outline, and a line for each requirement. The station checks about once a
// second, and this screen speaks the next step. Nothing here changes the profile in use; a camera that was allowed to
// adjust light and focus goes back to its locked values when nobody looks at this page any more.

import { byId, failure, h, paint } from "./dom.js";
import { t } from "./words.js";
import { faultOf, get, post, failureOf } from "./api.js";
import { device } from "./device.js";
import { drawing, live, points, renew, spots } from "./calibration_picture.js";
import { speak, speaking } from "./voice.js";

const LOOK_MS = 900;
/** The same sentence is repeated after so long, for people whose hands are busy. */
const AGAIN_MS = 12000;
/** @type {Record<string, string>} */
const SIGNS = { good: "✓", wrong: "!", waiting: "…" };

/** camera: only while it does not work. @type {{ info: Api.MountingReport | null, camera: Api.DeviceView | null, fault: string, picture: string, aloud: boolean, busy: boolean }} */
const page = { info: null, camera: null, fault: "", picture: "", aloud: false, busy: false };
let spoken = "";
let spokenAt = 0;

/** @param {(string | number)[]} messages */
const sentences = (messages) => messages.join(" ");

/** @param {Api.MountingReport} info */
const overlay = ({ outline, spots: burnt, size_wh: size }) =>
  drawing(size, [outline ? h("polygon.cal-outline", { key: "outline", points: points(outline) }) : null, spots(burnt, size[0])]);

/** @param {Api.MountingReport} info */
function picture(info) {
  return h(
    "section.cal-view",
    { key: "view", "aria-label": t("page/common/camera_sees") },
    h(
      "div.cal-picture",
      { vars: { "--ratio": info.size_wh[0] / info.size_wh[1] } },
      page.picture ? h("img", { key: "img", src: page.picture, alt: t("page/common/tray"), draggable: "false" }) : null,
      overlay(info),
    ),
    h("p", { class: `mount-next${info.good ? " good" : ""}` }, sentences(info.next)),
  );
}

/** @param {Api.MountingLineReport} line */
function row(line) {
  return h(
    "li",
    { key: line.id, class: `mount-line is-${line.standing}` },
    h("span.mount-sign", { "aria-hidden": "true" }, SIGNS[line.standing]),
    h(
      "span",
      h("b", t(`page/mounting/item/${line.id}`)),
      h("span.vh", ` (${t(`page/mounting/standing/${line.standing}`)})`),
      h("span.mount-spoken", sentences(line.messages)),
    ),
  );
}

async function begin() {
  page.busy = true;
  draw();
  page.fault = await faultOf(async () => {
    page.info = await post("/api/v1/mounting", {});
  });
  page.busy = false;
  draw();
}

function aloud() {
  page.aloud = !page.aloud;
  spoken = "";
  if (page.aloud) say();
  else window.speechSynthesis.cancel();
  draw();
}

// Speaks the next step when it changes; a sentence is never cut short because a number in it changes.
function say() {
  if (!page.info || !page.aloud || speaking()) return;
  const words = sentences(page.info.next);
  const now = Date.now();
  if (words === spoken && (page.info.good || now - spokenAt < AGAIN_MS)) return;
  spoken = words;
  spokenAt = now;
  speak(words);
}

/** @param {Api.MountingReport} info */
function actions(info) {
  return h(
    "p.links",
    { key: "actions" },
    "speechSynthesis" in window
      ? h(
          "button.second",
          { key: "aloud", "aria-pressed": String(page.aloud), onclick: aloud },
          t(page.aloud ? "page/mounting/silent" : "page/mounting/aloud"),
        )
      : null,
    h(
      "button.second",
      { key: "begin", disabled: page.busy, onclick: begin },
      page.busy ? t("page/common/moment") : t(info.simulated ? "page/mounting/lay" : "page/mounting/anew"),
    ),
    h("a.second.button", { key: "print", href: "/api/v1/calibration/page.pdf" }, t("page/calibrate/print")),
    h("a", { key: "on", class: `${info.good ? "first" : "second"} button`, href: "/setup/calibrate" }, t("page/mounting/on")),
  );
}

function draw() {
  const { info, camera } = page;
  paint(byId("mounting"), [
    camera ? h("div.fault", { key: "camera", role: "alert" }, device(camera)) : failure(page.fault),
    info
      ? h("div.calibrate", { key: "all" }, picture(info), h("div.cal-side", h("ul.mount-lines.card", info.lines.map(row)), actions(info)))
      : h("p.aside", { key: "wait" }, page.fault || camera ? "" : t("page/common/not_looked")),
  ]);
}

// Screen readers get a text when the state of a line changes, not with every number.
/** @param {Api.MountingReport} info */
const kind = (info) => info.lines.map((line) => line.id + line.standing).join();

async function look() {
  if (!document.hidden && !page.busy) {
    try {
      const before = page.info;
      const { camera } = await get("/api/v1/state");
      page.camera = camera.ok ? null : camera;
      if (page.camera) draw(); // a check would wait for its pictures
      const info = page.camera ? before : await get("/api/v1/mounting");
      if (!info) return;
      renew(page, await live());
      if (!page.busy) {
        Object.assign(page, { info, fault: "" });
        if (!before || kind(before) !== kind(info)) byId("live").textContent = sentences(info.next);
      }
    } catch (error) {
      page.fault = failureOf(error).message;
    }
    draw();
    say();
  }
}

/** Checks again and again, each time after the last check is over. */
const watch = () => look().then(() => setTimeout(watch, LOOK_MS));

draw();
watch();
