// Draws the first sheet of a game once, invisibly, while people still type their names: the browser compiles the scripts and
// loads typefaces and signs, so that the real sheet appears at once.

import { byId, paint } from "./dom.js";
import * as sheet from "./sheet.js";

/** A sheet of one player who has thrown, one box filled and one open in each half. @param {State} state @returns {State} */
function sample(state) {
  const box = { category: "filled", section: "upper", label: "Aa 1", row: "Aa 1" };
  const categories = [box, { ...box, category: "open" }, { ...box, category: "lower", section: "lower" }];
  const points = { upper: 1, total: 1, extra: 0, bonus: 0, missing_for_bonus: 1 };
  const given = { boxes: { filled: 1 }, potentials: { open: 1, lower: 0 } };
  const players = [{ name: "★ ↶ Aa", gone: false, ...points, ...given }];
  const turn = { active_player: 0, players, winners: [], sums: [], columns: [], categories, dice: [], phase: "throwing" };
  return /** @type {State} */ (/** @type {unknown} */ ({ ...state, ...turn }));
}

/** The first sheets of a phone and of a tablet. @param {State} state */
const sheets = (state) => [sheet.tiles(state, 0, { onScore: () => {} }), sheet.table(state, { onWhy: () => {} })];

/** @param {State} state @param {(sample: State) => Children} drawn */
function draw(state, drawn) {
  const place = document.createElement("div");
  place.className = "vh";
  place.inert = true;
  paint(place, drawn(sample(state)));
  byId("main").append(place);
  place.getBoundingClientRect(); // forces a layout, which requests the typefaces
  place.remove();
}

const REST_MS = 1500; // for browsers without requestIdleCallback

/**
 * Draws in a lobby when the browser is idle; not once a game has started.
 * @param {{ state: State | null }} page @param {(sample: State) => Children} drawn: the first sheets
 */
export function rehearse(page, drawn = sheets) {
  /** @type {(work: () => void) => unknown} */
  const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, REST_MS));
  idle(() => {
    if (page.state?.phase === "lobby") draw(page.state, drawn);
  });
}
