// The organiser's page: shows what changes at the board, and keeps what is typed and not sent yet. Each form answers
// with the whole page. A field gets back what was typed while it stands for the same game and still says the same.

import { fetched } from "./fetched.js";
import { Link } from "./link.js";

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */
/** @typedef {{ form: string, name: string, given: string, value: string }} Typed */

const TYPED = "organise";
const SENT = "organise-sent";
const NOT_OF_IT = new Set(["after", "back"]);
const BUSY_MS = 300;

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
let sending = false;

/** The value of that field as the page came. @param {Field} field */
const given = (field) =>
  field instanceof HTMLSelectElement
    ? ([...field.options].find((each) => each.defaultSelected) ?? field.options[0])?.value
    : field.defaultValue;

/** @param {HTMLFormElement} form @returns {Field[]} */
const fields = (form) => [...form.querySelectorAll(/** @type {"input"} */ ("input:not([type=hidden]), textarea, select"))];

/** What a form is for: a game by its place and by who plays it. @param {HTMLFormElement} form */
function purpose(form) {
  const names = [...form.querySelectorAll("label [translate=no]")].map((each) => each.textContent);
  const hidden = [...form.querySelectorAll("input[type=hidden]")].map((each) => /** @type {HTMLInputElement} */ (each));
  const values = hidden.filter((each) => !NOT_OF_IT.has(each.name)).map((each) => each.value);
  return JSON.stringify([form.getAttribute("action"), values, names]);
}

/** What was typed, and all of a form that was refused: there the page says what was typed. @param {string | null} sent @param {string | null} refused */
const typed = (sent, refused) =>
  [...document.forms].flatMap((each) => {
    const form = purpose(each);
    return fields(each)
      .filter((field) => form !== sent && (form === refused || field.value !== given(field)))
      .map((field) => ({ form, name: field.name, given: given(field), value: field.value }));
  });

/** @param {Typed[]} every @param {string | null} refused */
function giveBack(every, refused) {
  for (const each of document.forms) {
    const form = purpose(each);
    for (const field of fields(each)) {
      const found = every.find((one) => one.form === form && one.name === field.name && (form === refused || one.given === given(field)));
      if (found) field.value = found.value;
    }
  }
}

/** @template T @param {() => T} use @returns {T | null} */
function stored(use) {
  try {
    return use();
  } catch {
    return null; // a browser that keeps nothing
  }
}

const fault = () => main.querySelector(".fault");
/** The last step that a page shows. @param {Element} page */
const step = (page) => /** @type {HTMLInputElement | null} */ (page.querySelector("[name=after]"))?.value;

/** Put another page in the place of this one; what is typed, in use or unfolded stays so. @param {Element} page */
function replace(page) {
  const notice = step(page) === step(main) ? fault() : null; // what was refused is news until another step is taken
  const refused = fault() ? stored(() => sessionStorage.getItem(SENT)) : null;
  const every = typed(null, refused);
  const used = document.activeElement;
  const form = used instanceof HTMLElement && "form" in used ? /** @type {HTMLFormElement | null} */ (used.form) : null;
  const [of, place] = form ? [purpose(form), [...form.elements].indexOf(/** @type {Element} */ (used))] : ["", -1];
  const unfolded = new Map([...main.querySelectorAll("details")].map((each) => [each.querySelector("summary")?.textContent, each.open]));
  main.textContent = "";
  main.append(...page.childNodes);
  if (notice) main.querySelector("h1")?.after(notice);
  for (const each of main.querySelectorAll("details")) each.open = unfolded.get(each.querySelector("summary")?.textContent) ?? each.open;
  giveBack(every, refused);
  const again = [...document.forms].find((each) => purpose(each) === of)?.elements[place];
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

let due = false;
let running = false;

/** Ask for the page as it is now; not while a form is on its way, a button is pressed or a list is open. */
async function refresh() {
  due = true;
  if (running) return;
  running = true;
  while (due) {
    if (sending || main.querySelector(":active, select:focus")) {
      await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
      continue;
    }
    due = false;
    const text = await fetched("/organise")
      .then((answer) => (answer.ok ? answer.text() : ""))
      .catch(() => ""); // the line tells when it is cut, and brings all anew
    const page = new DOMParser().parseFromString(text, "text/html").getElementById("main");
    if (page && !sending) replace(page);
  }
  running = false;
}

document.addEventListener("submit", (event) => {
  sending = true;
  stored(() => sessionStorage.setItem(SENT, purpose(/** @type {HTMLFormElement} */ (event.target))));
});
window.addEventListener("pagehide", () => {
  const sent = sending ? stored(() => sessionStorage.getItem(SENT)) : null;
  stored(() => sessionStorage.setItem(TYPED, JSON.stringify(typed(sent, null))));
});
window.addEventListener("pageshow", () => {
  sending = false;
});
giveBack(stored(() => JSON.parse(sessionStorage.getItem(TYPED) ?? "[]")) ?? [], null);
new Link(
  "/api/v1/board/live",
  { board: (/** @type {{ evening?: object }} */ update) => update.evening !== undefined && refresh() },
  () => {},
);
