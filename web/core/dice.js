// Dice drawn as SVG: the same die on the phone and, forty times larger, on the TV.

import { h } from "./dom.js";
import { t } from "./words.js";

const ROWS = [27, 50, 73];
/** The places of a face's pips in three rows of three, numbered as the keys of a telephone. */
const PIPS = ["", "5", "37", "357", "1379", "13579", "134679"];

/** @param {number | null | undefined} face @param {{ kind?: string, label?: string }} looks */
export function die(face, { kind = "", label } = {}) {
  const size = face === 1 ? 11 : 9.2;
  const pips = [...(PIPS[face || 0] ?? "")].map((key) => {
    const [x, y] = [ROWS[(Number(key) - 1) % 3], ROWS[Math.floor((Number(key) - 1) / 3)]];
    return [h("circle.pip", { cx: x, cy: y, r: size }), h("circle.pip-light", { cx: x - 2.4, cy: y - 2.6, r: size / 3 })];
  });
  const name = label === undefined ? t("page/common/die", { face: face || "?" }) : label;
  const spoken = name ? { role: "img", "aria-label": name } : { "aria-hidden": "true" };
  return h(
    "svg",
    { class: `die ${kind}`, viewBox: "0 0 100 100", focusable: "false", ...spoken },
    h("rect.die-edge", { x: 3, y: 5, width: 94, height: 93, rx: 20 }),
    h("rect.die-body", { x: 3, y: 2, width: 94, height: 92, rx: 20 }),
    h("rect.die-face", { x: 8, y: 6, width: 84, height: 82, rx: 30 }),
    h("g", { transform: "translate(0 -2)" }, pips),
    face ? null : h("text.die-unknown", { x: 50, y: 64, "text-anchor": "middle" }, "?"),
  );
}

/** A picture over a drawn die, visible once it has loaded. @param {string} src @param {string} tag */
export function photo(src, tag = "img") {
  /** @param {boolean} there @returns {(event: Event) => void} */
  const mark = (there) => (event) => /** @type {Element} */ (event.currentTarget).classList.toggle("there", there);
  return h(tag, { alt: "", src, onload: mark(true), onerror: mark(false) });
}
