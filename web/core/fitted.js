// Names and labels in narrow columns: smaller letters for long words, then a shortened word, never a torn one. A word
// with hyphens may go on in the next line after each of them, so it is as long as the longest of its parts.

import { h } from "./dom.js";

const PART = /[^\s\u2010-]+[\u2010-]?/g;
const NAME_LINES = 2; // that a column has for a name
const LONG = 6; // letters that fit in the narrowest column
const SIGN = 2; // letters that a sign takes the room of, to stand in the line of the first word

/** How many letters the longest part of a text has that stands in one line. @param {string} text @param {boolean} own @param {number} sign */
export function room(text, own, sign = 0) {
  const parts = (text.match(PART) || []).map((part, index) => part.length + (index ? 0 : sign));
  return Math.max(1, ...parts, own && parts.length > NAME_LINES ? Math.ceil((text.length + sign) / NAME_LINES) : 0);
}

/**
 * A text whose words stand whole, as large as their column lets them; the whole of it is its title.
 * @param {string} text @param {{ class?: string, before?: Child | null, own?: boolean }} looks: `own` where it is nobody's to translate
 */
export function fitted(text, { class: kind = "", before = null, own = false } = {}) {
  const words = text.split(/\s+/).filter(Boolean);
  const longest = room(text, own, before ? SIGN : 0);
  return h(
    "span",
    {
      class: `fit ${kind}${longest > LONG ? " wordy" : ""}`,
      title: text,
      translate: own ? "no" : null,
      vars: { "--longest": longest },
    },
    h(
      "span.fit-words",
      words.map((word, index) => [index ? " " : "", h("span.word", { key: index }, index ? null : before, word)]),
    ),
  );
}
