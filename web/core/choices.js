// Form fields: a choice as big labels to tap or as a list, a switch, a text field.

import { h } from "./dom.js";

/** @param {string} name @param {string} label @param {string | null} now @param {Labelled[]} options @param {(value: string) => void} change */
export function choices(name, label, now, options, change) {
  return h(
    "fieldset.choices",
    h("legend", label),
    h(
      "div.choice-row",
      options.map(([value, text]) =>
        h(
          "label",
          { key: value },
          h("input", { type: "radio", name, value, checked: value === now, onchange: () => change(value) }),
          h("span", text),
        ),
      ),
    ),
  );
}

/** @param {Props} props @param {string | null} now @param {Labelled[]} options @param {(value: string) => void} change */
export const list = (props, now, options, change) =>
  h(
    "select",
    { ...props, onchange: (event) => change(event.currentTarget.value) },
    options.map(([value, text]) => h("option", { key: value, value, selected: value === now }, text)),
  );

/** Keeps a switch as it was tapped until the response is there. @param {any} box @param {(on: boolean) => unknown} change */
async function toggle(box, change) {
  box.sent = (box.sent || 0) + 1;
  await change(box.checked);
  box.sent -= 1;
  if (!box.sent) box.checked = Boolean(box.described.props.checked);
}

/** @param {string} label @param {boolean | undefined} on @param {(on: boolean) => unknown} change @param {Props} more */
export const tick = (label, on, change, more = {}) =>
  h(
    "p.switch",
    h(
      "label",
      h("input", { type: "checkbox", checked: on, onchange: (event) => toggle(event.currentTarget, change), ...more }),
      h("span", label),
    ),
  );

/** @param {string} id @param {string} label @param {Props} more */
export const field = (id, label, more = {}) => [
  h("label", { for: id }, label),
  h("input", { id, name: id, type: "text", autocomplete: "off", ...more }),
];
