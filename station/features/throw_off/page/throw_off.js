// The throw for who starts: every player rolls one die.

import { h } from "./dom.js";
import { t } from "./words.js";

/** @type {PagePart} */
export const part = {
  starter: { word: "throw", proposed: (rules) => rules.throws_for_start },
  facts({ phase, players }) {
    const thrown = phase === "starting" ? players.filter((player) => player.for_start.length && !player.gone) : [];
    if (!thrown.length) return null;
    return h(
      "ul.for-start",
      { "aria-label": t("page/tray/for_start") },
      thrown.map((player) =>
        h("li", { key: player.name }, h("span", { translate: "no" }, player.name), " ", h("b", player.for_start.join(" · "))),
      ),
    );
  },
};
