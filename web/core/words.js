// The words of the page: an entry of the catalogue by its key, with its {placeholders} filled. Understands the
// same entries as messages/catalogue.py: plural forms by the value `count`, {x:%}, {x:.1}, {names:or}.

const language = document.documentElement.lang || "en";
export const locale = language === "en" ? "en-GB" : language; // American English writes a comma before the last "and"
const words = await (await fetch(document.getElementById("words").href)).json();
const plurals = new Intl.PluralRules(language);

export const number = (value, digits = 0) =>
  new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

export const percent = (share, digits = 0) =>
  new Intl.NumberFormat(language, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits }).format(share);

function written(value, style) {
  if (Array.isArray(value)) {
    if (style === ",") return value.join(", ");
    return new Intl.ListFormat(locale, { type: style === "or" ? "disjunction" : "conjunction" }).format(value);
  }
  if (!style || typeof value !== "number") return String(value);
  return style === "%" ? percent(value) : number(value, Number(style.slice(1)));
}

export function t(key, values = {}) {
  const entry = words[key] ?? key;
  const text = typeof entry === "string" ? entry : entry[values.count] ?? entry[plurals.select(values.count)] ?? entry.other;
  return text.replace(/\{(\w+)(?::([^}]*))?\}/g, (whole, name, style) => (name in values ? written(values[name], style) : whole));
}
