// The words of the page: an entry of the catalogue by its key, with its {placeholders} filled. Understands the
// same entries as messages/catalogue.py: plural forms by the value `count`, {x:%}, {x:.1}, {names:or}.

import { byId } from "./dom.js";

/** @typedef {string | number | string[]} Value */

const language = document.documentElement.lang || "en";
export const locale = language === "en" ? "en-GB" : language;
/** @type {Record<string, string | Record<string, string>>} */
const words = await (await fetch(/** @type {HTMLLinkElement} */ (byId("words")).href)).json();
const plurals = new Intl.PluralRules(language);

/** @param {number} value @param {number} digits */
export const number = (value, digits = 0) =>
  new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

/** @param {number} share: 0 to 1 @param {number} digits */
export const percent = (share, digits = 0) =>
  new Intl.NumberFormat(language, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits }).format(share);

/** @param {Value} value @param {string | undefined} style @returns {string} */
function written(value, style) {
  if (Array.isArray(value)) {
    if (style === "," || value.length < 2) return value.join(", ");
    return t(`list/${style || "and"}`, { most: value.slice(0, -1).join(", "), last: value[value.length - 1] });
  }
  if (!style || typeof value !== "number") return String(value);
  return style === "%" ? percent(value) : number(value, Number(style.slice(1)));
}

/** @param {string} key @param {Record<string, Value>} values @returns {string} */
export function t(key, values = {}) {
  const entry = words[key] ?? key;
  const count = Number(values.count);
  const text = typeof entry === "string" ? entry : (entry[count] ?? entry[plurals.select(count)] ?? entry.other);
  return text.replace(/\{(\w+)(?::([^}]*))?\}/g, (whole, name, style) => (name in values ? written(values[name], style) : whole));
}
