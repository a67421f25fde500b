// Names and labels in narrow columns: smaller letters for long words, then a shortened word, never a torn one.

import { h } from "./dom.js";

const SIGN = 2; // letters that a sign before a single word takes the room of, to stand in its line

/**
 * A text whose words stand whole, as large as their column lets them; the whole of it is its title.
 * @param {string} text @param {{ class?: string, before?: Child | null, own?: boolean }} looks: `own` where it is nobody's to translate
 */
export function fitted(text, { class: kind = "", before = null, own = false } = {}) {
  const words = text.split(/\s+/).filter(Boolean);
  return h(
    "span",
    {
      class: `fit ${kind}`,
      title: text,
      translate: own ? "no" : null,
      vars: { "--longest": Math.max(...words.map((word) => word.length)) + (before && words.length === 1 ? SIGN : 0) },
    },
    h(
      "span",
      { class: "fit-words" },
      before,
      words.map((word, index) => [index ? " " : "", h("span", { class: "word", key: index }, word)]),
    ),
  );
}
