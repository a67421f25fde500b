// The big screen: read-only, the same state as on all screens, in letters large enough for the sofa.

import { button, byId, failure, h, paint } from "./dom.js";
import { number, t } from "./words.js";
import { identity, Link } from "./link.js";
import * as dice from "./tv_dice.js";
import { odds } from "./tv_odds.js";
import { room } from "./fitted.js";
import * as evening from "./evening.js";
import * as hints from "./hints.js";
import * as changes from "./changes.js";
import * as controls from "./controls.js";
import * as sheet from "./sheet.js";
import * as tray from "./tray.js";
import { parts } from "./parts.js";
import { wayOf } from "./turns.js";
import * as call from "./tv_call.js";
import * as end from "./tv_end.js";
import * as looks from "./tv_looks.js";
import * as replay from "./tv_replay.js";
import * as solitaire from "./solitaire.js";
import * as voice from "./voice.js";
import { fetched } from "./fetched.js";
import { faultOf, inOrder, post } from "./api.js";

/** @type {string[]} */
const addresses = JSON.parse(byId("stage").dataset.addresses || "[]");
/** @type {TablePage & { picture: number, changed_ms: number, fault: string }} */
const page = { state: null, room: {}, you: null, fresh: [], picture: 0, changed_ms: Date.now(), fault: "" };

const MANY_ROWS = 8; // of half a sheet; more rows share the height. One more fits where letters are small anyway
const SUM_ROWS = 3; // the height of the total, in rows
const MANY_COLUMNS = 8; // the most that are legible in half the width
const LETTERS = 45; // of names side by side in half the width, each counted as long as the longest
const LOST_MS = 10000; // a picture that takes longer is lost
const MANY_PLAYERS = 8; // with more, their chances take the place of the picture
const HEADS = { half: 47, whole: 100 }; // letters of column heads side by side
const LONG = 80; // letters; a longer headline takes more than two lines

/** Whether the halves of the sheet are stacked: for few players with several columns each. @param {State} state */
const stacked = (state) => state.players.length <= 6 && state.players.length * sheet.wide(state) > MANY_COLUMNS;

/** An abbreviation as on paper: cut after a consonant, with a full stop. @param {string} label @param {number} letters */
const short = (label, letters) => (label.length > letters ? `${label.slice(0, letters - 1).replace(/[aeiouyäöüéè]+$/i, "")}.` : label);

/** @param {State} state @param {Row["section"]} section */
function half(state, section) {
  const hint = hints.wantedOnTv(state, page.room) ? hints.current(state) : null;
  const view = { choice: state.choice, fresh: page.fresh, best: hint?.box };
  state = wayOf(state)?.onTheWall(state) ?? state;
  const seats = state.players.length;
  const rows = sheet.rows(state, section).length + Number(state.columns.length > 0);
  const across = seats * sheet.wide(state);
  const letters = Math.floor((stacked(state) ? HEADS.whole : HEADS.half) / across);
  const columns = state.columns.map((label) => short(label, letters));
  const longest = Math.max(...state.players.map(({ name }) => room(name, true)));
  const upright = seats > 6 || (!state.winners.length && seats * longest > LETTERS * (stacked(state) ? 2 : 1));
  return h(
    "div.tv-paper",
    h(
      "table",
      {
        class: `sheet${across > seats ? " parted" : ""}${across > 5 ? " many" : ""}${upright ? " upright" : ""}${seats > 8 ? " crowd" : ""}${rows > (upright ? MANY_ROWS + 1 : MANY_ROWS) ? " tall" : ""}`,
        "data-players": seats,
        vars: { "--players": across, "--rows": section === "lower" ? rows + SUM_ROWS : rows },
      },
      h("caption.vh", section === "upper" ? t("page/tv/upper") : t("page/tv/lower")),
      sheet.header({ ...state, columns }),
      sheet.body(state, section, view),
      section === "lower" ? sheet.footer(state) : null,
    ),
  );
}

/** Hides a picture that did not load: the browser would draw its icon of a broken image. @param {EventTarget | null} picture @param {boolean} there */
const reveal = (picture, there) => {
  if (picture instanceof HTMLElement) picture.style.visibility = there ? "" : "hidden";
};

function draw() {
  const { state } = page;
  if (!state) return;
  document.body.dataset.version = String(state.version);
  byId("waiting").textContent = state.waiting_for;
  byId("waiting").classList.toggle("long", state.waiting_for.length > LONG);
  byId("storage").hidden = !state.storage;
  paint(byId("host-request"), controls.requested(page.room, page.you));
  if (looks.isBar) {
    paint(byId("stage"), looks.bar(state, page.room, draw));
    return;
  }
  const playing = state.phase !== "lobby";
  const next = dice.awaited(state);
  paint(
    byId("facts"),
    playing && !state.finished
      ? [
          controls.scorekeeper(state, page.room),
          tray.throwCount(state),
          parts.map((part) => part.facts?.(state, { draw })),
          next === null && tray.readingChip(state),
          hints.wantedOnTv(state, page.room) ? hints.sentence(hints.current(state)) : null,
          solitaire.expected(state, draw),
          parts.map((part) => part.television?.(state)),
          state.problem || state.needs ? h("p.needs", { key: "needs" }, state.problem || state.needs) : null,
        ]
      : [],
  );
  const copies = playing && !state.finished ? wayOf(state)?.copies(state, () => hints.chances(state, draw)) : null;
  const ending = state.finished ? end.scene(state) : null;
  paint(
    byId("stage"),
    ending
      ? [ending]
      : playing
        ? [
            state.finished
              ? h(
                  "div",
                  { key: "end" },
                  end.podium(state),
                  evening.records(state, draw, record),
                  parts.map((part) => part.end?.(state)),
                  evening.line(state, draw),
                )
              : h(
                  "div",
                  { class: `tv-top${state.players.length > MANY_PLAYERS ? " crowd" : ""}`, key: "top" },
                  next === null
                    ? dice.board(state, page.room, Boolean(copies))
                    : h("p.tv-next", { key: "next", translate: "no", title: next }, next),
                  copies ?? odds(state, draw),
                  next === null &&
                    h("img.tv-picture", {
                      key: "picture",
                      onload: ({ currentTarget: picture }) => reveal(picture, true),
                      onerror: ({ currentTarget: picture }) => {
                        reveal(picture, false);
                        setTimeout(() => {
                          page.picture = Date.now();
                          draw();
                        }, 1500);
                      },
                      src: `/api/v1/frame.jpg?width=640&at=${page.picture}`,
                      alt: t("page/common/tray"),
                    }),
                ),
            h("div", { class: `tv-sheets${stacked(state) ? " stacked" : ""}`, key: "sheets" }, half(state, "upper"), half(state, "lower")),
          ]
        : [lobby(state)],
  );
  if (hints.wantedOnTv(state, page.room) && !hints.current(state)) hints.refresh(state, draw, true);
}

/** A new record: announced once, on screen and aloud. @param {string} text */
function record(text) {
  byId("live").textContent = text;
  if (speaks() && page.state) voice.readOut({ kind: "record", text }, page.state);
}

/** Whether this screen is the voice of the table, chosen here or by a phone. */
const speaks = () => Boolean(page.you?.voice || page.room.tv_voice);

async function speakHere() {
  page.fault = await faultOf(async () => {
    const { you, ...room } = await inOrder(() => post("/api/v1/room/voice", { on: !speaks(), tv: page.room.tv_voice }));
    Object.assign(page, { you, room });
    if (speaks()) voice.speak(t("page/common/announces"));
  });
  draw();
}

/** A phone has switched the voice of this screen: announces it, or asks for the key press that the browser needs. @param {boolean} on @param {boolean} now */
async function voiceSwitched(on, now) {
  if (on && now) voice.speak(t("page/common/announces"));
  call.ask(on && (await voice.needsTap()) ? t("page/tv/press") : "");
}

/** @param {State} state */
function lobby(state) {
  return h(
    "div.tv-lobby",
    { key: "lobby" },
    h(
      "div.tv-invite",
      h("p.tv-how", t("page/tv/scan")),
      h(
        "ul",
        addresses.map((address) => h("li", { key: address }, address)),
      ),
      state.players.length
        ? [
            h("p.tv-how", t("page/common/at_table")),
            h(
              "ul.tv-names",
              state.players.map((player) => h("li", { key: player.name, translate: "no" }, player.name)),
            ),
          ]
        : null,
      evening.table(state, draw),
      failure(page.fault),
      h(
        "p",
        button("second", speaks() ? t("page/tv/quiet") : t("page/tv/speak"), speakHere, {
          "aria-pressed": String(speaks()),
        }),
      ),
    ),
    h("img.tv-code", { src: "/join.svg", alt: t("page/common/code") }),
  );
}

async function rehearse() {
  const { rehearse } = await import("./rehearsal.js").catch(() => ({ rehearse: () => {} })); // the first sheet works without
  rehearse(page, (sample) => [dice.board(sample, page.room, false), half(sample, "upper"), half(sample, "lower")]);
}

/** @param {State} state */
function take(state) {
  const before = page.state;
  const change = before && changes.change(state, before);
  const lifted = before && change?.keys?.length === 1 ? dice.lift(before, state, change.keys[0]) : [];
  if (change) {
    byId("live").textContent = change.text;
    if (change.keys?.length) page.fresh = change.keys;
    if (change.kind === "end") evening.ended();
    call.show(change, state);
    if (speaks()) voice.readOut(change, state, before);
  }
  if (before && speaks()) {
    voice.jingle(state, before, page.room);
    voice.needs(state, before, page.room);
  }
  if (!before || JSON.stringify(before.reading) !== JSON.stringify(state.reading)) page.picture = Date.now();
  if (before?.game !== state.game) page.fresh = [];
  if (!state.finished) end.stop();
  else if (before && !before.finished && before.phase !== "lobby" && !looks.isBar && !looks.isPaper) end.begin(state, draw);
  page.state = state;
  page.changed_ms = Date.now();
  document.body.classList.remove("idle");
  draw();
  if (looks.isBar) return;
  if (!before && state.phase === "lobby") rehearse();
  if (looks.isPaper) return;
  dice.fly(lifted);
  if (!before) return;
  for (const part of parts) part.seen?.(state, before);
  replay.watch(state, before, change);
}

// Against burn-in the picture moves by a few pixels now and then (in one step: an animation would cost a small machine half
// a core for two seconds), and dims when nobody has played for a quarter of an hour.
const WANDER = [
  [0, 0],
  [3, 2],
  [5, -1],
  [2, -4],
  [-3, -2],
  [-5, 2],
  [-2, 4],
];
let step = 0;
looks.dim();
setInterval(() => {
  looks.dim();
  if (looks.isPaper || looks.isBar) return;
  step += 1;
  const [x, y] = WANDER[step % WANDER.length];
  byId("main").style.setProperty("transform", `translate(${x}px, ${y}px)`);
  document.body.classList.toggle("idle", Date.now() - page.changed_ms > 900000);
}, 60000);

// The next picture is requested after the last one has loaded: on a slow line, replacing it earlier would never show any.
setInterval(() => {
  if (page.state && tray.beginning(page.state) && !document.hidden && !looks.isPaper && !looks.isBar) {
    const coming = document.querySelector(".tv-picture");
    if (!(coming instanceof HTMLImageElement) || coming.complete || Date.now() - page.picture > LOST_MS) page.picture = Date.now();
    draw();
  }
}, 1000);

// The page shows the station's addresses; reloads it when they change, as when the network comes up after the page.
async function checkAddresses() {
  if (page.state?.phase !== "lobby") return;
  const stage = new DOMParser().parseFromString(await (await fetched(location.href)).text(), "text/html").getElementById("stage");
  if (stage && stage.dataset.addresses !== byId("stage").dataset.addresses) location.reload();
}
setInterval(() => checkAddresses().catch(() => {}), 60000);

const look = identity(page, draw);

/** @param {PublicRoom} room */
function enter(room) {
  if (Boolean(room.tv_voice) !== Boolean(page.room.tv_voice)) voiceSwitched(Boolean(room.tv_voice), page.room.tv_voice === false);
  page.room = room;
  evening.again();
  draw();
  look();
}

new Link(
  "/api/v1/events",
  { state: take, room: enter },
  (connected) => {
    byId("line").hidden = connected;
  },
  speaks,
);
