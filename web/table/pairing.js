// The game that a club's board has assigned to this table: its players sit down, and one tap starts it.

import { button, h } from "./dom.js";
import { t } from "./words.js";
import * as lobby from "./lobby.js";

/** Whether it is still to be played: after it, the board may take a moment to note that. @param {State} state @param {Api.Pairing | null | undefined} pairing */
export const waits = (state, pairing) =>
  Boolean(pairing) && !(state.finished && pairing?.players.join("\n") === state.players.map(({ name }) => name).join("\n"));

/** @param {Api.Pairing} pairing @param {(game: object) => unknown} start @param {() => void} draw */
export function card(pairing, start, draw) {
  const { players, title, round } = pairing;
  return h(
    "div.pairing",
    { key: "pairing" },
    h("p.aside", t("page/pairing/told", { title, round })),
    h(
      "p.pair",
      { translate: "no" },
      players.map((name) => h("b", { key: name }, name)),
    ),
    lobby.whichRules(({ players_min: least, players_max: most }) => least <= players.length && players.length <= most, draw),
    button("first wide", t("page/lobby/start"), () => start({ players, rules: lobby.rules() })),
  );
}
