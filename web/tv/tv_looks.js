// Other looks of the big screen, by its address: ?look=bar is a line over a stream, its ground transparent; ?look=paper is
// for e-ink, black on white and nothing moves; ?night=22-7 dims it between these hours.

import { h } from "./dom.js";
import { during } from "./prefs.js";
import { number } from "./words.js";
import * as dice from "./tv_dice.js";
import * as hints from "./hints.js";

export const isBar = document.body.classList.contains("look-bar");
export const isPaper = document.body.classList.contains("look-paper");

/** Dim while it is night. */
export const dim = () => document.body.classList.toggle("night", during(document.body.dataset.night || ""));

/** The bar over a stream: the dice, and every player's total and chance. @param {State} state @param {PublicRoom} room @param {() => void} draw */
export function bar(state, room, draw) {
  const chances = state.finished ? [] : hints.chances(state, draw);
  return h(
    "div.bar",
    { key: "bar" },
    state.finished || state.phase === "lobby" ? null : dice.board(state, room, false),
    h(
      "ul",
      state.players.map(
        (player, seat) =>
          !player.gone &&
          h(
            "li",
            { key: seat, class: `seat-${seat}${seat === state.active_player ? " of-turn" : ""}`, vars: { "--share": chances[seat] ?? 0 } },
            h("span.bar-name", { translate: "no", title: player.name }, player.name),
            h("b", number(player.total)),
            h("i", { "aria-hidden": "true" }),
          ),
      ),
    ),
  );
}
