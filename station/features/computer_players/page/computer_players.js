// Computer players: their strength, the decision in their turn with its reason, and the button that plays it.

import { button, h } from "./dom.js";
import { number, t } from "./words.js";
import { list } from "./choices.js";

/** @type {`${NonNullable<Api.PlayerAsked["computer"]>}`[]} */
const STRENGTHS = ["perfect", "to-win", "75", "50", "25", "0"];

/** A computer player's strength in words, with the points it gives away where that was measured.
 * @param {string} strength @param {Api.RulesShape | undefined} rules */
function strengthLabel(strength, rules) {
  const points = rules?.given_away[strength];
  const plain = t(`page/lobby/computer/${strength}`);
  return points === undefined ? plain : t("page/lobby/computer/gives_away", { plain, points: number(points) });
}

/** Whether this screen may play its move. @param {State} state */
const may = ({ commands }) => commands.includes("computer_move");

/** Whether the dice it keeps are already held and only its throw is missing. @param {State} state */
const readyToThrow = ({ computer, dice }) =>
  computer?.box === null &&
  computer.keeps.join() ===
    dice
      .filter((item) => item.held)
      .map((item) => item.slot)
      .join();

/** A note that the station drew its dice, and its decision. @param {State} state */
const notes = ({ active_player: seat, computer, dice_drawn: drawn, players }) => [
  drawn && players[seat ?? -1]?.computer ? h("p.drawn", { key: "drawn" }, t("page/computer/drawn")) : null,
  computer ? h("p.why-computer", { key: "decided" }, h("b", t("page/computer/why"), " "), computer.why) : null,
];

/** @type {PagePart} */
export const part = {
  nobody: ({ computer }) => Boolean(computer),
  keeps: ({ computer }) => computer?.keeps,
  goesOn: may,
  television: notes,
  turn(state, { command }) {
    const lines = notes(state);
    if (!may(state) && !lines.some(Boolean)) return null;
    return h(
      "div.computer",
      { key: "computer" },
      lines,
      may(state)
        ? button(
            "first",
            t(state.computer && !readyToThrow(state) ? "page/computer/carry_out" : "page/computer/draw"),
            () => command?.("computer_move"),
            {
              key: "carry-out",
            },
          )
        : null,
    );
  },
  seat: {
    column: { label: t("page/lobby/computer/add"), name: t("page/lobby/computer/name"), fields: { computer: "75" } },
    nobody: ({ computer }) => Boolean(computer),
    seed: ({ computer }) => (computer ? { computer } : {}),
    form: ({ column, index, say }, { rules }) =>
      column.computer
        ? list(
            { class: "way", "aria-label": t("page/lobby/computer/strength_of", { n: index + 1 }) },
            column.computer,
            STRENGTHS.map((strength) => [strength, strengthLabel(strength, rules)]),
            (computer) => say({ computer }),
          )
        : null,
    fields: ({ column: { computer } }) => (computer ? { computer: /^\d+$/.test(computer) ? Number(computer) : computer } : {}),
  },
};
