// The sign and colour that somebody has chosen, before the name. charts.py draws the same on the pages of the past.

import { h } from "./dom.js";

/** @type {Record<string, string>} */
const SIGNS = {
  circle: "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0",
  square: "M-7-7h14v14h-14z",
  triangle: "M0-8l8.5 15h-17z",
  diamond: "M0-9.5l8 9.5l-8 9.5l-8-9.5z",
  star: "M0-9.5l2.7 6.2l6.8.6l-5.1 4.5l1.5 6.6l-5.9-3.5l-5.9 3.5l1.5-6.6l-5.1-4.5l6.8-.6z",
  heart: "M0 8.5l-7-7a4.6 4.6 0 0 1 7-6a4.6 4.6 0 0 1 7 6z",
  cross: "M-3-8.5h6v5.5h5.5v6h-5.5v5.5h-6v-5.5h-5.5v-6h5.5z",
  moon: "M3-8.5a8.5 8.5 0 1 0 5 12a7 7 0 0 1-5-12z",
};

/** Nothing for who has not chosen. @param {PublicRoom} room @param {string} name */
export function badge(room, name) {
  const mine = room.profiles?.find((each) => each.name === name);
  return mine
    ? h(
        "svg",
        { class: `own-sign own-${mine.colour}`, viewBox: "-10 -10 20 20", "aria-hidden": "true" },
        h("path", { d: SIGNS[mine.sign] }),
      )
    : null;
}
