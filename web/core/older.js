// What pages need, and older browsers lack: modal dialogs (Safari up to 15.3), and gaps between flexible boxes (Chromium up
// to 83, Safari up to 14.0). Loaded where one of them may be missing; nothing else stands in for what a browser has not.

/** @param {HTMLDialogElement} dialog: with neither its methods nor `open` */
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

/** Whether boxes in a column stand apart. */
function gaps() {
  const column = document.createElement("div");
  column.style.cssText = "display:flex;flex-direction:column;row-gap:1px;position:absolute";
  column.append(document.createElement("i"), document.createElement("i"));
  document.body.append(column);
  const apart = column.scrollHeight === 1;
  column.remove();
  return apart;
}

/** Margins in place of the gaps of a rule; where lines are wrapped, after each box. @param {CSSStyleDeclaration} style */
function margins({ columnGap, rowGap, flexDirection, flexWrap }) {
  if (flexWrap === "wrap") return [" > *", `margin-right: ${columnGap}; margin-bottom: ${rowGap}`];
  return [" > * + *", flexDirection.startsWith("column") ? `margin-top: ${rowGap}` : `margin-left: ${columnGap}`];
}

/** @param {CSSStyleSheet | CSSMediaRule} sheet */
function apart(sheet) {
  for (let at = sheet.cssRules.length - 1; at >= 0; at -= 1) {
    const rule = sheet.cssRules[at];
    if (rule instanceof CSSMediaRule) apart(rule);
    if (!(rule instanceof CSSStyleRule) || !rule.style.display.endsWith("flex") || !rule.style.columnGap) continue;
    const [boxes, margin] = margins(rule.style);
    const selectors = rule.selectorText.split(",").map((each) => each + boxes);
    sheet.insertRule(`${selectors} { ${margin} }`, at + 1);
  }
}

/** Put in what is missing. */
export function complete() {
  if (!window.HTMLDialogElement) document.querySelectorAll("dialog").forEach(modal);
  if (!gaps()) for (const sheet of document.styleSheets) apart(sheet);
}
