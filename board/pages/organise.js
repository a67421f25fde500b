// The organiser's page: follows changes at the board, and keeps unsent input. The response to each form is the whole page.
// A field gets its unsent input back if it is for the same game and its value on the page has not changed.

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

/** The value of a field as the server rendered it. @param {Field} field */
const given = (field) =>
  field instanceof HTMLSelectElement
    ? ([...field.options].find((each) => each.defaultSelected) ?? field.options[0])?.value
    : field.defaultValue;

/** @param {HTMLFormElement} form @returns {Field[]} */
const fields = (form) => [...form.querySelectorAll(/** @type {"input"} */ ("input:not([type=hidden]), textarea, select"))];

/** Identifies a form by its action, hidden values and players. @param {HTMLFormElement} form */
function purpose(form) {
  const names = [...form.querySelectorAll("label [translate=no]")].map((each) => each.textContent);
  const hidden = [...form.querySelectorAll("input[type=hidden]")].map((each) => /** @type {HTMLInputElement} */ (each));
  const values = hidden.filter((each) => !NOT_OF_IT.has(each.name)).map((each) => each.value);
  return JSON.stringify([form.getAttribute("action"), values, names]);
}

/** The unsent input, with all fields of a refused form, which the server renders with the input. @param {string | null} sent @param {string | null} refused */
const typed = (sent, refused) =>
  [...document.forms].flatMap((each) => {
    const form = purpose(each);
    return fields(each)
      .filter((field) => form !== sent && (form === refused || field.value !== given(field)))
      .map((field) => ({ form, name: field.name, given: given(field), value: field.value }));
  });

/** @param {Typed[]} every @param {string | null} refused */
function restore(every, refused) {
  for (const each of document.forms) {
    const form = purpose(each);
    for (const field of fields(each)) {
      const input = every.find((one) => one.form === form && one.name === field.name && (form === refused || one.given === given(field)));
      if (input) field.value = input.value;
    }
  }
}

/** @template T @param {() => T} use @returns {T | null} */
function withStorage(use) {
  try {
    return use();
  } catch {
    return null; // a browser without storage
  }
}

const fault = () => main.querySelector(".fault");
/** The number of the last step on a page. @param {Element} page */
const step = (page) => /** @type {HTMLInputElement | null} */ (page.querySelector("[name=after]"))?.value;

/** Replaces the page's content; input, focus and unfolded sections stay. @param {Element} page */
function replace(page) {
  const notice = step(page) === step(main) ? fault() : null; // the message of a refusal stays until the next step
  const refused = fault() ? withStorage(() => sessionStorage.getItem(SENT)) : null;
  const every = typed(null, refused);
  const used = document.activeElement;
  const form = used instanceof HTMLElement && "form" in used ? /** @type {HTMLFormElement | null} */ (used.form) : null;
  const [of, place] = form ? [purpose(form), [...form.elements].indexOf(/** @type {Element} */ (used))] : ["", -1];
  const unfolded = new Map([...main.querySelectorAll("details")].map((each) => [each.querySelector("summary")?.textContent, each.open]));
  main.textContent = "";
  main.append(...page.childNodes);
  if (notice) main.querySelector("h1")?.after(notice);
  for (const each of main.querySelectorAll("details")) each.open = unfolded.get(each.querySelector("summary")?.textContent) ?? each.open;
  restore(every, refused);
  const again = [...document.forms].find((each) => purpose(each) === of)?.elements[place];
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

let due = false;
let running = false;

/** Requests the current page; not while a form is being sent, a button is pressed or a list is open. */
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
      .catch(() => ""); // not connected: the live line triggers a refresh when it is back
    const page = new DOMParser().parseFromString(text, "text/html").getElementById("main");
    if (page && !sending) replace(page);
  }
  running = false;
}

document.addEventListener("submit", (event) => {
  sending = true;
  withStorage(() => sessionStorage.setItem(SENT, purpose(/** @type {HTMLFormElement} */ (event.target))));
});
window.addEventListener("pagehide", () => {
  const sent = sending ? withStorage(() => sessionStorage.getItem(SENT)) : null;
  withStorage(() => sessionStorage.setItem(TYPED, JSON.stringify(typed(sent, null))));
});
window.addEventListener("pageshow", () => {
  sending = false;
});
restore(withStorage(() => JSON.parse(sessionStorage.getItem(TYPED) ?? "[]")) ?? [], null);
new Link(
  "/api/v1/board/live",
  { board: (/** @type {{ evening?: object }} */ update) => update.evening !== undefined && refresh() },
  () => {},
);
