// All players' chances to win as one bar, live over the whole game. Empty until they are computed.

import { h } from "./dom.js";
import { percent, t } from "./words.js";
import * as hints from "./hints.js";

const LONG = 8; // letters of a name that fit in half a line

/** @param {State} state @param {() => void} draw */
export function odds(state, draw) {
  const chances = hints.chances(state, draw);
  const there = state.players.map((player, seat) => ({ ...player, seat })).filter((player) => !player.gone);
  if (there.length < 2 || !chances.length) return h("div.tv-odds", { key: "odds" });
  // Parts of the bar are clipped, not laid out: they move during animations without a new layout of the page.
  const ends = there.map((_, index) => there.slice(0, index + 1).reduce((sum, { seat }) => sum + (chances[seat] ?? 0), 0));
  /** @param {number} share */
  const edge = (share) => `${(100 * Math.min(share, 1)).toFixed(2)}%`;
  const wide = Math.max(...there.map(({ name }) => name.length)) > LONG;
  const columns =
    there.length > 8 ? " three low" : there.length > 6 ? " two low" : there.length > 4 || (there.length > 3 && !wide) ? " two" : "";
  return h(
    "div",
    { class: `tv-odds${columns || (there.length > 3 ? " low" : "")}`, key: "odds", role: "group", "aria-label": t("page/common/chance") },
    h("p", t("page/common/chance")),
    h(
      "span.odds-bar",
      { "aria-hidden": "true" },
      there.map(({ seat }, index) =>
        h("i", { key: seat, class: `seat-${seat}`, vars: { "--from": edge(index ? ends[index - 1] : 0), "--to": edge(ends[index]) } }),
      ),
    ),
    h(
      "ul",
      there.map(({ seat, name }) =>
        h(
          "li",
          { key: seat, class: seat === state.active_player ? "of-turn" : "" },
          h("span", { class: `odds-key seat-${seat}`, "aria-hidden": "true" }),
          h("span.odds-name", { translate: "no", title: name }, name),
          h("b", percent(chances[seat])),
        ),
      ),
    ),
  );
}
