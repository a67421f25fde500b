// A game in two homes: before which station somebody throws, and what was thrown there.

import { h } from "./dom.js";
import { t } from "./words.js";
import { list } from "./choices.js";

/** That both stations drew the dice of who has no tray. @param {State} state */
const drawn = ({ active_player: seat, dice_drawn: shown, players }) =>
  shown && players[seat ?? -1]?.without_tray ? h("p.drawn", { key: "drawn" }, t("page/homes/drawn")) : null;

/** The picture of a die of another home. @param {string} pictures @param {number} slot */
export const pictureOf = (pictures, slot) => `/api/v1/die.jpg?slot=${slot}&pictures=${pictures}`;

/** Fetched when the first of them is to be shown. @type {typeof import("./last_throws.js") | null} */
let throws = null;

const quiet = () => {}; // what is as well left out

/** Whether everybody plays at once by these rules. @param {object | null | undefined} rules */
const together = (rules) => Boolean(rules && "together" in rules && rules.together);

/** @type {PagePart} */
export const part = {
  elsewhere: ({ players, commands }) => players.some((player) => player.home) && !commands.includes("enter_roll"),
  throwsBy: ({ commands }) => (commands.includes("draw_roll") ? "draw_roll" : null),
  // That of whoever throws now, where its pictures are shown.
  picture({ active_player: seat, players, trays }, slot) {
    const home = players[seat ?? -1]?.home ?? null;
    const pictures = trays.find((tray) => tray.elsewhere && tray.home === home && tray.pictures)?.pictures;
    return pictures ? pictureOf(pictures, slot) : null;
  },
  seen(state, before) {
    if (state.dice_drawn) import("./drawn_throw.js").then((drawn) => drawn.watch(state, before), quiet);
  },
  facts(state, { draw, command }) {
    if (!state.trays.length) return null;
    if (!throws)
      import("./last_throws.js").then((each) => {
        throws = each;
        draw();
      }, quiet);
    return throws?.lastThrows(state, command);
  },
  television: drawn,
  turn: (state) => (drawn(state) ? h("div.computer", { key: "drawn" }, drawn(state)) : null),
  seat: {
    // The station there, with a slash behind it where there is no tray.
    seed: ({ home, without_tray }) => (home ? { home: without_tray ? `${home}/` : home } : {}),
    drawn: ({ home = "" }) => home.endsWith("/"),
    form({ name, column, index, nobody, say }, { rules, state: { homes } }) {
      if (together(rules) || !name || !homes.length || nobody) return null;
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
    fields({ column, nobody }, { rules, state }) {
      const [home, ...without] = (column.home ?? "").split("/");
      if (together(rules) || nobody || !state.homes.includes(home)) return {};
      return { home, ...(without.length ? { without_tray: true } : {}) };
    },
  },
};
