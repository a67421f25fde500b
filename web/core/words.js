// The texts of the page: a catalogue entry by its key, with its {placeholders} filled. Supports the same entries as
// messages/catalogue.py: plural forms by the value `count`, {x:%}, {x:.1}, {names:or}.

/** @typedef {string | number | string[]} Value */

const language = document.documentElement.lang || "en";
export const locale = language === "en" ? "en-GB" : language;
const plurals = new Intl.PluralRules(language);

/** Number formats by style and digits: a sheet has many numbers, and creating a format is slow. @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

const GROUPED_FROM = 10000;

/** @param {"decimal" | "percent"} style @param {number} digits @param {boolean} useGrouping */
function format(style, digits, useGrouping = false) {
  const key = `${style}${digits}${useGrouping}`;
  const known =
    formats.get(key) ||
    new Intl.NumberFormat(language, { style, minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping });
  formats.set(key, known);
  return known;
}

/** Four digits are not grouped, as in messages/catalogue.py. @param {number} value @param {number} digits */
export const number = (value, digits = 0) => format("decimal", digits, Math.abs(value) >= GROUPED_FROM).format(value);

/** With a narrow space before the sign, in languages that put a space there. @param {number} share: 0 to 1 @param {number} digits */
export const percent = (share, digits = 0) => format("percent", digits).format(share).replace("\u00a0", "\u202f");

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
  const entry = WORDS[key] ?? key;
  const count = Number(values.count);
  const text = typeof entry === "string" ? entry : (entry[count] ?? entry[plurals.select(count)] ?? entry.other);
  return text.replace(/\{(\w+)(?::([^}]*))?\}/g, (whole, name, style) => (name in values ? written(values[name], style) : whole));
}
