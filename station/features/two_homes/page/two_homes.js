// A game in two homes: before which station somebody throws.

import { h } from "./dom.js";
import { t } from "./words.js";
import { list } from "./choices.js";

/** That both stations drew the dice of who has no tray. @param {State} state */
const drawn = ({ active_player: seat, dice_drawn: shown, players }) =>
  shown && players[seat ?? -1]?.without_tray ? h("p.drawn", { key: "drawn" }, t("page/homes/drawn")) : null;

/** @type {PagePart} */
export const part = {
  television: drawn,
  turn: (state) => (drawn(state) ? h("div.computer", { key: "drawn" }, drawn(state)) : null),
  seat: {
    // The station there, with a slash behind it where there is no tray.
    seed: ({ home, without_tray }) => (home ? { home: without_tray ? `${home}/` : home } : {}),
    drawn: ({ home = "" }) => home.endsWith("/"),
    form({ name, column, index, nobody, say }, { rules, state: { homes } }) {
      if (rules?.together || !name || !homes.length || nobody) return null;
      /** @type {(home: string) => Labelled[]} */
      const there = (home) => [
        [home, t("page/lobby/home/there", { home })],
        [`${home}/`, t("page/lobby/home/drawn", { home })],
      ];
      return list(
        { class: "way home", "aria-label": t("page/lobby/home/of", { n: index + 1 }) },
        column.home ?? "",
        [["", t("page/lobby/home/here")], ...homes.flatMap(there)],
        (home) => say({ home }),
      );
    },
    asks({ column, nobody }, { rules, state }) {
      const [home, ...without] = (column.home ?? "").split("/");
      if (rules?.together || nobody || !state.homes.includes(home)) return {};
      return { home, ...(without.length ? { without_tray: true } : {}) };
    },
  },
};
