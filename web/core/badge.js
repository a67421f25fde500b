// The sign and colour that a player has chosen, before the name. The signs are in badges.svg.

import { h } from "./dom.js";

/** Null for a player who has not chosen any. @param {PublicRoom} room @param {string} name */
export function badge(room, name) {
  const mine = room.profiles?.find((each) => each.name === name);
  return mine
    ? h(
        "svg",
        { class: `own-sign own-${mine.colour}`, viewBox: "-10 -10 20 20", "aria-hidden": "true" },
        h("use", { href: `${new URL("./badges.svg", import.meta.url)}#${mine.sign}` }),
      )
    : null;
}
