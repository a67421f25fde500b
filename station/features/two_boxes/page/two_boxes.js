// Ten dice, two boxes a turn: five dice go into each, and the hold buttons act for five at a time.

import { button, h } from "./dom.js";
import { t } from "./words.js";

/** @type {PagePart} */
export const part = {
  boxes: (state) => state.boxes_per_turn,
  choose: (state, { category }, dialogCommand) =>
    state.boxes_per_turn > 1 && state.dice.length > 5 // enough dice for a second box
      ? import("./split.js").then((split) => split.open(state, category, dialogCommand()))
      : null,
  buttonsFrom: ({ bank }) => 5 * (bank - 1) + 1,
  buttons: ({ commands }, { inTurn, command }) =>
    commands.includes("change_bank")
      ? button("hold-button", h("span", { "aria-hidden": "true" }, "⇄"), () => inTurn?.(() => command?.("change_bank")), {
          key: "bank",
          "aria-label": t("page/tray/bank"),
        })
      : null,
};
