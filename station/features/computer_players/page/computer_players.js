// Computer players: how strong one is, what it has decided in its turn, and why, and the button that carries it out.

import { button, h } from "./dom.js";
import { number, t } from "./words.js";
import { list } from "./choices.js";

/** @type {`${NonNullable<Api.PlayerAsked["computer"]>}`[]} */
const STRENGTHS = ["perfect", "to-win", "75", "50", "25", "0"];

/** How strong a computer player is, with what it gives away where that was measured.
 * @param {string} strength @param {Api.RulesShape | undefined} rules */
function told(strength, rules) {
  const points = rules?.given_away[strength];
  const plain = t(`page/lobby/computer/${strength}`);
  return points === undefined ? plain : t("page/lobby/computer/gives_away", { plain, points: number(points) });
}

/** Whether it may be carried out here. @param {State} state */
const may = ({ commands }) => commands.includes("computer_move");

/** Whether it has said what it keeps and only its throw is missing. @param {State} state */
const held = ({ computer, dice }) =>
  computer?.box === null &&
  computer.keeps.join() ===
    dice
      .filter((item) => item.held)
      .map((item) => item.slot)
      .join();

/** That the station drew the dice for it, and what it has decided. @param {State} state */
const shown = ({ active_player: seat, computer, dice_drawn: drawn, players }) => [
  drawn && players[seat ?? -1]?.computer ? h("p.drawn", { key: "drawn" }, t("page/computer/drawn")) : null,
  computer ? h("p.why-computer", { key: "decided" }, h("b", t("page/computer/why"), " "), computer.why) : null,
];

/** @type {PagePart} */
export const part = {
  nobody: ({ computer }) => Boolean(computer),
  keeps: ({ computer }) => computer?.keeps,
  goesOn: may,
  television: shown,
  turn(state, { command }) {
    const says = shown(state);
    if (!may(state) && !says.some(Boolean)) return null;
    return h(
      "div.computer",
      { key: "computer" },
      says,
      may(state)
        ? button(
            "first",
            t(state.computer && !held(state) ? "page/computer/carry_out" : "page/computer/draw"),
            () => command?.("computer_move"),
            {
              key: "carry-out",
            },
          )
        : null,
    );
  },
  seat: {
    column: { label: t("page/lobby/computer/add"), name: t("page/lobby/computer/name"), said: { computer: "75" } },
    nobody: ({ computer }) => Boolean(computer),
    seed: ({ computer }) => (computer ? { computer } : {}),
    form: ({ column, index, say }, { rules }) =>
      column.computer
        ? list(
            { class: "way", "aria-label": t("page/lobby/computer/strength_of", { n: index + 1 }) },
            column.computer,
            STRENGTHS.map((strength) => [strength, told(strength, rules)]),
            (computer) => say({ computer }),
          )
        : null,
    asks: ({ column: { computer } }) => (computer ? { computer: /^\d+$/.test(computer) ? Number(computer) : computer } : {}),
  },
};
