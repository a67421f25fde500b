// Announced boxes: the player names the box of the turn after the first throw.

import { h } from "./dom.js";
import { t } from "./words.js";
import * as dialogs from "./dialogs.js";

/** @param {State} state @param {string} category */
const label = (state, category) => state.categories.find((row) => row.category === category)?.row ?? category;

/** The button that opens the choice; none where nothing can be announced. @param {State} state @param {PartTools} tools */
function step(state, { hint, dialogCommand }) {
  if (!dialogCommand || !state.commands.includes("announce_box") || !state.may_announce.length) return null;
  const best = hint?.announce;
  const open = () => {
    const answer = dialogCommand();
    dialogs.open(
      t("page/announcing/title"),
      (_draw, close) => [
        h("p.lead", t("page/announcing/how")),
        h(
          "div.which-boxes",
          state.may_announce.map((category) =>
            h(
              "button.second",
              {
                key: category,
                "data-category": category,
                "aria-pressed": String(category === state.announced_box),
                onclick: () => {
                  close();
                  answer("announce_box", { category });
                },
              },
              category === best ? h("span", { "aria-hidden": "true" }, "★ ") : null,
              label(state, category),
              category === best ? h("span.vh", `, ${t("page/sheet/best")}`) : null,
            ),
          ),
        ),
      ],
      "middle",
    );
  };
  return h(
    "button.quiet",
    { key: "announce", onclick: open },
    best && !state.announced_box ? h("span", { "aria-hidden": "true" }, "★ ") : null,
    state.announced_box ? t("page/announcing/another", { label: label(state, state.announced_box) }) : t("page/announcing/title"),
  );
}

/** @type {PagePart} */
export const part = { bound: (state) => state.announced_box, steps: step };
