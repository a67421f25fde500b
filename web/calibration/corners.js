// Four corners to drag on the picture, by finger, mouse or arrow keys. Coordinates are shares of the picture, 0 to 1.

import { h } from "./dom.js";
import { t } from "./words.js";

/** @typedef {{ corners: Point[], held: number | null, size_wh: Point }} Edit */

/** @type {Point[]} */
export const START = [
  [0.2, 0.15],
  [0.8, 0.15],
  [0.8, 0.85],
  [0.2, 0.85],
];
const NAMES = () => [
  t("page/corners/top_left"),
  t("page/corners/top_right"),
  t("page/corners/bottom_right"),
  t("page/corners/bottom_left"),
];
/** @type {Record<string, Point>} */
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const LOUPE = 132;
const ZOOM = 4;
/** @param {number} value */
const within = (value) => Math.min(1, Math.max(0, value));

/** @param {Edit} edit @param {() => Element} picture: the figure @param {() => void} changed: called after each move @param {string[]} names: of the corners */
export function handles(edit, picture, changed, names = NAMES()) {
  /** @param {number} index @param {number} x @param {number} y */
  const set = (index, x, y) => {
    edit.corners[index] = [within(x), within(y)];
    changed();
  };
  /** @param {number} index @param {PointerEvent} event */
  const drag = (index, event) => {
    if (!event.buttons && event.pointerType === "mouse") return;
    const box = picture().getBoundingClientRect();
    set(index, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  };
  /** @param {number | null} index */
  const hold = (index) => {
    edit.held = index;
    changed();
  };
  return edit.corners.map(([x, y], index) =>
    h("button", {
      key: `corner-${index}`,
      class: `handle${edit.held === index ? " held" : ""}`,
      vars: { "--x": x, "--y": y },
      "aria-label": t("page/corners/handle", {
        corner: names[index],
        x: Math.round(x * edit.size_wh[0]),
        y: Math.round(y * edit.size_wh[1]),
      }),
      onpointerdown: (event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        hold(index);
      },
      onpointermove: (event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) drag(index, event);
      },
      onpointerup: () => hold(null),
      onpointercancel: () => hold(null),
      onkeydown: (event) => {
        const step = KEYS[event.key];
        if (!step) return;
        event.preventDefault();
        const pixels = event.shiftKey ? 10 : 1;
        set(index, x + (step[0] * pixels) / edit.size_wh[0], y + (step[1] * pixels) / edit.size_wh[1]);
      },
      onfocus: () => hold(index),
      onblur: () => hold(null),
    }),
  );
}

// A loupe for the corner being dragged, which the finger hides; on the other side of the picture.
/** @param {Edit} edit @param {() => Element | null} picture @param {string} source */
export function loupe(edit, picture, source) {
  if (edit.held === null || !source) return null;
  const box = picture()?.getBoundingClientRect();
  if (!box) return null;
  const [x, y] = edit.corners[edit.held];
  const wide = box.width * ZOOM;
  return h("div", {
    key: "loupe",
    class: `loupe${x < 0.5 ? " right" : ""}`,
    "aria-hidden": "true",
    vars: {
      "background-image": `url("${source}")`,
      "background-size": `${wide}px auto`,
      "background-position": `${LOUPE / 2 - x * wide}px ${LOUPE / 2 - y * box.height * ZOOM}px`,
    },
  });
}

/** @param {Edit} edit @returns {Point[]} */
export const toPixels = (edit) => edit.corners.map(([x, y]) => [x * edit.size_wh[0], y * edit.size_wh[1]]);
