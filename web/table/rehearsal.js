// The first sheet of a game, drawn once beforehand and unseen: while people still type their names the browser makes
// its scripts ready, shapes the letters and fetches the signs, and the real one does not wait for that.

import { byId, paint } from "./dom.js";
import * as sheet from "./sheet.js";

/** A sheet of one player who has thrown, one box filled and one open in each half. @param {State} state @returns {State} */
function sample(state) {
  const box = { category: "filled", section: "upper", label: "Aa 1", row: "Aa 1" };
  const categories = [box, { ...box, category: "open" }, { ...box, category: "lower", section: "lower" }];
  const points = { upper: 1, total: 1, extra: 0, bonus: 0, missing_for_bonus: 1 };
  const given = { boxes: { filled: 1 }, potentials: { open: 1, lower: 0 } };
  const players = [{ name: "★ ↶ Aa", gone: false, ...points, ...given }];
  const shown = { active_player: 0, players, winners: [], sums: [], columns: [], categories, dice: [], phase: "throwing" };
  return /** @type {State} */ (/** @type {unknown} */ ({ ...state, ...shown }));
}

/** What a phone or a tablet begins with. @param {State} state */
const sheets = (state) => [sheet.tiles(state, 0, { onScore: () => {} }), sheet.table(state, { onWhy: () => {} })];

/** @param {State} state @param {(sample: State) => Children} drawn */
function draw(state, drawn) {
  const place = document.createElement("div");
  place.className = "vh";
  place.inert = true;
  paint(place, drawn(sample(state)));
  byId("main").append(place);
  place.getBoundingClientRect(); // lays it out, and asks for its typefaces
  place.remove();
}

const REST_MS = 1500; // where a browser does not tell when it has nothing to do

/**
 * In a lobby, as soon as the browser has nothing else to do; not in a game that began before.
 * @param {{ state: State | null }} page @param {(sample: State) => Children} drawn: what a game begins with
 */
export function rehearse(page, drawn = sheets) {
  /** @type {(work: () => void) => unknown} */
  const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, REST_MS));
  idle(() => {
    if (page.state?.phase === "lobby") draw(page.state, drawn);
  });
}
