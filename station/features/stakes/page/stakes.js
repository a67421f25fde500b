// The stakes of a game, and who owes whom at its end.

import { h } from "./dom.js";
import { number, t } from "./words.js";
import { field } from "./choices.js";

const NOTHING = { per_point: "", big_general: "", currency: "" };

/** A decimal comma becomes a point. @param {string} text */
const exact = (text) => text.trim().replace(",", ".");

/** @type {PagePart} */
export const part = {
  end: ({ settlement }) =>
    settlement.length
      ? h(
          "ul.settlement",
          { key: "settlement", "aria-label": t("page/tray/settlement") },
          settlement.map((each) => h("li", { key: `${each.from}-${each.to}` }, each.told)),
        )
      : null,
  game: {
    seed(options, { stakes }, rules) {
      // A game for nothing clears the stakes of the game before; rules without stakes leave them alone.
      if (stakes || rules?.big_general) Object.assign(options, { ...NOTHING, ...stakes });
    },
    form({ rules, options }) {
      if (!rules?.big_general) return null;
      /** @param {keyof NOTHING} name @param {Props} props */
      const stake = (name, props) =>
        field(`stakes-${name}`, t(`page/lobby/stakes/${name}`), {
          value: options[name] ?? "",
          ...props,
          oninput: (event) => {
            options[name] = event.currentTarget.value;
          },
        });
      const amount = { inputmode: "decimal", maxlength: 11, placeholder: number(0.05, 2) };
      return h(
        "fieldset.stakes",
        h("legend", t("page/lobby/stakes/title")),
        h("p.aside", t("page/lobby/stakes/aside")),
        h(
          "div.fields",
          stake("per_point", amount),
          stake("big_general", { ...amount, placeholder: "5" }),
          stake("currency", { maxlength: 4, placeholder: "€" }),
        ),
      );
    },
    fields({ rules, options }) {
      const { per_point, big_general, currency } = { ...NOTHING, ...options };
      if (!rules?.big_general || !(per_point.trim() || big_general.trim())) return {};
      const general = big_general.trim() ? { big_general: exact(big_general) } : {};
      return { stakes: { per_point: exact(per_point) || "0", ...general, currency: currency.trim() } };
    },
  },
};
