// Builds and updates the page from plain descriptions; focus, scroll position and typed text stay.
// h("p.lead", { id: "x" }, "text") describes an element; paint(parent, [...]) updates the parent's children to match.

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "g", "path", "rect", "circle", "line", "polyline", "polygon", "use", "text", "title"]);

/** @typedef {(HTMLElement | SVGElement) & { described?: Described, [name: string]: unknown }} Made */

document.getElementById("too-old")?.remove(); // the browser understands the page's scripts

/** @param {Children} children @returns {Child[]} */
const flat = (children) =>
  /** @type {Child[]} */ (
    /** @type {unknown[]} */ ([children])
      .flat(Number.POSITIVE_INFINITY)
      .filter((child) => child !== null && child !== undefined && child !== false)
  );

/**
 * Describes an element. Fixed classes follow the tag; a `class` in the props replaces them all. A button submits no form
 * unless its `type` says so.
 * @param {string} tag @param {Props | Children} props: may be left out @param {Children[]} children
 * @returns {Described}
 */
export function h(tag, props = {}, ...children) {
  if (!isProps(props)) return h(tag, {}, props, ...children);
  const [name, ...classes] = tag.split(".");
  const looks = classes.length ? { class: classes.join(" ") } : {};
  return { tag: name, props: { ...(name === "button" && { type: "button" }), ...looks, ...props }, children: flat(children) };
}

/** @param {Props | Children} value @returns {value is Props} */
const isProps = (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !("tag" in value);

/** @param {string} looks: its classes @param {Children} label @param {(event: Event) => unknown} press @param {Props} more */
export const button = (looks, label, press, more = {}) => h("button", { class: looks, onclick: press, ...more }, label);

/** A button with a sign, and a label for screen readers. @param {string} sign @param {string} does @param {() => unknown} press @param {boolean} disabled */
export const icon = (sign, does, press, disabled) =>
  button("icon", h("span", { "aria-hidden": "true" }, sign), press, { "aria-label": does, disabled });

/** Links and buttons side by side. @param {Children[]} children */
export const links = (...children) => h("p.links", children);

/** An error message, if there is one. @param {string} words */
export const failure = (words) => (words ? h("p.fault", { key: "fault", role: "alert" }, words) : null);

/** @param {Child} node @param {boolean} svg */
function create(node, svg) {
  if (typeof node !== "object") return document.createTextNode(String(node));
  const inSvg = svg || SVG_TAGS.has(node.tag);
  const element = /** @type {Made} */ (inSvg ? document.createElementNS(SVG, node.tag) : document.createElement(node.tag));
  element.described = { tag: node.tag, props: {}, children: [] };
  update(element, node, inSvg);
  return element;
}

/** @param {Made} element @param {string} name @param {unknown} value @param {unknown} before */
function setProp(element, name, value, before) {
  if (name.startsWith("on")) {
    element[name] = value || null;
  } else if (name === "vars") {
    const old = /** @type {Props["vars"]} */ (before) || {};
    for (const [key, item] of Object.entries(value || {})) if (item !== old[key]) element.style.setProperty(key, String(item));
  } else if (name === "value") {
    if (element[name] !== value && value !== before) element[name] = value;
  } else if (name === "checked" || name === "indeterminate" || name === "selected") {
    if (!element.sent) element[name] = Boolean(value);
  } else if (value === null || value === undefined || value === false) {
    element.removeAttribute(name);
  } else if (value !== before) {
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** @param {Made} element @param {Described} node @param {boolean} svg */
function update(element, node, svg) {
  const before = element.described?.props || {};
  for (const name of Object.keys(before)) if (!(name in node.props)) setProp(element, name, null, before[name]);
  for (const [name, value] of Object.entries(node.props)) if (name !== "value") setProp(element, name, value, before[name]);
  element.described = node;
  paint(element, node.children, svg);
  // After the children: a select needs its options before its value.
  if ("value" in node.props) setProp(element, "value", node.props.value, before.value);
}

/** @param {ChildNode} dom @param {Child} node */
function fits(dom, node) {
  if (typeof node !== "object") return dom instanceof Text;
  const { described } = /** @type {Made} */ (/** @type {unknown} */ (dom));
  return described?.tag === node.tag && described.props.key === node.props.key;
}

/** Whether a keyed node is no longer wanted; siblings without a key behind it then stay as they are. @param {ChildNode} dom @param {Child[]} wanted */
const isRemoved = (dom, wanted) =>
  /** @type {Made} */ (/** @type {unknown} */ (dom)).described?.props.key !== undefined && !wanted.some((node) => fits(dom, node));

/** Removes the nodes from `first` up to `end`. @param {ChildNode | null} first @param {ChildNode | null} end */
function drop(first, end) {
  for (let dom = first; dom && dom !== end; ) {
    const next = dom.nextSibling;
    dom.remove();
    dom = next;
  }
}

/** @param {Element} parent @param {Children} nodes @param {boolean} svg: whether the parent is part of a drawing */
export function paint(parent, nodes, svg = false) {
  let dom = parent.firstChild;
  const wanted = flat(nodes);
  for (const node of wanted) {
    let match = dom;
    if (match && !fits(match, node) && typeof node === "object" && node.props.key !== undefined) {
      while (match && !fits(match, node)) match = match.nextSibling;
      if (match) {
        drop(dom, match);
        dom = match;
      }
    } else {
      while (match && !fits(match, node) && isRemoved(match, wanted)) {
        dom = match.nextSibling;
        match.remove();
        match = dom;
      }
    }
    if (!match || !fits(match, node)) {
      parent.insertBefore(create(node, svg), dom);
    } else if (typeof node === "object") {
      update(/** @type {Made} */ (/** @type {unknown} */ (match)), node, svg || SVG_TAGS.has(node.tag));
      dom = match.nextSibling;
    } else {
      const text = /** @type {Text} */ (match);
      if (text.data !== String(node)) text.data = String(node);
      dom = match.nextSibling;
    }
  }
  drop(dom, null);
}

/**
 * An element that is always on the page.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export const byId = (id) => /** @type {T} */ (document.getElementById(id));

/** The longest name that is accepted, in letters. */
export const NAME_MAX = Number(document.body.dataset.nameMax);
