// Keeps what the organiser has typed and not sent yet: each form of that page answers with the whole page anew.
// A field gets it back while it stands for the same game, and nobody has said anything else of it meanwhile.

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */

const TYPED = "organise";
const NOT_OF_IT = new Set(["after", "back"]);

/** @type {HTMLFormElement | null} */
let sent = null;

/** @param {Field} field */
const given = (field) =>
  field instanceof HTMLSelectElement
    ? ([...field.options].find((each) => each.defaultSelected) ?? field.options[0])?.value
    : field.defaultValue;

/** @param {HTMLFormElement} form @returns {Field[]} */
const fields = (form) => [...form.querySelectorAll(/** @type {"input"} */ ("input:not([type=hidden]), textarea, select"))];

/** What a field is for: that of its form, a game by its place and by who plays it. @param {HTMLFormElement} form @param {Field} field */
function about(form, field) {
  const names = [...form.querySelectorAll("label [translate=no]")].map((each) => each.textContent);
  const hidden = [...form.querySelectorAll("input[type=hidden]")].map((each) => /** @type {HTMLInputElement} */ (each));
  const values = hidden.filter((each) => !NOT_OF_IT.has(each.name)).map((each) => each.value);
  return JSON.stringify([form.getAttribute("action"), values, names, field.name, given(field)]);
}

function keep() {
  const typed = [...document.forms]
    .filter((form) => form !== sent)
    .flatMap((form) => fields(form).map((field) => ({ form, field })))
    .filter(({ field }) => field.value !== given(field))
    .map(({ form, field }) => [about(form, field), field.value]);
  try {
    sessionStorage.setItem(TYPED, JSON.stringify(typed));
  } catch {} // a browser that keeps nothing
}

function giveBack() {
  /** @type {Map<string, string>} */
  let typed;
  try {
    typed = new Map(JSON.parse(sessionStorage.getItem(TYPED) ?? "[]"));
  } catch {
    return;
  }
  for (const form of document.forms) {
    for (const field of fields(form)) field.value = typed.get(about(form, field)) ?? field.value;
  }
}

document.addEventListener("submit", (event) => {
  sent = /** @type {HTMLFormElement} */ (event.target);
});
window.addEventListener("pagehide", keep);
window.addEventListener("pageshow", () => {
  sent = null;
});
giveBack();
