// Ten dice, two boxes: chooses the five dice for the tapped box, and the box for the other five.

import { button, byId, failure, h } from "./dom.js";
import { choices } from "./choices.js";
import { die } from "./dice.js";
import { number, t } from "./words.js";
import { get, failureOf } from "./api.js";
import * as dialogs from "./dialogs.js";

/** @param {string} category @param {{ second?: string | null, slots?: number[] }} wanted @returns {Promise<Api.TwoBoxes>} */
function ask(category, { second, slots }) {
  const words = new URLSearchParams({ category, ...(second && { second }), ...(slots && { slots: slots.join(",") }) });
  return get(`/api/v1/split?${words}`);
}

// Starts with the best split; a tap on a die changes its group, a tap on a box the second box. `command` sends the version
// of `state`; the second box is sent with the version after the first.
/** @param {State} state @param {string} category @param {Command} command */
export async function open(state, category, command) {
  /** @param {string} id */
  const label = (id) => state.categories.find((row) => row.category === id)?.label || id;
  /** @type {Record<number, number>} */
  const faces = Object.fromEntries(state.dice.map((item) => [item.slot, item.face]));
  let way = await ask(category, {});
  if (document.querySelector("dialog[open]")) return; // opened meanwhile: keep what is typed there
  const size = way.slots.length; // of a box, in dice
  let { slots, second } = way; // as tapped; `way` follows with the response
  let own = false; // whether a person chose the dice: another second box then keeps them
  let fault = "";
  let requests = 0;
  dialogs.open(
    t("page/split/title"),
    (draw, close) => {
      /** @param {{ second?: string | null, slots?: number[] }} wanted */
      const renew = async (wanted) => {
        requests += 1;
        const mine = requests;
        try {
          const next = await ask(category, wanted);
          if (mine !== requests) return;
          [way, slots, second, fault] = [next, next.slots, next.second, ""];
        } catch (error) {
          fault = failureOf(error).message;
          if (mine === requests) second = way.second;
        }
        draw();
      };
      /** @param {number} slot */
      const move = (slot) => {
        slots = slots.includes(slot) ? slots.filter((other) => other !== slot) : [...slots, slot].sort((a, b) => a - b);
        own = true;
        requests += 1; // drops the response on its way, which is for other dice
        draw();
        if (slots.length === size) renew({ second, slots });
      };
      /** @param {string} chosen */
      const pick = (chosen) => {
        second = chosen;
        draw();
        return own && slots.length === size ? renew({ second, slots }) : renew({ second });
      };
      const known = second === way.second && slots.length === size && slots.every((slot) => way.slots.includes(slot));
      const other = way.others.find((each) => each.category === way.second);
      /** @param {boolean} chosen */
      const group = (chosen) =>
        state.dice
          .filter((item) => slots.includes(item.slot) === chosen)
          .map((item) => item.face)
          .sort()
          .join(" ");
      const take = async () => {
        close();
        const after = await command("score_box", { category, slots });
        if (after && way.second) await command("score_box", { category: way.second, version: after.version });
      };
      return [
        h("p.lead", t("page/split/how", { label: label(category) })),
        h(
          "ul.dice.ten.two-boxes",
          { "aria-label": t("page/split/dice", { label: label(category) }) },
          state.dice.map(({ slot }) => {
            const mine = slots.includes(slot);
            return h(
              "li",
              { class: `slot${mine ? " mine" : ""}`, key: slot },
              h(
                "button.hold",
                {
                  "data-slot": slot,
                  "data-group": mine ? 1 : 2,
                  "aria-pressed": mine ? "true" : "false",
                  "aria-label": t("page/common/die_shows", { slot, face: faces[slot] }),
                  onclick: () => move(slot),
                },
                die(faces[slot], { label: "" }),
              ),
            );
          }),
        ),
        h(
          "dl.groups",
          { "aria-live": "polite" },
          h(
            "div",
            h("dt", h("i.group", { "aria-hidden": "true" }, "1"), " ", label(category)),
            h("dd", group(true), " ", h("b", known ? number(way.points) : "…")),
          ),
          h(
            "div",
            h("dt", h("i.group", { "aria-hidden": "true" }, "2"), " ", second ? label(second) : ""),
            h("dd", group(false), " ", h("b", known && other ? number(other.points) : "…")),
          ),
        ),
        way.others.length
          ? choices(
              "second",
              t("page/split/second"),
              second,
              way.others.map((each) => [each.category, [label(each.category), known ? h("b", number(each.points)) : null]]),
              pick,
            )
          : null,
        failure(fault),
        h(
          "div.steps.bottom",
          button("quiet", t("page/split/best"), () => {
            own = false;
            renew({ second });
          }),
          h(
            "button.first",
            { disabled: !known, onclick: take },
            !known
              ? t("page/split/choose", { n: slots.length })
              : other
                ? t("page/split/score_both", { points: number(way.points), others: number(other.points) })
                : t("page/split/score", { points: number(way.points) }),
          ),
        ),
      ];
    },
    "middle",
  );
  /** @type {HTMLElement | null} */ (byId("dialog").querySelector(".hold"))?.focus();
}
