// A computer player's turn: what it has decided, why, and the button that carries it out.

import { h } from "./dom.js";
import { t } from "./words.js";

/** @param {State} state @param {() => unknown} carryOut */
export function panel(state, carryOut) {
  const may = state.commands.includes("computer_move");
  if (!state.computer && !state.dice_drawn && !may) return null;
  return h(
    "div.computer",
    { key: "computer" },
    drawn(state),
    decided(state),
    may
      ? h(
          "button.first",
          { key: "carry-out", onclick: carryOut },
          t(state.computer && !held(state) ? "page/computer/carry_out" : "page/computer/draw"),
        )
      : null,
  );
}

/** Whether it has said what it keeps and only its throw is missing. @param {State} state */
const held = ({ computer, dice }) =>
  computer?.box === null &&
  computer.keeps.join() ===
    dice
      .filter((item) => item.held)
      .map((item) => item.slot)
      .join();

/** That these dice were drawn by the station. @param {State} state */
export function drawn(state) {
  if (!state.dice_drawn) return null;
  const together = state.players[state.active_player ?? -1]?.without_tray;
  return h("p.drawn", { key: "drawn" }, together ? t("page/homes/drawn") : t("page/computer/drawn"));
}

/** @param {State} state */
export function decided(state) {
  return state.computer ? h("p.why-computer", { key: "decided" }, h("b", t("page/computer/why"), " "), state.computer.why) : null;
}
