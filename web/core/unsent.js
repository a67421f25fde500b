// Keeps unsent input of a page's forms when the page reloads, as after a change of language or when another of its forms
// was sent. A PIN is never kept, and a file cannot be.

const NEVER = ["password", "file", "checkbox"];

/** @param {EventTarget | null} element @returns {element is HTMLInputElement | HTMLSelectElement} */
const isField = (element) =>
  (element instanceof HTMLInputElement || element instanceof HTMLSelectElement) && Boolean(element.form) && !NEVER.includes(element.type);

/** @param {HTMLInputElement | HTMLSelectElement} field */
const keyOf = (field) => `${field.form?.dataset.post || ""} ${field.name}`;

addEventListener("input", ({ target }) => {
  if (isField(target)) history.replaceState({ ...history.state, [keyOf(target)]: target.value }, "");
});

addEventListener("submit", ({ target }) => {
  const fields = target instanceof HTMLFormElement ? [...target.elements].filter(isField) : [];
  history.replaceState({ ...history.state, ...Object.fromEntries(fields.map((field) => [keyOf(field), undefined])) }, "");
});

/** Puts the unsent input back into the forms. */
export function fillIn() {
  for (const field of [...document.forms].flatMap((form) => [...form.elements]).filter(isField)) {
    const value = history.state?.[keyOf(field)];
    if (value === undefined || (field instanceof HTMLSelectElement && ![...field.options].some((each) => each.value === value))) continue;
    if (field.type !== "radio") field.value = value;
    else if (field instanceof HTMLInputElement) field.checked = field.value === value;
    const part = field.closest("details");
    if (part) part.open = true;
  }
}
