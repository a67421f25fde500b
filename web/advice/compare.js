// The cost of each choice in a turn, in points and in the chance to win, and the switch for the player's hints.

import { failure, h } from "./dom.js";
import { number, percent, t } from "./words.js";
import { faultOf } from "./api.js";
import { tick } from "./choices.js";
import * as dialogs from "./dialogs.js";
import * as hints from "./hints.js";

/** A key that is equal for the same choice from hint and odds. @param {Partial<Api.HintOption> & { category?: string }} choice */
const sameAs = ({ hold, box, category }) => JSON.stringify(hold ?? box ?? category);

/**
 * @param {State} state @param {Hint} hint @param {string} name: whose turn it is @param {() => boolean} on: whether hints are switched on
 * @param {(on: boolean) => Promise<unknown>} keep
 */
export function open(state, hint, name, on, keep) {
  let fault = "";
  /** @param {Api.HintOption} option */
  const words = ({ hold, box }) => {
    if (box)
      return box
        .split("+")
        .map((id) => state.categories.find((row) => row.category === id)?.label || id)
        .join(" + ");
    return hold?.length ? t("page/hint/keep", { dice: hold.join("-") }) : t("page/hint/throw_all");
  };
  dialogs.open(t("page/hint/compare"), (draw) => {
    const chances = new Map((hint.choices || []).map((each) => [sameAs(each), each.chance]));
    return [
      hints.sentence(hint),
      h(
        "table.choices-odds",
        h("caption.vh", t("page/hint/compare")),
        h(
          "thead",
          h(
            "tr",
            h("td"),
            h("th", { scope: "col" }, t("page/hint/points")),
            chances.size ? h("th", { scope: "col" }, t("page/hint/to_win")) : null,
          ),
        ),
        h(
          "tbody",
          (hint.options || []).map((option) => {
            const chance = chances.get(sameAs(option));
            return h(
              "tr",
              { key: sameAs(option) },
              h("th", { scope: "row" }, words(option)),
              h("td", option.less ? t("page/hint/less", { points: number(option.less, option.less < 0.1 ? 2 : 1) }) : t("page/hint/best")),
              chances.size ? h("td", chance === undefined ? "" : percent(chance, 1)) : null,
            );
          }),
        ),
      ),
      tick(`${name}: ${t("page/hint/mine")}`, on(), async (wish) => {
        fault = await faultOf(() => keep(wish));
        draw();
      }),
      failure(fault),
    ];
  });
}
