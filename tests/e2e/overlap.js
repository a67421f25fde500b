() => {
  const around = document.querySelector("dialog[open]") || document.body;
  // What is seen of it: a text also within its own element, which may be shortened.
  const within = (rect, around) => {
    let { left, top, right, bottom } = rect;
    for (let up = around; up; up = up.parentElement) {
      if (getComputedStyle(up).overflow === "visible") continue;
      const frame = up.getBoundingClientRect();
      [left, top] = [Math.max(left, frame.left), Math.max(top, frame.top)];
      [right, bottom] = [Math.min(right, frame.right), Math.min(bottom, frame.bottom)];
    }
    return { left, top, right, bottom };
  };
  const floats = (node) => {
    for (let up = node; up && up !== around; up = up.parentElement) {
      if (["sticky", "fixed"].includes(getComputedStyle(up).position)) return up;
    }
    return null;
  };
  const things = [];
  const add = (node, rect, word, around = node.parentElement) => {
    // Handles and the magnifier lie on the picture whose corners they show.
    if (node.closest(".vh, .skip, #cheer, .handle, .loupe, svg, dialog:not([open]), details:not([open]) > :not(summary)")) return;
    if (!node.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return;
    const seen = within(rect, around);
    if (seen.right - seen.left > 2 && seen.bottom - seen.top > 2) things.push({ node, word, floating: floats(node), ...seen });
  };
  for (const node of around.querySelectorAll("button, a[href], input, select, textarea, summary, img, .die")) {
    if (!node.matches(".choice-row input") && !node.closest("svg")?.parentElement?.closest("svg")) add(node, node.getBoundingClientRect(), node.tagName);
  }
  const walker = document.createTreeWalker(around, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (!text.data.trim()) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const upright = getComputedStyle(text.parentElement).writingMode !== "horizontal-tb";
    for (const box of range.getClientRects()) {
      // A line is higher than its letters; one that is written upright is wider.
      const [x, y] = upright ? [box.width * 0.2, 0] : [0, box.height * 0.2];
      const rect = { left: box.left + x, right: box.right - x, top: box.top + y, bottom: box.bottom - y };
      add(text.parentElement, rect, text.data.trim(), text.parentElement);
    }
  }
  const found = [];
  for (const [index, one] of things.entries()) {
    for (const other of things.slice(index + 1)) {
      if (one.node.contains(other.node) || other.node.contains(one.node) || one.floating !== other.floating) continue;
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (wide > 2 && high > 2)
        found.push(`${one.word} (${one.node.className}) | ${other.word} (${other.node.className}) ${Math.round(wide)}x${Math.round(high)}`);
    }
  }
  return found;
};
