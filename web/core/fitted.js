// Names and labels in narrow columns: long words get smaller letters, then they are shortened, never broken. A word may
// wrap after a hyphen, so its length is that of its longest part.

import { h } from "./dom.js";

const PART = /[^\s\u2010-]+[\u2010-]?/g;
const NAME_LINES = 2; // of a name in a column
const LONG = 6; // letters that fit in the narrowest column
const SIGN = 2; // the width of a sign before the first word, in letters

/** The letters of the longest part of a text that cannot wrap. @param {string} text @param {boolean} own @param {number} sign */
export function room(text, own, sign = 0) {
  const parts = (text.match(PART) || []).map((part, index) => part.length + (index ? 0 : sign));
  return Math.max(1, ...parts, own && parts.length > NAME_LINES ? Math.ceil((text.length + sign) / NAME_LINES) : 0);
}

/**
 * A text of unbroken words, as large as the column allows; its `title` is the whole text.
 * @param {string} text @param {{ class?: string, before?: Child | null, own?: boolean }} looks: `own`: a name, not to be translated
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
