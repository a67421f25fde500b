// Hints for the player whose turn it is, where that player wants them, and only where they should be seen.

import { button, h } from "./dom.js";
import { percent, t } from "./words.js";
import { get, Refused } from "./api.js";
import { Question } from "./question.js";
import { parts } from "./parts.js";
import { boundTo, nobody, ownSeat, wayOf } from "./turns.js";

// told: what is known for that key, which is not always the one that was asked for last; fault: why nothing will be.
// lit: the position for which the bulb was tapped.
/** @type {{ asked: Question, key: string, told: Hint | null, fault: string, lit: string }} */
const hint = { asked: new Question(), key: "", told: null, fault: "", lit: "" };

/** Whose turn it is. @param {State} state @returns {Player | undefined} */
const turn = (state) => state.players[state.active_player ?? -1];

/** What advice is for: who is likely to win is a matter of everybody's sheet. @param {State} state */
const position = (state) =>
  JSON.stringify([
    state.game,
    state.active_player,
    state.throws_done,
    state.dice.map((item) => item.face),
    state.players.map(({ gone, total, boxes }) => gone || [total, boxes]),
    boundTo(state),
  ]);

/** Whose advice is asked for, where nobody has a turn. @param {State} state */
const of = (state) => (wayOf(state) ? `?player=${state.active_player ?? 0}` : "");

// On a shared screen, or on this player's own; never on a neighbour's phone.
/** @param {State} state @param {PublicRoom} room @param {Api.You | null} you */
export const wanted = (state, room, you) => may(state, you) && (enabled(state, room) || hint.lit === position(state));

/** Whether whose turn it is has asked for a hint at every throw. @param {State} state @param {PublicRoom} room */
const enabled = (state, room) => Boolean(room.hints?.includes(turn(state)?.name ?? ""));

/** Whether there is something to decide that this screen may advise on. @param {State} state @param {Api.You | null} you */
const may = (state, you) => ["confirmed", "held", "choosing"].includes(state.turn) && decides(state, you);

/** @param {State} state @param {Api.You | null} you */
function decides(state, you) {
  const player = turn(state);
  if (!player || nobody(player) || !state.dice.length) return false;
  if (wayOf(state)?.waits(state, state.active_player ?? -1) === false) return false;
  return sees(state, you);
}

/** Whether this is a shared screen, or that of whose turn it is. @param {State} state @param {Api.You | null} you */
const sees = (state, you) => !you?.seat || ownSeat(state, you) === state.active_player;

/** With no throw left the best box is marked for everybody. @param {State} state @param {Api.You | null} you */
export const lastChoice = (state, you) => state.phase === "choosing" && decides(state, you);

/** @param {State} state @param {PublicRoom} room */
export const wantedOnTv = (state, room) =>
  ["holding", "choosing"].includes(state.phase) && state.players.every(({ name, gone }) => gone || room.tv_hints?.includes(name));

/** @param {State} state */
export function current(state) {
  return hint.key === position(state) ? hint.told : null;
}

/** The dice to keep: by a hint, or where that is decided. @param {State} state @param {Hint | null} told */
export const keeps = (state, told) => told?.slots ?? parts.map((part) => part.keeps?.(state)).find(Boolean);

// What changes the chance to win may still be worked out: then it is asked for again, and the hint stays.
/** @param {State} state @param {() => void} draw @param {boolean} winning: whether it should say what changes the chance to win */
export function refresh(state, draw, winning) {
  const key = position(state);
  const ask = async () => {
    /** @type {Hint} */
    const told = await get(`/api/v1/hint${of(state)}`);
    if (told.slots === undefined) return null; // the table had moved on
    if (!winning) return { told, preparing: false };
    return { told, preparing: win(told, await get(`/api/v1/odds${of(state)}`), state.active_player ?? 0) };
  };
  hint.asked.ask(
    key,
    ask,
    (answer) => {
      if (!answer) return hint.asked.forget(); // it is asked anew where this comes back
      Object.assign(hint, { key, told: answer.told, fault: "" });
      draw();
      if (answer.preparing) later(key, state, draw);
    },
    (error) => {
      Object.assign(hint, { key, told: null, fault: passing(error) ? "" : error.message });
      if (passing(error)) hint.asked.again(AGAIN_MS, draw);
      draw();
    },
  );
}

const AGAIN_MS = 3000;
/** Whether the hint comes later. @param {unknown} error */
const passing = (error) => error instanceof Refused && ["advice/preparing", "line/cut"].includes(error.code);

/** @param {string} key @param {State} state @param {() => void} draw */
function later(key, state, draw) {
  setTimeout(async () => {
    if (hint.key !== key || !hint.told) return;
    try {
      if (win(hint.told, await get(`/api/v1/odds${of(state)}`), state.active_player ?? 0)) later(key, state, draw);
      else if (hint.key === key) draw();
    } catch (error) {
      if (passing(error)) later(key, state, draw); // else the hint is as good without it
    }
  }, AGAIN_MS);
}

const RARE = 0.001; // chances to win below this are not spoken of

// Adds what is known of the chance to win; true while it is being worked out.
/** @param {Hint} told @param {Api.TableOdds} odds @param {number} player */
function win(told, odds, player) {
  if (odds.words) told.words = odds.words;
  if (odds.chances.length < 2) return Boolean(odds.message) && !odds.chances.length;
  if ((odds.chances[player] ?? 0) < RARE) return false;
  told.chance = odds.chances[player];
  told.error = odds.errors[player];
  told.exact = odds.exact;
  told.choices = [...odds.holds, ...odds.boxes].sort((one, other) => other.chance - one.chance).slice(0, 6);
  return false;
}

const HALF = 0.005; // of one per cent: a smaller error would be written as 0%

/** @param {Hint} hint @param {number} chance */
const share = (hint, chance) => {
  if (hint.error && hint.error >= HALF) return t("page/hint/chance_about", { share: chance, error: hint.error });
  return hint.exact ? t("page/hint/chance_exact", { share: percent(chance, 1) }) : t("page/hint/chance", { share: chance });
};

/** The hint in words, with what the choice costs that looks better. @param {Hint | null} hint */
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
 * One line above the dice, for who asked; its place is kept through the turn of who always does.
 * @param {State} state @param {PublicRoom} room @param {Api.You | null} you
 */
export function line(state, room, you) {
  const fault = hint.key === position(state) && hint.fault;
  if (wanted(state, room, you)) return sentence(current(state)) || h("p.hint", { key: "hint" }, fault || t("page/hint/working"));
  return enabled(state, room) && sees(state, you) ? h("p.hint", { key: "hint", "aria-hidden": "true" }, "\u00a0") : null;
}

const LONG_MS = 600;
let timer = 0;
let long = false; // the press of the bulb under way has lasted that long

/**
 * The bulb: a tap says what is best now, another one compares what each choice costs; a long press keeps it on for whose turn it is.
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

/** @type {{ asked: Question, game: number, chances: number[] }} */
const odds = { asked: new Question(), game: 0, chances: [] };

// Chances to win, one for each player; none while they are not known.
/** @param {State} state @param {() => void} draw @returns {number[]} */
export function chances(state, draw) {
  if (state.finished || state.players.length < 2 || state.active_player === null) return [];
  const key = position(state) + JSON.stringify(wayOf(state)?.faces(state));
  if (odds.game !== state.game) Object.assign(odds, { game: state.game, chances: [] });
  odds.asked.ask(
    key,
    () => get("/api/v1/odds"),
    (/** @type {Api.TableOdds} */ { chances: found, message }) => {
      odds.chances = found;
      if (!found.length && message) odds.asked.again(10000, draw);
      draw();
    },
    (error) => {
      if (passing(error)) odds.asked.again(AGAIN_MS, draw);
      else odds.chances = [];
    },
  );
  return odds.chances.length === state.players.length ? odds.chances : [];
}
