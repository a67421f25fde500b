// The sheet: state comes in by the live line, taps go out as commands, the page is painted from the state.

import { button, byId, h, paint } from "./dom.js";
import { t } from "./words.js";
import { identity, Link } from "./link.js";
import { changeRoom, inOrder, post, failureOf } from "./api.js";
import * as changes from "./changes.js";
import * as camera from "./camera.js";
import * as dialogs from "./dialogs.js";
import { refuse, say, settle } from "./refusal.js";
import { sending } from "./sending.js";
import * as lobby from "./lobby.js";
import * as controls from "./controls.js";
import * as result from "./result.js";
import * as sheet from "./sheet.js";
import { taps } from "./taps.js";
import * as tray from "./tray.js";
import { parts } from "./parts.js";
import { answering, nobody, ownSeat, rollOf, roundOf, turnOf, wayOf } from "./turns.js";
import { cookie, tint } from "./prefs.js";
import * as evening from "./evening.js";
import * as hints from "./hints.js";
import * as solitaire from "./solitaire.js";
import { awake } from "./wake.js";

const CONFIRMED_MS = 25; // a phone's nod to a confirmed roll
const TOAST_MS = 5000;
/** Kinds of news that are shown as a toast. */
const NOTICES = ["back", "corrected", "yacht", "straight", "last_throw"];
/** @type {SheetPage} */
const page = {
  state: null,
  room: {},
  you: null,
  busy: null,
  connected: null,
  fresh: [],
  picture: 0,
  again: false,
  looked: null,
  playsFor: "",
  refused: [],
  lines: 0,
};

/** A small screen shows the boxes of one player; those of the others are a swipe away. */
const small = matchMedia("(max-width: 699px), (max-height: 500px)");
small.onchange = () => draw();
new ResizeObserver(() => {
  const high = `${byId("dock").offsetHeight}px`;
  for (const id of ["main", "refusal", "sending"]) byId(id).style.setProperty("--dock", high);
  document.documentElement.style.setProperty("--dock", high);
}).observe(byId("dock"));

/** Sizes of the headline on a small screen, largest first: its box has a fixed height, and the first that fits is used. */
const LETTERS = ["large", "middle", "small", "tiny", "grows"];
const headline = byId("waiting");
function fitHeadline() {
  LETTERS.find((each) => {
    headline.dataset.letters = each;
    return headline.scrollHeight <= headline.clientHeight;
  });
}
new ResizeObserver(fitHeadline).observe(headline);
document.fonts?.ready.then(fitHeadline, () => {});

// One command at a time, except those in `waiting`: a second tap before the page shows the result of the first is ignored.
// Buttons stay enabled, to keep the keyboard's focus. A dialog passes the version it was opened with.
/** @type {Command} */
async function command(name, fields = {}, refused = () => false) {
  if (page.busy || !page.state) return null;
  const own = {};
  page.busy = sent = own;
  const focused = document.activeElement;
  try {
    const request = { command: name, version: page.state.version, ...fields };
    const state = await sending((signal) => post("/api/v1/commands", request, { signal }));
    take(state);
    say("");
    if (name === "accept_roll") navigator.vibrate?.(CONFIRMED_MS);
    return state;
  } catch (error) {
    const why = failureOf(error);
    if (page.busy === own) page.busy = null;
    if (!refused(why)) refuse(why, page.state);
    draw();
    return null;
  } finally {
    if (page.busy === own) page.busy = null;
    if (sent === own) sent = null;
    refocus(
      focused,
      document.querySelector("#steps .first:not(:disabled), #roll button.hold:not(:disabled), #steps button:not(:disabled)"),
    );
    next();
  }
}

/**
 * A queue of taps in quick succession, as on three dice one after another: each is computed and sent once the result of
 * the one before is on screen, if the roll is still the one that was tapped.
 * @type {(() => unknown)[]}
 */
const waiting = [];
/** The command on its way; `page.busy` ends with any newer version, also one that the camera caused. @type {object | null} */
let sent = null;

/** Queues a tap on a die or a box; it is dropped if the roll changes before. @param {() => unknown} send */
function inTurn(send) {
  const tapped = rollOf(page.state);
  waiting.push(() => rollOf(page.state) === tapped && send());
  next();
}

function next() {
  while (!page.busy && !sent && waiting.length) waiting.shift()?.();
}

/** The dice of the roll, or of a player's copy of it. @param {State} state @param {number} [player]: where nobody has a turn */
const diceOf = (state, player) => (player === undefined ? state : (wayOf(state)?.seenBy(state, player) ?? state)).dice;

// The focused element may disappear or be disabled: the focus then moves to the next step of the turn, else to the headline.
/** @param {Element | null} before: what had the focus @param {Element | null} next */
function refocus(before, next = null) {
  if (before === document.body || (before?.isConnected && !before.matches(":disabled")) || document.querySelector("dialog[open]")) return;
  /** @type {HTMLElement} */ (next || byId("waiting")).focus({ preventScroll: true });
}

/** A new record: announced once, on screen and aloud. @param {string} text */
function record(text) {
  byId("live").textContent = text;
  aloud((voice) => page.state && voice.readOut({ kind: "record", text }, page.state));
}

/** Uses the voice, if this screen is the voice of the table. @param {(voice: typeof import("./voice.js")) => void} use */
function aloud(use) {
  if (page.you?.voice) changes.aloud(use);
}

/** Sends the command of a dialog as soon as no other is on its way. @type {Command} */
function sendWhenIdle(name, fields, refused) {
  return new Promise((done) => {
    waiting.push(() => done(command(name, fields, refused)));
    next();
  });
}

const dialogCommand = () => answering(page, sendWhenIdle);

/** The player a tap is for, where nobody has a turn. @returns {{ player?: number }} */
function whose() {
  const { state, you, looked } = page;
  const way = state && wayOf(state);
  return way ? { player: way.seatOf(state, you, looked) } : {};
}

/** Shows another player's copy. @param {number} player */
function look(player) {
  page.looked = page.state?.players[player].name ?? null;
  return draw();
}

/** The player whose turn it is, if this phone belongs to another seat and does not play for them yet. @param {State} state */
function otherPlayer(state) {
  const own = ownSeat(state, page.you);
  const { active_player: turn, players, finished } = state;
  if (own < 0 || turn === null || own === turn || wayOf(state) || finished || page.playsFor === turnOf(state)) return null;
  if (page.you?.role === "scorekeeper") return null; // plays for everybody
  return { own, ...players[turn] };
}

/** Acts for the player whose turn it is; asks once a turn whether the tap was meant so. @param {() => unknown} act */
function inTheirName(act) {
  const { state } = page;
  const their = state && otherPlayer(state);
  if (!their || nobody(their)) return act();
  const { name } = their;
  return dialogs.ask(t("page/table/for", { name }), t("page/table/for_told", { name }), t("page/table/for_yes", { name }), () => {
    if (!page.state || turnOf(page.state) !== turnOf(state)) return;
    page.playsFor = turnOf(state);
    draw();
    if (page.state.version === state.version) act(); // else the tapped dice may have changed
  });
}

const plain = taps(page, { command, inTurn, dialogCommand, whose, diceOf });
/** @type {TrayActions} */
const actions = {
  ...plain,
  hold: (slot) => inTheirName(() => plain.hold(slot)),
  accept: () => inTheirName(plain.accept),
  throw: () => inTheirName(plain.throw),
  force: () => inTheirName(plain.force),
  type: (...typed) => inTheirName(() => plain.type(...typed)),
};

// `first`: of a line just opened; only there may a lower version be newer, since a backup may have been restored.
/** @param {State} state @param {boolean} first */
function take(state, first = false) {
  page.lines += Number(first);
  const before = page.state;
  if (before && !first && state.version < before.version) return;
  settle(state);
  if (before && JSON.stringify(state) === JSON.stringify(before)) return; // comes twice: in the response and by the line
  if (before) {
    const change = changes.change(state, before);
    if (change) {
      const { kind, keys, next, text } = change;
      const wrote = keys?.length;
      byId("live").textContent = wrote || kind === "back" || kind === "starts" ? `${text} ${next}` : text;
      if (kind === "end") evening.ended();
      if (wrote) page.fresh = keys || [];
      aloud((voice) => voice.readOut(change, state, before));
      if (wrote || NOTICES.includes(kind)) toast((wrote && state.announced) || text);
    }
    aloud((voice) => {
      voice.jingle(state, before, page.room);
      voice.needs(state, before, page.room);
    });
  }
  if (!before || JSON.stringify(before.reading) !== JSON.stringify(state.reading) || before.throws_done !== state.throws_done)
    refreshPicture();
  if (before?.game !== state.game) Object.assign(page, { again: false, fresh: [] });
  if (roundOf(before) !== roundOf(state)) page.looked = null; // a new round starts on the own copy
  if (before?.finished !== state.finished) pastGames();
  page.state = state;
  if (rollOf(state) !== rollOf(before)) sent = null;
  if (state.version !== before?.version) page.busy = null; // the result is on screen, or the tap is outdated
  draw();
  next();
  if (before) for (const part of parts) part.seen?.(state, before);
  if (before && turnOf(state) !== turnOf(before) && !document.querySelector("dialog[open]")) requestAnimationFrame(toTop);
  if (!before && state.phase === "lobby") import("./rehearsal.js").then((each) => each.rehearse(page), quiet);
}

/** The script for games that a club's board sends, once loaded. @type {typeof import("./pairing.js") | null} */
let club = null;

const quiet = () => {}; // the page works without it

// Called in the frame that shows the new turn, so that the page is laid out once.
function toTop() {
  window.scrollTo(0, 0);
  byId("sheet").scrollTo(0, 0);
}

let toasting = 0;

/** A short notice over the sheet; screen readers get it from the live region. @param {string} text */
function toast(text) {
  byId("toast").textContent = text;
  byId("toast").hidden = !text;
  clearTimeout(toasting);
  toasting = window.setTimeout(() => {
    byId("toast").hidden = true;
  }, TOAST_MS);
}

function refreshPicture() {
  page.picture = Date.now();
  drawPicture();
}

// While a throw is expected the picture follows the tray.
setInterval(() => {
  if (page.state && page.connected && !document.hidden && tray.beginning(page.state)) refreshPicture();
}, 1000);

/** The picture requested last, and since when; one at a time, since more would delay taps. */
const live = { source: "", since_ms: 0, next: byId("picture") };

function drawPicture() {
  const source = `/api/v1/frame.jpg?width=${small.matches ? 320 : 640}&at=${page.picture}`;
  if (live.source === source || Date.now() - live.since_ms < 10000) return; // later than that it is lost
  if (live.since_ms) live.next.removeAttribute("src"); // frees its connection
  const next = /** @type {HTMLImageElement} */ (byId("picture").cloneNode());
  Object.assign(live, { source, since_ms: Date.now(), next });
  next.onload = () => {
    byId("picture").replaceWith(next);
    if (live.source === source) live.since_ms = 0;
    drawPicture();
  };
  next.onerror = () => {
    live.since_ms = 0;
    setTimeout(refreshPicture, 1500); // no camera yet, or no line
  };
  Object.assign(next, { src: source, hidden: false });
}

// A tap on a box scores the whole roll; a part may ask for more, and a 0 needs a confirmation.
/** @param {Row} row */
function score(row) {
  return inTheirName(() => scoreBox(row));
}

/** @param {Row} row */
function scoreBox(row) {
  if (!page.state) return null;
  const state = controls.seenBy(page.state, page.refused);
  const { category, label } = row;
  const mine = whose(); // of the copy on screen now: it may be another when the tap is sent
  if (wayOf(state)) return inTurn(() => command("score_box", { category, ...mine })); // can still be changed
  const chosen = parts.map((part) => part.choose?.(state, row, dialogCommand)).find(Boolean);
  if (chosen) return chosen.catch((error) => say(failureOf(error).message));
  const box = state.offer ? { category, roll: state.offer.faces } : { category };
  const points = state.players[state.active_player ?? -1]?.potentials[category];
  if (points !== 0 || !state.asks_before_zero) return command("score_box", box);
  const answer = dialogCommand();
  return dialogs.ask(t("page/zero/title", { label }), "", t("page/zero/write"), () => answer("score_box", box));
}

/** @param {string} name @param {boolean} on */
async function keepHints(name, on) {
  await inOrder(() => changeRoom(page, "hints", { name, on }));
  draw();
}

/** @param {State} state @param {Hint} hint */
function compare(state, hint) {
  const name = state.players[state.active_player ?? -1].name;
  const on = () => Boolean(page.room.hints?.includes(name));
  return import("./compare.js").then(
    (comparing) => document.querySelector("dialog[open]") || comparing.open(state, hint, name, on, (wish) => keepHints(name, wish)),
    () => say(t("page/line/not_done")),
  );
}

/** @param {boolean} on: whether the form for another game replaces the result */
function another(on) {
  page.again = on;
  draw();
  toTop();
}

function draw() {
  if (!page.state) return;
  const focused = document.activeElement;
  const wired = document.getElementById("buttons"); // only where the table has buttons, or a setting shows them
  const allowed = controls.seenBy(page.state, page.refused);
  const state = wired ? allowed : { ...allowed, choice: null }; // `choice`: the box marked by the buttons
  const playing = state.phase !== "lobby";
  awake(playing && !state.finished);
  const going = playing && !state.finished;
  const way = going ? wayOf(state) : null;
  if (way && !page.you) return; // this screen's own seat is not known yet
  const seat = way?.seatOf(state, page.you, page.looked) ?? -1;
  const view = way?.seenBy(state, seat) ?? state;
  const tiled = small.matches && going && view.active_player !== null;
  const hinted = hints.wanted(view, page.room, page.you);
  const advice = hinted || hints.lastChoice(view, page.you) ? hints.current(view) : null;
  if (!advice && (hinted || hints.lastChoice(view, page.you))) hints.refresh(view, draw, hinted);
  const hint = hinted ? advice : null;
  const their = going ? otherPlayer(state) : null;
  document.body.classList.toggle("guest", Boolean(their));
  const plays = their && !nobody(their) && ["enter_roll", "set_held", "score_box"].some((each) => tray.can(view, each));
  const bulb = going
    ? hints.bulb(view, page.room, page.you, tiled, {
        draw,
        compare: () => hint && compare(view, hint),
        keep: (name, on) => keepHints(name, on).catch((error) => say(failureOf(error).message)),
      })
    : null;
  const begins = !going && tray.can(state, "start_game");
  const pairing = begins && !page.again && club?.waits(state, page.room.pairing) ? page.room.pairing : null;
  const form = begins && !pairing && (!state.finished || page.again);
  const over = state.finished && !form;
  document.body.dataset.phase = form ? "lobby" : state.phase;
  document.body.dataset.version = String(state.version);
  const words = over
    ? result.headline(state, page.you)
    : pairing
      ? t("page/pairing/title")
      : form && state.finished
        ? t("page/table/another_game")
        : state.waiting_for;
  if (headline.textContent !== words) {
    headline.textContent = words;
    fitHeadline();
  }
  byId("storage").hidden = !state.storage;
  paint(byId("host-request"), controls.requested(page.room, page.you));
  paint(byId("problem"), [
    state.problem ? h("p.problem", { key: "problem" }, state.problem) : null,
    wayOf(state)?.note(state),
    camera.notice(state, draw, page.you?.host || !page.room.host),
    controls.seat(page.room, page.you),
    form ? null : parts.map((part) => part.end?.(state)),
  ]);
  const turn = wayOf(state)?.waits(state, seat) ?? true;
  const mine = turn && ownSeat(view, page.you) === view.active_player;
  document.body.classList.toggle("mine", Boolean(mine));
  paint(
    byId("facts"),
    going
      ? [
          mine ? h("p.mine-mark", t("page/table/your_turn")) : null,
          controls.scorekeeper(state, page.room),
          tray.throwCount(state),
          parts.map((part) => part.facts?.(state, tools)),
          solitaire.expected(state, draw),
          tray.readingChip(state),
        ]
      : [],
  );
  const best = hint?.box ? null : hints.keeps(state, hint);
  const dice = () => (tray.offered(state) ? tray.offeredDice(state, actions) : tray.heldDice(state, actions, best));
  paint(byId("hint"), going ? [hints.line(view, page.room, page.you)] : []);
  paint(byId("roll"), [way ? way.roll(state, seat, actions, best) : going ? dice() || (tiled ? tray.noDice(state) : null) : null]);
  paint(byId("steps"), [
    parts.map((part) => part.turn?.(state, tools)),
    over
      ? pairing
        ? null
        : result.steps(state, actions)
      : form
        ? null
        : tray.steps(state, actions, tiled, hint?.box, [
            way?.steps(state, seat, (name) => command(name, whose())),
            their ? null : parts.map((part) => part.steps?.(state, { ...tools, hint })),
            tiled ? bulb : null,
          ]),
  ]);
  paint(byId("aids"), [
    way?.aids(state, seat, Boolean(page.you?.seat), { command, look }),
    going ? parts.map((part) => part.aids?.(state, tools)) : null,
    form ? null : tray.undo(state, actions, tiled, tiled ? null : bulb),
    form && state.finished ? null : [evening.records(state, draw, record), evening.table(state, draw)],
  ]);
  if (wired) paint(wired, way && page.you?.seat ? null : tray.tableButtons(view, actions, tools));
  if (!going) lobby.seed(state, page.room, draw);
  paint(byId("lobby"), [
    form && page.room.set_up === false && !state.game && (page.you?.host || !page.room.host)
      ? h("p.first-time", { key: "first" }, h("a.second.button", { href: "/setup/first" }, t("page/table/first_time")))
      : null,
    pairing ? [club?.card(pairing, (game) => command("start_game", game), draw), over ? result.steps(state, actions)[1] : null] : null,
    pairing && !state.finished ? button("quiet wide", t("page/table/another_game"), () => another(true), { key: "other" }) : null,
    form ? lobby.form(state, { start: (game) => command("start_game", game), draw }) : null,
    form && page.again ? button("quiet wide", t("page/table/back"), () => another(false), { key: "back" }) : null,
    over ? result.more(state, actions, tools, () => another(true)) : null,
  ]);
  const boxes = {
    room: page.room,
    choice: view.choice,
    fresh: page.fresh,
    picked: way?.picked(state, seat) ?? null,
    onScore: tray.can(view, "score_box") ? score : null,
    best: advice?.box,
    onWhy: (/** @type {Row} */ row, /** @type {number | undefined} */ tapped) =>
      import("./why.js").then((why) => why.open(row, page, dialogCommand, tapped)).catch((error) => say(failureOf(error).message)),
  };
  document.body.classList.toggle("tiled", tiled);
  paint(
    byId("sheet"),
    state.players.length && state.categories.length && !form
      ? tiled
        ? [
            their
              ? sheet.tiles(view, their.own, { ...boxes, onScore: null, onOther: plays ? () => inTheirName(quiet) : null })
              : sheet.tiles(view, view.active_player ?? 0, boxes),
            h("div.all", { key: "all" }, sheet.table(view, { ...boxes, onScore: null })),
          ]
        : sheet.table(view, boxes)
      : [],
  );
  drawPicture();
  dialogs.redraw();
  refocus(focused);
}

/** @param {boolean} connected */
function showLine(connected) {
  if (page.connected === connected) return;
  page.connected = connected;
  byId("line").hidden = connected;
  document.body.classList.toggle("cut", !connected);
}

const updateIdentity = identity(page, draw);
/** @type {PartTools} */
const tools = { dialogCommand, command, draw, inTurn };

/** Past games may have changed. */
function pastGames() {
  for (const part of parts) part.again?.();
}

tint();
document.documentElement.dataset.hand = cookie("hand");
/** @param {PublicRoom} room */
function enter(room) {
  page.room = room;
  if (room.pairing && !club)
    import("./pairing.js").then((each) => {
      club = each;
      draw();
    }, quiet);
  evening.again();
  pastGames();
  draw();
  updateIdentity();
}

/** @param {string[]} commands */
function refusing(commands) {
  page.refused = commands;
  draw();
}

new Link("/api/v1/events", { state: take, room: enter, refused: refusing }, showLine, () => page.you?.voice);
byId("menu").onclick = () =>
  import("./menu.js").then(
    (menu) => document.querySelector("dialog[open]") || menu.open(page, { command: sendWhenIdle, dialogCommand, draw }),
    () => say(t("page/line/not_done")),
  );
byId("menu").removeAttribute("disabled");
byId("picture-button").onclick = () => dialogs.picture(`/api/v1/frame.jpg?at=${page.picture}`);
