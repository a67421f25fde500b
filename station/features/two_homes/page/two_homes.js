// A game in two homes: the home of each player, and the throws there.

import { h } from "./dom.js";
import { t } from "./words.js";
import { list } from "./choices.js";

/** A note that both stations drew the dice of a player without a tray. @param {State} state */
const drawnNote = ({ active_player: seat, dice_drawn: drawn, players }) =>
  drawn && players[seat ?? -1]?.without_tray ? h("p.drawn", { key: "drawn" }, t("page/homes/drawn")) : null;

/** The address of the picture of another home's die. @param {string} pictures @param {number} slot */
export const pictureOf = (pictures, slot) => `/api/v1/die.jpg?slot=${slot}&pictures=${pictures}`;

/** Loaded with the first throw. @type {typeof import("./last_throws.js") | null} */
let throws = null;

const quiet = () => {}; // the page works without it

/** Whether all play at once under these rules. @param {object | null | undefined} rules */
const together = (rules) => Boolean(rules && "together" in rules && rules.together);

/** @type {PagePart} */
export const part = {
  elsewhere: ({ players, commands }) => players.some((player) => player.home) && !commands.includes("enter_roll"),
  throwsBy: ({ commands }) => (commands.includes("draw_roll") ? "draw_roll" : null),
  // From the home of the player whose turn it is, if it shares pictures.
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
  television: drawnNote,
  turn: (state) => (drawnNote(state) ? h("div.computer", { key: "drawn" }, drawnNote(state)) : null),
  seat: {
    // The name of the other station, followed by a slash if the player has no tray there.
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
