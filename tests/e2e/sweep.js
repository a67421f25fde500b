// What is wrong with how a page lies on the screen, as a list of sentences: for bench/sweep.py.
// `whole`: whether all of the page has to be on the screen, downwards too.
(whole) => {
  const HIDDEN = ".vh, .skip, #cheer, svg, dialog:not([open]), details:not([open]) > :not(summary), script, style, noscript, template";
  const SCROLLS = /auto|scroll/;
  const around = document.querySelector("dialog[open]") || document.body;
  const wide = document.documentElement.clientWidth;
  const high = document.documentElement.clientHeight;
  const slack = document.body.matches(".tv") ? 6 : 1; // the television's picture wanders by itself
  const told = new Set();
  const found = new Set();
  const named = (node) => `${node.tagName.toLowerCase()}${node.classList.length ? `.${[...node.classList].join(".")}` : ""}`;
  const tell = (kind, node, more = "") =>
    found.add(`${kind}: ${named(node)} ${more || JSON.stringify(node.textContent.trim().slice(0, 40))}`);
  const shown = (node) => !node.closest(HIDDEN) && node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const scrolled = (node) => {
    for (let up = node.parentElement; up && up !== document.body; up = up.parentElement)
      if (SCROLLS.test(getComputedStyle(up).overflowX)) return true;
    return false;
  };

  const page = document.scrollingElement;
  if (page.scrollWidth >= wide + slack) tell("scrolls sideways", document.body, `by ${page.scrollWidth - wide} px`);
  if (whole && page.scrollHeight >= high + slack) tell("scrolls downwards", document.body, `by ${page.scrollHeight - high} px`);

  for (const node of around.querySelectorAll("*")) {
    const box = node.getBoundingClientRect();
    if (!box.width || !box.height || !shown(node)) continue;
    const style = getComputedStyle(node);
    const outside = box.right > wide + slack || box.left < -slack || (whole && (box.bottom > high + slack || box.top < -slack));
    if (outside && !node.matches(".tv > main") && !told.has(node.parentElement) && !scrolled(node)) tell("outside", node);
    if (outside) told.add(node);
    const cut = node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1;
    if (!cut || style.display === "inline" || !node.textContent.trim() || node.closest("table.vh")) continue;
    const [x, y] = [style.overflowX, style.overflowY];
    const shortened = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
    if (shortened && !node.closest("[title]")) tell("shortened without its full form", node);
    const lost = (/hidden|clip/.test(x) && node.scrollWidth > node.clientWidth + 1) || (/hidden|clip/.test(y) && node.scrollHeight > node.clientHeight + 2);
    if (lost && !shortened && !node.matches("body, .tv > main")) tell("cut off", node);
  }

  // A word that stands in two lines, unless it has a hyphen there. A line is told by where it lies across the writing.
  const walker = document.createTreeWalker(around, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const parent = text.parentElement;
    if (!text.data.trim() || !shown(parent)) continue;
    range.selectNodeContents(text);
    const upright = getComputedStyle(parent).writingMode !== "horizontal-tb";
    const lines = (rects) => new Set([...rects].filter((rect) => rect.width && rect.height).map((rect) => Math.round((upright ? rect.left : rect.top) / 4)));
    if (lines(range.getClientRects()).size < 2) continue;
    // A path or an address may stand in several lines.
    for (const word of text.data.matchAll(/(?<![^\s]*\/[^\s]*)[^\s\u00ad\u200b\u2010/–—-]+(?![^\s]*\/)/gu)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      if (lines(range.getClientRects()).size > 1) tell("torn", parent, JSON.stringify(word[0]));
    }
  }
  return [...found];
};
