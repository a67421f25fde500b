// Hints for the player whose turn it is, if that player has switched them on, on the screens that may show them.

import { button, h } from "./dom.js";
import { percent, t } from "./words.js";
import { get, Refused } from "./api.js";
import { Question } from "./question.js";
import { parts } from "./parts.js";
import { boundTo, nobody, ownSeat, wayOf } from "./turns.js";

// advice: for the position `key`, which may be older than the latest request; fault: why there is none.
// lit: the position at which the bulb was tapped.
/** @type {{ question: Question, key: string, advice: Hint | null, fault: string, lit: string }} */
const hint = { question: new Question(), key: "", advice: null, fault: "", lit: "" };

/** Whose turn it is. @param {State} state @returns {Player | undefined} */
const turn = (state) => state.players[state.active_player ?? -1];

/** The position that advice is for; it has all sheets, since the chances to win depend on them. @param {State} state */
const position = (state) =>
  JSON.stringify([
    state.game,
    state.active_player,
    state.throws_done,
    state.dice.map((item) => item.face),
    state.players.map(({ gone, total, boxes }) => gone || [total, boxes]),
    boundTo(state),
  ]);

/** The query for a player's advice, where nobody has a turn. @param {State} state */
const of = (state) => (wayOf(state) ? `?player=${state.active_player ?? 0}` : "");

// Hints show on a shared screen, or on the player's own; never on a neighbour's phone.
/** @param {State} state @param {PublicRoom} room @param {Api.You | null} you */
export const wanted = (state, room, you) => may(state, you) && (enabled(state, room) || hint.lit === position(state));

/** Whether the player whose turn it is has hints switched on. @param {State} state @param {PublicRoom} room */
const enabled = (state, room) => Boolean(room.hints?.includes(turn(state)?.name ?? ""));

/** Whether there is a decision to make that this screen may show a hint for. @param {State} state @param {Api.You | null} you */
const may = (state, you) => ["confirmed", "held", "choosing"].includes(state.turn) && decides(state, you);

/** @param {State} state @param {Api.You | null} you */
function decides(state, you) {
  const player = turn(state);
  if (!player || nobody(player) || !state.dice.length) return false;
  if (wayOf(state)?.waits(state, state.active_player ?? -1) === false) return false;
  return sees(state, you);
}

/** Whether this screen is shared, or belongs to the player whose turn it is. @param {State} state @param {Api.You | null} you */
const sees = (state, you) => !you?.seat || ownSeat(state, you) === state.active_player;

/** With no throw left the best box is marked, also without hints. @param {State} state @param {Api.You | null} you */
export const lastChoice = (state, you) => state.phase === "choosing" && decides(state, you);

/** @param {State} state @param {PublicRoom} room */
export const wantedOnTv = (state, room) =>
  ["holding", "choosing"].includes(state.phase) && state.players.every(({ name, gone }) => gone || room.tv_hints?.includes(name));

/** @param {State} state */
export function current(state) {
  return hint.key === position(state) ? hint.advice : null;
}

/** The slots to keep: from a hint, or from a feature that has decided it. @param {State} state @param {Hint | null} advice */
export const keeps = (state, advice) => advice?.slots ?? parts.map((part) => part.keeps?.(state)).find(Boolean);

// The odds may still be in preparation: then they are requested again later, and the hint stays.
/** @param {State} state @param {() => void} draw @param {boolean} winning: whether to add the odds to win */
export function refresh(state, draw, winning) {
  const key = position(state);
  const ask = async () => {
    /** @type {Hint} */
    const advice = await get(`/api/v1/hint${of(state)}`);
    if (advice.slots === undefined) return null; // the table had moved on
    if (!winning) return { advice, preparing: false };
    return { advice, preparing: addOdds(advice, await get(`/api/v1/odds${of(state)}`), state.active_player ?? 0) };
  };
  hint.question.ask(
    key,
    ask,
    (answer) => {
      if (!answer) return hint.question.again(AGAIN_MS, draw); // the position may come back, or be back already
      Object.assign(hint, { key, advice: answer.advice, fault: "" });
      draw();
      if (answer.preparing) later(key, state, draw);
    },
    (error) => {
      Object.assign(hint, { key, advice: null, fault: temporary(error) ? "" : error.message });
      if (temporary(error)) hint.question.again(AGAIN_MS, draw);
      draw();
    },
  );
}

const AGAIN_MS = 3000;
/** Whether the same request can succeed later. @param {unknown} error */
const temporary = (error) => error instanceof Refused && ["advice/preparing", "line/cut"].includes(error.code);

/** @param {string} key @param {State} state @param {() => void} draw */
function later(key, state, draw) {
  setTimeout(async () => {
    if (hint.key !== key || !hint.advice) return;
    try {
      if (addOdds(hint.advice, await get(`/api/v1/odds${of(state)}`), state.active_player ?? 0)) later(key, state, draw);
      else if (hint.key === key) draw();
    } catch (error) {
      if (temporary(error)) later(key, state, draw); // else the hint stays without odds
    }
  }, AGAIN_MS);
}

const RARE = 0.001; // smaller chances to win are left out

// Adds the odds to win; returns true while they are in preparation.
/** @param {Hint} advice @param {Api.TableOdds} odds @param {number} player */
function addOdds(advice, odds, player) {
  if (odds.words) advice.words = odds.words;
  if (odds.chances.length < 2) return Boolean(odds.message) && !odds.chances.length;
  if ((odds.chances[player] ?? 0) < RARE) return false;
  advice.chance = odds.chances[player];
  advice.error = odds.errors[player];
  advice.exact = odds.exact;
  advice.choices = [...odds.holds, ...odds.boxes].sort((one, other) => other.chance - one.chance).slice(0, 6);
  return false;
}

const HALF = 0.005; // half of one per cent: a smaller error would be rounded to 0%

/** @param {Hint} hint @param {number} chance */
const share = (hint, chance) => {
  if (hint.error && hint.error >= HALF) return t("page/hint/chance_about", { share: chance, error: hint.error });
  return hint.exact ? t("page/hint/chance_exact", { share: percent(chance, 1) }) : t("page/hint/chance", { share: chance });
};

/** The hint in words, with the cost of the choice that looks better. @param {Hint | null} hint */
export function sentence(hint) {
  if (!hint || (!hint.reason && hint.chance === undefined)) return null;
  return h(
    "p.hint",
    { key: "hint" },
    hint.reason,
    hint.chance === undefined ? null : [hint.reason ? ", " : "", share(hint, hint.chance)],
    hint.words ? h("span", ` (${hint.words})`) : null,
    hint.instead ? h("span.instead", hint.instead) : null,
  );
}

/**
 * One line above the dice; for a player with hints switched on, its place stays empty until there is one.
 * @param {State} state @param {PublicRoom} room @param {Api.You | null} you
 */
export function line(state, room, you) {
  const fault = hint.key === position(state) && hint.fault;
  if (wanted(state, room, you)) return sentence(current(state)) || h("p.hint", { key: "hint" }, fault || t("page/hint/working"));
  return enabled(state, room) && sees(state, you) ? h("p.hint", { key: "hint", "aria-hidden": "true" }, "\u00a0") : null;
}

const LONG_MS = 600;
let timer = 0;
let long = false; // whether the current press of the bulb has lasted that long

/**
 * The bulb: a tap shows the hint, a second one compares the cost of each choice; a long press switches hints on for the player.
 * @param {State} state @param {PublicRoom} room @param {Api.You | null} you @param {boolean} small
 * @param {{ draw: () => unknown, compare: () => unknown, keep: (name: string, on: boolean) => unknown }} does
 */
export function bulb(state, room, you, small, { draw, compare, keep }) {
  if (!may(state, you)) return null;
  const on = enabled(state, room);
  const lit = wanted(state, room, you);
  const shine = h(
    "svg.bulb",
    { viewBox: "0 0 24 24", "aria-hidden": "true" },
    h("path", { d: "M9 18h6M10 21h4M8.5 14.5a6 6 0 1 1 7 0V16h-7z" }),
  );
  return button(
    `undo type${small ? " small" : ""}${lit ? " lit" : ""}`,
    [shine, h("span", { class: small ? "vh" : "" }, t("page/hint/bulb"))],
    () => {
      if (long) long = false;
      else if (lit) compare();
      else {
        hint.lit = position(state);
        draw();
      }
    },
    {
      key: "bulb",
      "aria-pressed": String(lit),
      "data-kept": String(on),
      onpointerdown: () => {
        long = false;
        clearTimeout(timer);
        timer = window.setTimeout(() => {
          long = true;
          hint.lit = on ? "" : hint.lit;
          keep(turn(state)?.name ?? "", !on);
        }, LONG_MS);
      },
      onpointerup: () => clearTimeout(timer),
      onpointerleave: () => clearTimeout(timer),
      oncontextmenu: (/** @type {Event} */ event) => event.preventDefault(),
    },
  );
}

/** @type {{ question: Question, game: number, chances: number[] }} */
const odds = { question: new Question(), game: 0, chances: [] };

// Chances to win, one for each player; empty while they are unknown.
/** @param {State} state @param {() => void} draw @returns {number[]} */
export function chances(state, draw) {
  if (state.finished || state.players.length < 2 || state.active_player === null) return [];
  const key = position(state) + JSON.stringify(wayOf(state)?.faces(state));
  if (odds.game !== state.game) Object.assign(odds, { game: state.game, chances: [] });
  odds.question.ask(
    key,
    () => get("/api/v1/odds"),
    (/** @type {Api.TableOdds} */ { chances: latest }) => {
      odds.chances = latest;
      if (!latest.length) odds.question.again(10000, draw); // in preparation, or the game was over for a moment
      draw();
    },
    (error) => {
      if (temporary(error)) odds.question.again(AGAIN_MS, draw);
      else odds.chances = [];
    },
  );
  return odds.chances.length === state.players.length ? odds.chances : [];
}
