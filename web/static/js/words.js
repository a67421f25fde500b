// The words of the page in the reader's language. The catalogue is the server's own (gettext); a
// sentence that is missing there stays English. Placeholders are {named}.

const language = document.documentElement.lang || "en";
const AND = "{list} and {last}"; // a mere list comes after everything that might contain one
let catalogue = {};
let templates = [];

export async function load() {
  if (language === "en") return;
  const answer = await fetch(`/words/${language}.json`);
  if (answer.ok) catalogue = await answer.json();
  templates = Object.keys(catalogue).filter((key) => key.includes("{")).sort((one, other) => weight(other) - weight(one)).map((key) => pattern(key));
}

// The phrase with the most letters of its own is the one a sentence was made from.
const weight = (key) => key === AND ? 0 : key.replace(/\{\w+\}/g, "").length;

function pattern(key) {
  const names = [];
  const source = key.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{(\w+)\}/g, (_, name) => { names.push(name); return "(.+?)"; });
  return { key, names, expression: new RegExp(`^${source}$`) };
}

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));

export function t(text, values = {}) {
  const found = catalogue[text];
  return filled(typeof found === "string" && found ? found : text, values);
}

export function tn(one, many, n, values = {}) {
  const found = catalogue[one];
  const form = Array.isArray(found) ? (n === 1 ? found[0] : found[1]) : n === 1 ? one : many;
  return filled(form, { n, ...values });
}

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

export const number = (value, digits = 0) =>
  new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

export const percent = (share, digits = 0) =>
  new Intl.NumberFormat(language, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits }).format(share);
