// The first setup, step by step. The screen remembers the current step, and each step knows whether it is done, so that
// one can leave and continue at any time.

import { button, byId, failure, h, links, NAME_MAX, paint } from "./dom.js";
import { t } from "./words.js";
import { faultOf, get, inOrder, post, failureOf } from "./api.js";
import { field } from "./choices.js";
import { device, trayPicture } from "./device.js";
import { hostCard, howRollsCount, toTable } from "./host.js";
import { loaded } from "./loaded.js";
import { look } from "./menu.js";
import * as prefs from "./prefs.js";
import { picture } from "./step_pictures.js";

const STEPS = ["language", "camera", "mounting", "calibration", "buttons", "host", "players", "confirm", "game"];
const LOOK_MS = 2000;

/**
 * The first three once `begin` has them.
 * @typedef {{ state: State, room: Room, calibrated: boolean, screens: Api.Session[], fault: string, at: number, taken: number }} Page
 */
const page = /** @type {Page} */ ({
  screens: /** @type {Api.Session[]} */ ([]),
  fault: "",
  at: Math.max(0, STEPS.indexOf(prefs.setupStep())),
  taken: Date.now(),
});

/** Whether a calibration profile is in use. */
async function isCalibrated() {
  try {
    return Boolean((await get("/api/v1/calibration")).active);
  } catch {
    return false;
  }
}

/** Which steps are done, as far as the station knows. @type {Record<string, () => boolean>} */
const done = {
  language: () => prefs.setupStep() !== "",
  camera: () => page.state.camera.ok,
  mounting: () => page.calibrated,
  calibration: () => page.calibrated,
  buttons: () => page.state.buttons.ok,
  host: () => page.room.host,
  players: () => page.state.players.length > 0,
  confirm: () => page.room.next_confirms || page.state.game > 0,
  game: () => page.state.game > 0,
};

/** @param {number} to */
function go(to) {
  page.at = Math.min(Math.max(to, 0), STEPS.length - 1);
  page.fault = "";
  page.taken = Date.now();
  prefs.remember("setup_step", STEPS[page.at]);
  draw();
  byId("step-title").focus();
}

function finish() {
  prefs.remember("setup_step", "");
  return toTable();
}

/** Ignores a state that is older than the current one. @param {State} state */
function take(state) {
  if (state.version >= page.state.version) page.state = state;
}

/** The request for the name typed before. @type {Promise<void> | undefined} */
let adding;

/** Seats the person whose name is typed. */
function add() {
  adding = sitDown();
  return adding;
}

async function sitDown() {
  const field = /** @type {HTMLInputElement | null} */ (byId("new-name"));
  const name = field?.value.trim();
  if (!field || !name) return;
  field.value = ""; // for the next name, which may be typed before the response
  try {
    take(await post("/api/v1/commands", { command: "add_player", name }));
    page.fault = "";
  } catch (error) {
    page.fault = failureOf(error).message;
    if (!field.value) field.value = name;
  }
  draw();
}

/** Goes on, and adds a name that is still in the field. A second tap meanwhile does not skip a step. */
async function next() {
  const from = page.at;
  page.fault = "";
  await adding;
  await add();
  if (!page.fault && page.at === from) go(from + 1);
}

/** @param {boolean} on */
async function chooseConfirmation(on) {
  page.fault = await faultOf(() =>
    inOrder(async () => {
      page.room = await post("/api/v1/room/next-confirms", { on });
    }),
  );
  draw();
}

/** @param {string} href @param {string} label */
const link = (href, label) => links(h("a.second.button", { href }, label));

/** @type {Record<string, () => Children>} */
const bodies = {
  language: () => look(draw),
  camera: () => [device(page.state.camera), trayPicture(page.taken), link("/setup#use-phone", t("page/phone/title"))],
  mounting: () => link("/setup/mounting", t("page/common/mounting")),
  calibration: () => [trayPicture(page.taken), link("/setup/calibrate", t("page/common/calibrate"))],
  buttons: () => [device(page.state.buttons), link("/health", t("page/common/health"))],
  host: () => host(),
  players: () => [
    h(
      "ul.own-rules",
      page.state.players.map(({ name }) => h("li", { key: name, translate: "no" }, h("span", name))),
    ),
    page.state.commands.includes("add_player")
      ? h(
          "form.stack",
          {
            onsubmit: (event) => {
              event.preventDefault();
              add();
            },
          },
          field("new-name", t("page/common/name"), { maxlength: NAME_MAX, required: true }),
          links(h("button.second", { type: "submit" }, t("page/first/add"))),
        )
      : null,
    h("img.code", { src: "/join.svg", alt: t("page/common/code") }),
    h("p.aside", t("page/first/scan")),
  ],
  confirm: () => howRollsCount(page.room, chooseConfirmation),
  game: () => null,
};

function draw() {
  const step = STEPS[page.at];
  const last = page.at === STEPS.length - 1;
  paint(byId("first"), [
    h(
      "ol.step-marks",
      { "aria-label": t("page/first/steps") },
      STEPS.map((each, index) =>
        h(
          "li",
          { key: each },
          h(
            "button",
            { "aria-current": index === page.at ? "step" : null, onclick: () => go(index) },
            done[each]?.() ? h("span", { "aria-hidden": "true" }, "✓") : String(index + 1),
            h("span.vh", ` ${t(`page/first/${each}`)}${done[each]?.() ? `, ${t("page/first/done")}` : ""}`),
          ),
        ),
      ),
    ),
    h(
      "section.card.stack",
      { key: step, "aria-labelledby": "step-title" },
      picture(step),
      h("p.aside", t("page/first/of", { n: page.at + 1, count: STEPS.length })),
      h("h2", { id: "step-title", tabindex: "-1" }, t(`page/first/${step}`)),
      h("p", t(`page/first/${step}_how`)),
      failure(page.fault),
      bodies[step]?.(),
      links(
        last ? button("first", t("page/setup/done"), finish) : button("first", t("page/first/next"), next),
        page.at ? button("quiet", t("page/first/back"), () => go(page.at - 1)) : null,
      ),
    ),
    links(h("a.quiet.button", { href: "/setup" }, t("page/first/all"))),
  ]);
}

/** @type {() => Children} */
let host;

/** Everything the steps show of the station, for comparison. */
const digest = () =>
  JSON.stringify([page.state.camera, page.state.buttons, page.state.players.map(({ name }) => name), page.room, page.calibrated]);

const load = () => Promise.all([get("/api/v1/state"), get("/api/v1/room"), isCalibrated()]);

// Devices plugged in and people who join by phone appear without a tap.
async function lookAgain() {
  if (document.hidden || document.querySelector("form :focus:not(#new-name)")) return;
  try {
    const before = digest();
    const [state, room, is] = await inOrder(load);
    take(state);
    page.room = room;
    page.calibrated = is;
    if (before !== digest()) draw();
  } catch {
    /* tried again at the next look */
  }
}

async function begin() {
  [page.state, page.room, page.calibrated] = await loaded(load);
  host = hostCard(page, draw);
  draw();
  setInterval(lookAgain, LOOK_MS);
}

begin();
