// What is played for, and who owes whom in the end.

import { h } from "./dom.js";
import { number, t } from "./words.js";
import { field } from "./choices.js";

const NOTHING = { per_point: "", big_general: "", currency: "" };

/** As they are typed: decimals with a comma or a point; the station takes points. @param {string} text */
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
    seed(said, { stakes }, rules) {
      // Played for nothing, it leaves no stakes of a game before; one that knows none leaves them alone.
      if (stakes || rules?.big_general) Object.assign(said, { ...NOTHING, ...stakes });
    },
    form({ rules, said }) {
      if (!rules?.big_general) return null;
      /** @param {keyof NOTHING} name @param {Props} props */
      const stake = (name, props) =>
        field(`stakes-${name}`, t(`page/lobby/stakes/${name}`), {
          value: said[name] ?? "",
          ...props,
          oninput: (event) => {
            said[name] = event.currentTarget.value;
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
    asks({ rules, said }) {
      const { per_point, big_general, currency } = { ...NOTHING, ...said };
      if (!rules?.big_general || !(per_point.trim() || big_general.trim())) return {};
      const general = big_general.trim() ? { big_general: exact(big_general) } : {};
      return { stakes: { per_point: exact(per_point) || "0", ...general, currency: currency.trim() } };
    },
  },
};
