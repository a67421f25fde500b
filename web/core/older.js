// Polyfills for older browsers: modal dialogs (Safari up to 15.3), and gaps between flex items (Chromium up to 83, Safari up
// to 14.0). Loaded where one of them may be missing; there are no other polyfills.

/** @param {HTMLDialogElement} dialog: without its methods and `open` */
function modal(dialog) {
  const ground = document.createElement("div");
  ground.className = "dialog-ground";
  const begin = () => /** @type {HTMLElement | null} */ (dialog.querySelector("button, input, select, textarea, a"))?.focus();
  Object.defineProperty(dialog, "open", { get: () => dialog.hasAttribute("open") });
  dialog.showModal = () => {
    dialog.setAttribute("open", "");
    dialog.before(ground);
    begin();
  };
  dialog.close = () => {
    dialog.removeAttribute("open");
    ground.remove();
    setTimeout(() => dialog.onclose?.(new Event("close")));
  };
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Escape") dialog.close();
  });
  document.addEventListener("focusin", ({ target }) => {
    if (dialog.open && target instanceof Node && !dialog.contains(target)) begin();
  });
}

/** Whether the browser supports gaps between flex items. */
function hasGaps() {
  const column = document.createElement("div");
  column.style.cssText = "display:flex;flex-direction:column;row-gap:1px;position:absolute";
  column.append(document.createElement("i"), document.createElement("i"));
  document.body.append(column);
  const apart = column.scrollHeight === 1;
  column.remove();
  return apart;
}

/** Margins that replace the gaps of a rule; in wrapped boxes after each item. @param {CSSStyleDeclaration} style */
function margins({ columnGap, rowGap, flexDirection, flexWrap }) {
  if (flexWrap === "wrap") return [" > *", `margin-right: ${columnGap}; margin-bottom: ${rowGap}`];
  return [" > * + *", flexDirection.startsWith("column") ? `margin-top: ${rowGap}` : `margin-left: ${columnGap}`];
}

/** @param {CSSStyleSheet | CSSMediaRule} sheet */
function replaceGaps(sheet) {
  for (let at = sheet.cssRules.length - 1; at >= 0; at -= 1) {
    const rule = sheet.cssRules[at];
    if (rule instanceof CSSMediaRule) replaceGaps(rule);
    if (!(rule instanceof CSSStyleRule) || !rule.style.display.endsWith("flex") || !rule.style.columnGap) continue;
    const [boxes, margin] = margins(rule.style);
    const selectors = rule.selectorText.split(",").map((each) => each + boxes);
    sheet.insertRule(`${selectors} { ${margin} }`, at + 1);
  }
}

/** Adds what the browser lacks. */
export function complete() {
  if (!window.HTMLDialogElement) document.querySelectorAll("dialog").forEach(modal);
  if (!hasGaps()) for (const sheet of document.styleSheets) replaceGaps(sheet);
}
