// Calibration: the picture on one side, the steps on the other. What is in use changes only with "Use it".

import { byId, h, paint } from "./dom.js";
import { load, number, said, t, tn } from "./words.js";
import { get, post } from "./api.js";
import { START, handles, loupe, toPixels } from "./corners.js";
import { lightMap } from "./lightmap.js";
import { checking, lens, profiles } from "./calibrated.js";

const LIVE_MS = 1000;
const LENS_MS = 900;
const page = { info: null, camera: null, fault: "", faultAt: "", code: "", busy: "", name: "", nameTyped: false, width: "", edit: null, faces: [], missed: [], picture: "", empty: "", watching: false, shown: "steps" };

const figure = () => document.querySelector(".cal-picture");

async function act(where, path, body = {}, method = "POST") {
  if (page.busy) return false;
  Object.assign(page, { busy: where, fault: "", faultAt: "", code: "" });
  draw();
  let done = true;
  try {
    page.info = await post(`/api/v1/calibration${path}`, body, method);
    Object.assign(page, { faces: page.info.check.reading?.dice.map((die) => die.face) || [], missed: [] });
    page.camera = (await get("/api/v1/state")).camera;
    if (path === "/empty") page.empty = await live();
  } catch (error) {
    Object.assign(page, { fault: error.message, faultAt: where, code: error.code });
    done = false;
  }
  page.busy = "";
  draw();
  byId("live").textContent = page.fault || said(page.info.message) || "";
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
  } catch { /* the line is cut; the next look tries again */ } finally { looking = false; }
}

function overlay() {
  const { info, edit } = page;
  const [width, height] = info.size_wh || [1280, 720];
  const points = (list) => list.map(([x, y]) => `${x},${y}`).join(" ");
  const marks = [];
  if (page.watching) {
    const [across, down] = info.lens.grid;
    for (const [x, y] of info.lens.missing) marks.push(h("rect", { key: `missing-${x}-${y}`, class: "cal-missing", x: x * width / across, y: y * height / down, width: width / across, height: height / down }));
  } else if (edit) {
    marks.push(h("polygon", { key: "drag", class: "cal-outline", points: points(toPixels(edit)) }));
  } else if (info.tray) {
    marks.push(h("path", { key: "outside", class: "cal-outside", d: `M0 0H${width}V${height}H0Z M${info.tray.outline.map((point) => point.join(" ")).join("L")}Z` }));
    marks.push(h("polygon", { key: "outline", class: "cal-outline", points: points(info.tray.outline) }));
  }
  if (!edit && !info.saved && !page.watching && info.light) {
    info.light.spots.forEach(([x, y], index) => marks.push(h("circle", { key: `spot-${index}`, class: "cal-spot", cx: x, cy: y, r: width / 40 })));
    info.light.dim.forEach((part, index) => marks.push(h("polygon", { key: `dim-${index}`, class: "cal-dim", points: points(part) })));
  }
  for (const [index, die] of (info.check.reading?.dice || []).entries()) {
    const [x, y] = die.center;
    marks.push(h("circle", { key: `ring-${index}`, class: "cal-ring", cx: x, cy: y, r: die.size * 0.85 }),
      h("text", { key: `face-${index}`, class: "cal-face", x, y: y - die.size * 1.05, "font-size": Math.max(26, die.size * 0.8) }, String(die.face)));
  }
  return h("svg", { key: "overlay", class: "cal-overlay", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", focusable: "false" }, marks);
}

function picture() {
  const [width, height] = page.info.size_wh || [16, 9];
  return h("section", { class: "cal-view", "aria-label": t("What the camera sees") },
    h("div", { class: "cal-picture", vars: { "--ratio": width / height } },
      page.picture ? h("img", { key: "img", src: page.picture, alt: t("The tray as the camera sees it"), draggable: "false" }) : h("p", { key: "wait", class: "aside" }, t("The camera has not looked yet")),
      overlay(),
      page.edit ? handles(page.edit, figure, draw) : null,
      page.edit ? loupe(page.edit, figure, page.picture) : null),
    page.info.simulated && !page.info.tray ? h("p", { class: "aside" }, t("This is the simulated tray: a simulated hand lays out what each step asks for.")) : null);
}

// -- the steps -----------------------------------------------------------------------------------------

const fault = (where) => (page.faultAt === where ? h("div", { key: "fault", class: "fault", role: "alert" }, page.fault,
  page.code === "room/host_only" ? [" ", h("a", { href: "/setup" }, t("To the host's PIN"))] : null) : null);

const button = (where, label, press, look_ = "first") => h("button", { key: label, type: "button", class: look_, disabled: Boolean(page.busy), onclick: press }, page.busy === where ? t("One moment…") : label);

function step(number, title, { done, now, children }) {
  return h("li", { key: `step-${number}`, class: `card cal-step${now ? " now" : ""}${done ? " done" : ""}`, "aria-current": now ? "step" : null },
    h("h2", {}, h("span", { class: "cal-number", "aria-hidden": "true" }, done ? "✓" : number), h("span", {}, title), done ? h("span", { class: "vh" }, ` (${t("done")})`) : null),
    children);
}

function byHand() {
  const take = async (event) => {
    event.preventDefault();
    if (await act("tray", "/tray", { corners: toPixels(page.edit), width_mm: Number(page.width) })) { page.edit = null; draw(); }
  };
  return h("form", { key: "hand", class: "stack", onsubmit: take },
    h("p", {}, t("Drag the four handles to the corners of the tray's floor; arrow keys move a handle pixel by pixel.")),
    h("label", { for: "width" }, t("Inner width of the tray in millimetres, from left to right in the picture")),
    h("input", { id: "width", type: "number", inputmode: "decimal", min: 30, max: 5000, step: "any", required: true, value: page.width, oninput: (event) => { page.width = event.target.value; } }),
    h("p", { class: "links" }, h("button", { key: "take", type: "submit", class: "first", disabled: Boolean(page.busy) }, page.busy === "tray" ? t("One moment…") : t("Take these corners")),
      h("button", { key: "back", type: "button", class: "quiet", onclick: () => { page.edit = null; draw(); } }, t("Use the printed markers"))),
    fault("tray"));
}

function findTray(now) {
  const { tray, size_wh: size } = page.info;
  const hand = () => { page.edit = { corners: (tray && size ? tray.outline.map(([x, y]) => [x / size[0], y / size[1]]) : START).map((point) => [...point]), held: null, size_wh: size || [1280, 720] }; draw(); };
  return step(1, t("Find the tray"), { done: Boolean(tray), now, children: page.edit ? byHand() : [
    tray ? h("p", { key: "told" }, said(tray.message)) : [
      h("p", { key: "how" }, t("Lay the four printed markers into the tray's corners, each in its own, and press.")),
      h("p", { key: "print", class: "links" }, h("a", { class: "second button", href: "/api/v1/calibration/page.pdf", target: "_blank" }, t("Print the page (PDF)")), h("a", { class: "quiet button", href: "/api/v1/calibration/page.svg", target: "_blank" }, t("As SVG")))],
    h("p", { key: "go", class: "links" }, button("tray", tray ? t("Find it again") : t("Find the tray"), () => act("tray", "/tray"), tray ? "quiet" : "first"),
      h("button", { key: "hand", type: "button", class: "quiet", onclick: hand }, t("No printer: drag the corners"))),
    fault("tray")] });
}

function emptyTray(now) {
  const { empty } = page.info;
  const pattern = page.faultAt === "empty" && page.code === "calibration/empty" && page.info.tray;
  return step(2, t("Empty tray"), { done: empty, now, children: now || empty ? [
    h("p", { key: "how" }, empty ? t("Learnt: shadows and patterns of the tray are no dice any more.") : t("Take the markers and everything else out of the tray, and your hands too.")),
    h("p", { key: "go", class: "links" }, button("empty", empty ? t("Learn it again") : t("The tray is empty"), () => act("empty", "/empty"), empty ? "quiet" : "first"),
      pattern ? button("empty", t("It is empty: that is a pattern"), () => act("empty", "/empty", { surely_empty: true }), "second") : null),
    fault("empty")] : null });
}

function light() {
  const told = page.info.light;
  return step(3, t("The light"), { done: Boolean(told?.good), now: false, children: !told ? null : [
    told.good ? h("p", { key: "good" }, t("The light is good.")) : h("ul", { key: "bad", class: "cal-light" }, told.complaints.map((each) => h("li", { key: each.id }, h("b", {}, said(each.what)), " ", said(each.advice)))),
    told.dim.length ? h("p", { key: "where", class: "aside" }, t("The darker part is outlined in the picture.")) : null,
    lightMap(page.empty, page.info),
    told.held ? h("p", { key: "held", class: "aside" }, said(told.held)) : null,
    told.good ? null : h("p", { key: "again", class: "links" }, button("light", t("Look at the light again"), () => act("empty", "/empty"), "second"))] });
}

const COLOURS = () => ({ white: t("white"), ivory: t("ivory"), black: t("black"), grey: t("grey"), red: t("red"), orange: t("orange"), yellow: t("yellow"), green: t("green"), blue: t("blue"), purple: t("purple"), pink: t("pink"), brown: t("brown"), clear: t("clear") });

function ofDice({ count, edge_mm: [least, most], colours }) {
  const words = COLOURS();
  const size = least === most ? number(least, 1) : `${number(least, 1)}–${number(most, 1)}`;
  const many = tn("{n} die of {size} mm", "{n} dice of {size} mm", count, { size });
  return `${many}: ${colours.map((colour) => words[colour] || colour).join(", ")}.`;
}

function dice(now) {
  const told = page.info.dice;
  return step(4, t("Your dice"), { done: Boolean(told), now, children: now || told ? [
    h("p", { key: "how" }, told ? ofDice(told) : t("Lay all the dice you play with into the tray: flat, apart, no two on each other.")),
    h("p", { key: "go", class: "links" }, button("dice", told ? t("Learn them again") : t("These are my dice"), () => act("dice", "/dice"), told ? "quiet" : "first")),
    fault("dice")] : null });
}

function use(now) {
  const save = async (event) => { event.preventDefault(); if (await act("save", "/save", { name: page.name.trim() || t("table") })) byId("check")?.scrollIntoView({ block: "nearest" }); };
  if (page.info.saved) return h("li", { key: "saved", class: "card cal-step done" }, h("h2", {}, h("span", { class: "cal-number", "aria-hidden": "true" }, "✓"), h("span", {}, t("In use"))),
    h("p", {}, t("The station reads with the profile “{name}” now.", { name: page.info.active?.name || "" })));
  return h("li", { key: "use", class: `card cal-step${now ? " now" : ""}`, "aria-current": now ? "step" : null }, h("h2", {}, h("span", { class: "cal-number", "aria-hidden": "true" }, "→"), h("span", {}, t("Use it"))),
    now ? h("form", { class: "stack", onsubmit: save },
      h("label", { for: "name" }, t("What this place is called")),
      h("input", { id: "name", type: "text", maxlength: 40, autocomplete: "off", value: page.name, oninput: (event) => { page.name = event.target.value; } }),
      h("p", { class: "links" }, h("button", { type: "submit", class: "first", disabled: Boolean(page.busy) }, page.busy === "save" ? t("One moment…") : t("Use it"))), fault("save")) : null);
}

function moved() {
  const { camera, info } = page;
  if (!info.active || !(camera?.message || page.faultAt === "repair" || page.faultAt === "relearn")) return null;
  const pattern = page.faultAt === "relearn" && page.code === "calibration/empty";
  const far = /find the tray/i.test(camera?.message || "");
  return h("div", { key: "moved", class: "card cal-moved", role: "status" }, camera?.message ? h("p", {}, h("b", {}, said(camera.message))) : null,
    far ? h("p", {}, t("That is too far to follow by itself. Lay the four markers into the corners and find the tray again; your dice stay known. Was only the camera pushed? Then “Repair it” may do.")) : null,
    h("p", { class: "links" }, far ? button("tray", t("Find the tray"), () => act("tray", "/tray")) : null,
      button("repair", t("Repair it"), () => act("repair", "/repair"), "second"),
      far ? null : button("relearn", t("The tray is empty: learn its light again"), () => act("relearn", "/relearn"), "second"),
      pattern ? button("relearn", t("It is empty: that is a pattern"), () => act("relearn", "/relearn", { surely_empty: true }), "second") : null),
    fault("repair"), fault("relearn"));
}

function draw() {
  const { info } = page;
  if (!info) return;
  const at = !info.tray || page.edit ? 1 : !info.empty ? 2 : !info.dice ? 4 : info.saved ? 0 : 5;
  const tools = { page, act, button, fault, draw, step };
  paint(byId("calibrate"), [moved(),
    info.message ? h("p", { key: "message", class: "good" }, said(info.message)) : null,
    h("div", { key: "calibrate", class: "calibrate" }, picture(),
      h("div", { class: "cal-side" },
        h("ol", { class: "cal-steps" }, findTray(at === 1), emptyTray(at === 2), light(), dice(at === 4), use(at === 5)),
        checking(tools), lens(tools), profiles(tools)))]);
}

async function watch() {
  if (page.watching && !page.busy && !document.hidden) {
    let fault = { fault: "", faultAt: "view", code: "" };
    try { page.info = await post("/api/v1/calibration/view", {}); } catch (error) { fault = { fault: error.message, faultAt: "view", code: error.code }; }
    if (page.watching) Object.assign(page, fault); // else a later press has spoken meanwhile
    draw();
  }
  setTimeout(watch, LENS_MS);
}

await load();
try {
  const [info, state] = await Promise.all([get("/api/v1/calibration"), get("/api/v1/state")]);
  Object.assign(page, { info, camera: state.camera, name: info.active?.name || t("table"), faces: info.check.reading?.dice.map((die) => die.face) || [], missed: [] });
  draw();
  look();
  setInterval(look, LIVE_MS);
  watch();
} catch {
  paint(byId("calibrate"), [h("p", { class: "fault", role: "alert" }, t("This station has no camera to calibrate."))]);
}
