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

// -- what the station composes in English still ------------------------------------------------------------

const AND = "{list} and {last}"; // a mere list comes after everything that might contain one
const catalogue = language === "en" ? {} : await (await fetch(`/words/${language}.json`)).json();
const templates = Object.keys(catalogue).filter((key) => key.includes("{")).sort((one, other) => weight(other) - weight(one)).map((key) => pattern(key));

// The phrase with the most letters of its own is the one a sentence was made from.
function weight(key) { return key === AND ? 0 : key.replace(/\{\w+\}/g, "").length; }

function pattern(key) {
  const names = [];
  const source = key.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{(\w+)\}/g, (_, name) => { names.push(name); return "(.+?)"; });
  return { key, names, expression: new RegExp(`^${source}$`) };
}

function filled(text, values) { return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole)); }

// Names of people are not translated; of several only the "and" is.
function part(name, value) {
  if (name === "name") return value;
  if (name !== "names") return said(value);
  const at = value.lastIndexOf(" and ");
  return at < 0 ? value : filled(catalogue[AND], { list: value.slice(0, at), last: value.slice(at + 5) });
}

// A whole sentence that the station composed in English: found by the shape it was composed with.
export function said(sentence) {
  if (!sentence || language === "en") return sentence;
  if (typeof catalogue[sentence] === "string") return catalogue[sentence];
  for (const { key, names, expression } of templates) {
    const match = expression.exec(sentence);
    if (!match) continue;
    const values = {};
    names.forEach((name, index) => { values[name] = part(name, match[index + 1]); });
    const form = catalogue[key];
    return filled(Array.isArray(form) ? form[1] : form, values);
  }
  return sentence;
}
