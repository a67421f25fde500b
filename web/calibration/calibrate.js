// Calibration: the picture on one side, the steps on the other. What is in use changes only with "Use it".

import { byId, h, paint } from "./dom.js";
import { number, t } from "./words.js";
import { get, post, told as saying } from "./api.js";
import { KEEPER, START, handles, loupe, toPixels } from "./corners.js";
import { lightMap } from "./lightmap.js";
import { checking, lens, profiles } from "./calibrated.js";

const LIVE_MS = 1000;
const LENS_MS = 900;
/**
 * fault, faultAt, code: what went wrong, at which step, and the station's code for it. picture, empty: addresses.
 * @typedef {{ info: Api.CalibrationReport | null, camera: State["camera"] | null, far: boolean, fault: string, faultAt: string, code: string,
 *   busy: string, name: string, width: string, edit: import("./corners.js").Edit | null, keeper: boolean, faces: (number | null)[],
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
  keeper: false, // whether what is dragged is the dice keeper
  faces: [],
  missed: [],
  picture: "",
  empty: "",
  watching: false,
};

const figure = () => /** @type {Element} */ (document.querySelector(".cal-picture"));

/** The station's answer to a step. @param {Api.CalibrationReport} info */
function took(info) {
  Object.assign(page, { info, faces: info.check.reading?.dice.map((die) => die.face) || [], missed: [] });
}

// How the camera stands: whether it was moved too far to follow shows in a reading that is not trusted.
/** @param {State} state */
function stands(state) {
  Object.assign(page, { camera: state.camera, far: Boolean(state.reading.reasons.includes("camera_moved")) });
}

/** @param {string} where @param {string} path @param {object} body @param {string} method */
async function act(where, path, body = {}, method = "POST") {
  if (page.busy) return false;
  Object.assign(page, { busy: where, fault: "", faultAt: "", code: "" });
  draw();
  let done = true;
  try {
    took(await post(`/api/v1/calibration${path}`, body, method));
    stands(await get("/api/v1/state"));
    if (path === "/empty") page.empty = await live();
  } catch (error) {
    const { message: fault, code } = saying(error);
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

// The newest picture under an address of its own; "" while there is none.
async function live() {
  const answer = await fetch("/api/v1/calibration/frame.jpg");
  return answer.ok ? URL.createObjectURL(await answer.blob()) : "";
}

let looking = false;
async function look() {
  if (looking || document.hidden) return;
  looking = true;
  try {
    const now = await live();
    if (now) {
      const before = page.picture;
      page.picture = now;
      draw();
      if (before) setTimeout(() => URL.revokeObjectURL(before), 2000);
    }
  } catch {
    /* the line is cut; the next look tries again */
  } finally {
    looking = false;
  }
}

/** @param {Api.CalibrationReport} info */
function overlay(info) {
  const { edit } = page;
  const [width, height] = info.size_wh || [1280, 720];
  /** @param {Point[]} list */
  const points = (list) => list.map(([x, y]) => `${x},${y}`).join(" ");
  const marks = [];
  if (page.watching) {
    const [across, down] = info.lens.grid;
    for (const [x, y] of info.lens.missing)
      marks.push(
        h("rect", {
          key: `missing-${x}-${y}`,
          class: "cal-missing",
          x: (x * width) / across,
          y: (y * height) / down,
          width: width / across,
          height: height / down,
        }),
      );
  } else if (edit) {
    marks.push(h("polygon", { key: "drag", class: "cal-outline", points: points(toPixels(edit)) }));
  } else if (info.tray) {
    marks.push(
      h("path", {
        key: "outside",
        class: "cal-outside",
        d: `M0 0H${width}V${height}H0Z M${info.tray.outline.map((point) => point.join(" ")).join("L")}Z`,
      }),
    );
    marks.push(h("polygon", { key: "outline", class: "cal-outline", points: points(info.tray.outline) }));
  }
  if (!edit && !page.watching && info.keeper) marks.push(h("polygon", { key: "keeper", class: "cal-keeper", points: points(info.keeper) }));
  if (!edit && !info.saved && !page.watching && info.light) {
    marks.push(
      ...info.light.spots.map(([x, y], index) => h("circle", { key: `spot-${index}`, class: "cal-spot", cx: x, cy: y, r: width / 40 })),
    );
    marks.push(...info.light.dim.map((part, index) => h("polygon", { key: `dim-${index}`, class: "cal-dim", points: points(part) })));
  }
  for (const [index, die] of (info.check.reading?.dice || []).entries()) {
    const [x, y] = die.center;
    marks.push(
      h("circle", { key: `ring-${index}`, class: "cal-ring", cx: x, cy: y, r: die.size * 0.85 }),
      h(
        "text",
        { key: `face-${index}`, class: "cal-face", x, y: y - die.size * 1.05, "font-size": Math.max(26, die.size * 0.8) },
        String(die.face),
      ),
    );
  }
  return h(
    "svg",
    { key: "overlay", class: "cal-overlay", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", focusable: "false" },
    marks,
  );
}

/** @param {Api.CalibrationReport} info */
function picture(info) {
  const [width, height] = info.size_wh || [16, 9];
  return h(
    "section",
    { class: "cal-view", "aria-label": t("page/common/camera_sees") },
    h(
      "div",
      { class: "cal-picture", vars: { "--ratio": width / height } },
      page.picture
        ? h("img", { key: "img", src: page.picture, alt: t("page/common/tray"), draggable: "false" })
        : h("p", { key: "wait", class: "aside" }, t("page/common/not_looked")),
      overlay(info),
      page.edit ? handles(page.edit, figure, draw) : null,
      page.edit ? loupe(page.edit, figure, page.picture) : null,
    ),
    info.simulated && !info.tray ? h("p", { class: "aside" }, t("page/calibrate/simulated")) : null,
  );
}

// -- the steps -----------------------------------------------------------------------------------------

/** @param {string} where */
const fault = (where) =>
  page.faultAt === where && page.fault
    ? h(
        "div",
        { key: "fault", class: "fault", role: "alert" },
        page.fault,
        page.code === "room/host_only" ? [" ", h("a", { href: "/setup" }, t("page/calibrate/to_pin"))] : null,
      )
    : null;

/** @param {string} where @param {string} label @param {() => unknown} press @param {string} looks */
const button = (where, label, press, looks = "first") =>
  h(
    "button",
    { key: label, type: "button", class: looks, disabled: Boolean(page.busy), onclick: press },
    page.busy === where ? t("page/common/moment") : label,
  );

/** @param {number} number @param {string} title @param {{ done: boolean, now: boolean, children: Children }} about */
function step(number, title, { done, now, children }) {
  return h(
    "li",
    { key: `step-${number}`, class: `card cal-step${now ? " now" : ""}${done ? " done" : ""}`, "aria-current": now ? "step" : null },
    h(
      "h2",
      {},
      h("span", { class: "cal-number", "aria-hidden": "true" }, done ? "✓" : number),
      h("span", {}, title),
      done ? h("span", { class: "vh" }, ` (${t("page/calibrate/done")})`) : null,
    ),
    children,
  );
}

/** @param {import("./corners.js").Edit} edit */
function byHand(edit) {
  /** @param {Event} event */
  const take = async (event) => {
    event.preventDefault();
    if (await act("tray", "/tray", { corners: toPixels(edit), width_mm: Number(page.width) })) {
      page.edit = null;
      draw();
    }
  };
  return h(
    "form",
    { key: "hand", class: "stack", onsubmit: take },
    h("p", {}, t("page/calibrate/drag")),
    h("label", { for: "width" }, t("page/calibrate/width")),
    h("input", {
      id: "width",
      type: "number",
      inputmode: "decimal",
      min: 30,
      max: 5000,
      step: "any",
      required: true,
      value: page.width,
      oninput: (event) => {
        page.width = event.currentTarget.value;
      },
    }),
    h(
      "p",
      { class: "links" },
      h(
        "button",
        { key: "take", type: "submit", class: "first", disabled: Boolean(page.busy) },
        page.busy === "tray" ? t("page/common/moment") : t("page/calibrate/take_corners"),
      ),
      h(
        "button",
        {
          key: "back",
          type: "button",
          class: "quiet",
          onclick: () => {
            page.edit = null;
            draw();
          },
        },
        t("page/calibrate/use_markers"),
      ),
    ),
    fault("tray"),
  );
}

/** @param {Api.CalibrationReport} info @param {boolean} now */
function findTray({ tray, size_wh: size }, now) {
  const hand = () => {
    /** @type {Point[]} */
    const corners = tray && size ? tray.outline.map(([x, y]) => [x / size[0], y / size[1]]) : START.map(([x, y]) => [x, y]);
    Object.assign(page, { keeper: false, edit: { corners, held: null, size_wh: size || [1280, 720] } });
    draw();
  };
  return step(1, t("page/calibrate/find"), {
    done: Boolean(tray),
    now,
    children:
      page.edit && !page.keeper
        ? byHand(page.edit)
        : [
            tray
              ? h("p", { key: "told" }, tray.message)
              : [
                  h("p", { key: "how" }, t("page/calibrate/find_how")),
                  h(
                    "p",
                    { key: "print", class: "links" },
                    h("a", { class: "second button", href: "/api/v1/calibration/page.pdf", target: "_blank" }, t("page/calibrate/print")),
                    h("a", { class: "quiet button", href: "/api/v1/calibration/page.svg", target: "_blank" }, t("page/calibrate/as_svg")),
                  ),
                ],
            h(
              "p",
              { key: "go", class: "links" },
              button(
                "tray",
                tray ? t("page/calibrate/find_again") : t("page/calibrate/find"),
                () => act("tray", "/tray"),
                tray ? "quiet" : "first",
              ),
              h("button", { key: "hand", type: "button", class: "quiet", onclick: hand }, t("page/calibrate/by_hand")),
            ),
            fault("tray"),
          ],
  });
}

/** @param {Api.CalibrationReport} info @param {boolean} now */
function emptyTray(info, now) {
  const { empty } = info;
  const pattern = page.faultAt === "empty" && page.code === "calibration/empty" && info.tray;
  return step(2, t("page/calibrate/empty"), {
    done: empty,
    now,
    children:
      now || empty
        ? [
            h("p", { key: "how" }, empty ? t("page/calibrate/empty_learnt") : t("page/calibrate/empty_how")),
            h(
              "p",
              { key: "go", class: "links" },
              button(
                "empty",
                empty ? t("page/calibrate/learn_again") : t("page/common/tray_empty"),
                () => act("empty", "/empty"),
                empty ? "quiet" : "first",
              ),
              pattern ? button("empty", t("page/calibrate/pattern"), () => act("empty", "/empty", { surely_empty: true }), "second") : null,
            ),
            fault("empty"),
          ]
        : null,
  });
}

/** @param {Api.CalibrationReport} info */
function light(info) {
  const told = info.light;
  return step(3, t("page/calibrate/light"), {
    done: Boolean(told?.good),
    now: false,
    children: !told
      ? null
      : [
          told.good
            ? h("p", { key: "good" }, t("page/calibrate/light_good"))
            : h(
                "ul",
                { key: "bad", class: "cal-light" },
                told.complaints.map((each) => h("li", { key: each.id }, h("b", {}, each.what), " ", each.advice)),
              ),
          told.dim.length ? h("p", { key: "where", class: "aside" }, t("page/calibrate/light_dim")) : null,
          lightMap(page.empty, info),
          told.held ? h("p", { key: "held", class: "aside" }, told.held) : null,
          told.good
            ? null
            : h(
                "p",
                { key: "again", class: "links" },
                button("light", t("page/calibrate/light_again"), () => act("empty", "/empty"), "second"),
              ),
        ],
  });
}

/** @param {NonNullable<Api.CalibrationReport["dice"]>} dice */
function ofDice({ count, edge_mm: [least, most], colours }) {
  const size = least === most ? number(least, 1) : `${number(least, 1)}–${number(most, 1)}`;
  return t("page/calibrate/dice_of", { count, size, colours: colours.map((colour) => t(`page/colour/${colour}`)) });
}

/** @param {Api.CalibrationReport} info @param {boolean} now */
function dice(info, now) {
  const told = info.dice;
  return step(4, t("page/calibrate/dice"), {
    done: Boolean(told),
    now,
    children:
      now || told
        ? [
            h("p", { key: "how" }, told ? ofDice(told) : t("page/calibrate/dice_how")),
            h(
              "p",
              { key: "go", class: "links" },
              button(
                "dice",
                told ? t("page/calibrate/dice_again") : t("page/calibrate/dice_these"),
                () => act("dice", "/dice"),
                told ? "quiet" : "first",
              ),
            ),
            fault("dice"),
          ]
        : null,
  });
}

/** @param {Api.CalibrationReport} info @param {boolean} now */
function use(info, now) {
  /** @param {Event} event */
  const save = async (event) => {
    event.preventDefault();
    if (await act("save", "/save", { name: page.name.trim() || t("page/calibrate/default_name") }))
      document.getElementById("check")?.scrollIntoView({ block: "nearest" });
  };
  if (info.saved)
    return h(
      "li",
      { key: "saved", class: "card cal-step done" },
      h("h2", {}, h("span", { class: "cal-number", "aria-hidden": "true" }, "✓"), h("span", {}, t("page/calibrate/in_use"))),
      h("p", {}, t("page/calibrate/reads_with", { name: info.active?.name || "" })),
    );
  return h(
    "li",
    { key: "use", class: `card cal-step${now ? " now" : ""}`, "aria-current": now ? "step" : null },
    h("h2", {}, h("span", { class: "cal-number", "aria-hidden": "true" }, "→"), h("span", {}, t("page/calibrate/use"))),
    now
      ? h(
          "form",
          { class: "stack", onsubmit: save },
          h("label", { for: "name" }, t("page/calibrate/place")),
          h("input", {
            id: "name",
            type: "text",
            maxlength: 40,
            autocomplete: "off",
            value: page.name,
            oninput: (event) => {
              page.name = event.currentTarget.value;
            },
          }),
          h(
            "p",
            { class: "links" },
            h(
              "button",
              { type: "submit", class: "first", disabled: Boolean(page.busy) },
              page.busy === "save" ? t("page/common/moment") : t("page/calibrate/use"),
            ),
          ),
          fault("save"),
        )
      : null,
  );
}

// A part of the tray: what lies there is held. It belongs to the profile in use.
/** @param {Api.CalibrationReport} info */
function keeper(info) {
  if (!info.active || !info.size_wh) return null;
  const size = info.size_wh;
  const begin = () => {
    const marked = info.keeper?.length === 4 ? info.keeper.map(([x, y]) => [x / size[0], y / size[1]]) : KEEPER.map(([x, y]) => [x, y]);
    Object.assign(page, { keeper: true, edit: { corners: marked, held: null, size_wh: size } });
    draw();
    figure().scrollIntoView({ block: "nearest" });
  };
  const end = () => {
    Object.assign(page, { keeper: false, edit: null });
    draw();
  };
  /** @param {Point[] | null} corners */
  const mark = async (corners) => {
    if (await act("keeper", "/keeper", { corners })) end();
  };
  const edit = page.keeper ? page.edit : null;
  return h(
    "section",
    { key: "keeper", class: "card", id: "keeper" },
    h("h2", {}, t("page/calibrate/keeper")),
    h("p", {}, t(edit ? "page/calibrate/keeper_drag" : "page/calibrate/keeper_how")),
    h(
      "p",
      { class: "links" },
      edit
        ? [
            button("keeper", t("page/calibrate/keeper_take"), () => mark(toPixels(edit))),
            h("button", { key: "back", type: "button", class: "quiet", onclick: end }, t("page/dialog/cancel")),
          ]
        : [
            button("keeper", t("page/calibrate/keeper_mark"), begin, "second"),
            info.keeper ? button("keeper", t("page/calibrate/keeper_none"), () => mark(null), "quiet") : null,
          ],
    ),
    fault("keeper"),
  );
}

/** @param {Api.CalibrationReport} info */
function moved(info) {
  const { camera } = page;
  if (!info.active || !(camera?.message || page.faultAt === "repair" || page.faultAt === "relearn")) return null;
  const pattern = page.faultAt === "relearn" && page.code === "calibration/empty";
  const far = page.far || (page.faultAt === "repair" && page.code !== "room/host_only");
  return h(
    "div",
    { key: "moved", class: "card cal-moved", role: "status" },
    camera?.message ? h("p", {}, h("b", {}, camera.message)) : null,
    far ? h("p", {}, t("page/calibrate/too_far")) : null,
    h(
      "p",
      { class: "links" },
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
  const byTray = page.edit && !page.keeper;
  const at = !info.tray || byTray ? 1 : !info.empty ? 2 : !info.dice ? 4 : info.saved ? 0 : 5;
  const tools = { page, info, act, button, fault, draw };
  paint(byId("calibrate"), [
    moved(info),
    info.message ? h("p", { key: "message", class: "good" }, info.message) : null,
    h(
      "div",
      { key: "calibrate", class: "calibrate" },
      picture(info),
      h(
        "div",
        { class: "cal-side" },
        h(
          "ol",
          { class: "cal-steps" },
          findTray(info, at === 1),
          emptyTray(info, at === 2),
          light(info),
          dice(info, at === 4),
          use(info, at === 5),
        ),
        keeper(info),
        checking(tools),
        lens(tools),
        profiles(tools),
      ),
    ),
  ]);
}

async function watch() {
  if (page.watching && !page.busy && !document.hidden) {
    let said = { message: "", code: "" };
    try {
      page.info = await post("/api/v1/calibration/view", {});
    } catch (error) {
      said = saying(error);
    }
    if (page.watching) Object.assign(page, { fault: said.message, faultAt: "view", code: said.code }); // else a later press has spoken meanwhile
    draw();
  }
  setTimeout(watch, LENS_MS);
}

try {
  const [info, state] = await Promise.all([get("/api/v1/calibration"), get("/api/v1/state")]);
  stands(state);
  took(info);
  page.name = info.active?.name || t("page/calibrate/default_name");
  draw();
  look();
  setInterval(look, LIVE_MS);
  watch();
} catch {
  paint(byId("calibrate"), [h("p", { class: "fault", role: "alert" }, t("page/calibrate/no_camera"))]);
}
