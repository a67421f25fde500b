// Builds and updates the page from plain descriptions, keeping focus, scroll and what is typed.
// h("p", {class: "x"}, "text") describes; paint(parent, [...]) makes the parent's children look like it.

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "g", "path", "rect", "circle", "line", "polyline", "polygon", "use", "text", "title"]);

export function h(tag, props, ...children) {
  return { tag, props: props || {}, children: children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false) };
}

function create(node, svg) {
  if (typeof node !== "object") return document.createTextNode(String(node));
  const inSvg = svg || SVG_TAGS.has(node.tag);
  const element = inSvg ? document.createElementNS(SVG, node.tag) : document.createElement(node.tag);
  element.described = { tag: node.tag, props: {}, children: [] };
  update(element, node, inSvg);
  return element;
}

function setProp(element, name, value, before) {
  if (name.startsWith("on")) {
    element[name] = value || null;
  } else if (name === "vars") {
    for (const [key, item] of Object.entries(value || {})) element.style.setProperty(key, item);
  } else if (name === "value") {
    if (element.value !== value && value !== before) element.value = value;
  } else if (name === "checked" || name === "indeterminate" || name === "selected") {
    element[name] = Boolean(value);
  } else if (value === null || value === undefined || value === false) {
    element.removeAttribute(name);
  } else if (value !== before) {
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

function update(element, node, svg) {
  const before = element.described || { props: {}, children: [] };
  for (const name of Object.keys(before.props)) if (!(name in node.props)) setProp(element, name, null, before.props[name]);
  const late = [];
  for (const [name, value] of Object.entries(node.props)) {
    if (name === "value") late.push([name, value]);
    else setProp(element, name, value, before.props[name]);
  }
  element.described = node;
  paint(element, node.children, svg);
  for (const [name, value] of late) setProp(element, name, value, before.props[name]);
}

function fits(dom, node) {
  if (typeof node !== "object") return dom.nodeType === Node.TEXT_NODE;
  return dom.described && dom.described.tag === node.tag && dom.described.props.key === node.props.key;
}

export function paint(parent, nodes, svg = false) {
  const list = [nodes].flat(Infinity).filter((node) => node !== null && node !== undefined && node !== false);
  let dom = parent.firstChild;
  for (const node of list) {
    let match = dom;
    if (match && !fits(match, node) && typeof node === "object" && node.props.key !== undefined) {
      for (match = dom; match && !fits(match, node); match = match.nextSibling);
      if (match) while (dom !== match) { const next = dom.nextSibling; dom.remove(); dom = next; }
    }
    if (match && fits(match, node)) {
      if (typeof node !== "object") { if (match.data !== String(node)) match.data = String(node); }
      else update(match, node, svg || SVG_TAGS.has(node.tag));
      dom = match.nextSibling;
    } else {
      parent.insertBefore(create(node, svg), dom);
    }
  }
  while (dom) { const next = dom.nextSibling; dom.remove(); dom = next; }
}

export const byId = (id) => document.getElementById(id);
