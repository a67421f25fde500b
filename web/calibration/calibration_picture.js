// What the camera sees, and over it what is known of the tray, the light and the dice.

import { h } from "./dom.js";
import { t } from "./words.js";
import { handles, loupe, toPixels } from "./corners.js";

/** @typedef {import("./calibrate.js").Page} Page */

/** @param {Page} page @param {Api.CalibrationReport} info */
function overlay(page, info) {
  const { edit } = page;
  const [width, height] = info.size_wh || [1280, 720];
  /** @param {Point[]} list */
  const points = (list) => list.map(([x, y]) => `${x},${y}`).join(" ");
  const marks = [];
  if (page.watching) {
    const [across, down] = info.lens.grid;
    for (const [x, y] of info.lens.missing)
      marks.push(
        h("rect", {
          key: `missing-${x}-${y}`,
          class: "cal-missing",
          x: (x * width) / across,
          y: (y * height) / down,
          width: width / across,
          height: height / down,
        }),
      );
  } else if (edit) {
    marks.push(h("polygon", { key: "drag", class: "cal-outline", points: points(toPixels(edit)) }));
  } else if (info.tray) {
    marks.push(
      h("path", {
        key: "outside",
        class: "cal-outside",
        d: `M0 0H${width}V${height}H0Z M${info.tray.outline.map((point) => point.join(" ")).join("L")}Z`,
      }),
    );
    marks.push(h("polygon", { key: "outline", class: "cal-outline", points: points(info.tray.outline) }));
  }
  if (!edit && !page.watching && info.keeper) marks.push(h("polygon", { key: "keeper", class: "cal-keeper", points: points(info.keeper) }));
  if (!edit && !info.saved && !page.watching && info.light) {
    marks.push(
      ...info.light.spots.map(([x, y], index) => h("circle", { key: `spot-${index}`, class: "cal-spot", cx: x, cy: y, r: width / 40 })),
    );
    marks.push(...info.light.dim.map((part, index) => h("polygon", { key: `dim-${index}`, class: "cal-dim", points: points(part) })));
  }
  for (const [index, die] of (info.check.reading?.dice || []).entries()) {
    const [x, y] = die.center;
    marks.push(
      h("circle", { key: `ring-${index}`, class: "cal-ring", cx: x, cy: y, r: die.size * 0.85 }),
      h(
        "text",
        { key: `face-${index}`, class: "cal-face", x, y: y - die.size * 1.05, "font-size": Math.max(26, die.size * 0.8) },
        String(die.face),
      ),
    );
  }
  return h(
    "svg",
    { key: "overlay", class: "cal-overlay", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", focusable: "false" },
    marks,
  );
}

export const figure = () => /** @type {Element} */ (document.querySelector(".cal-picture"));

/** @param {import("./calibrated.js").Tools} tools */
export function picture({ page, info, draw }) {
  const [width, height] = info.size_wh || [16, 9];
  return h(
    "section",
    { class: "cal-view", "aria-label": t("page/common/camera_sees") },
    h(
      "div",
      { class: "cal-picture", vars: { "--ratio": width / height } },
      page.picture
        ? h("img", { key: "img", src: page.picture, alt: t("page/common/tray"), draggable: "false" })
        : h("p", { key: "wait", class: "aside" }, t("page/common/not_looked")),
      overlay(page, info),
      page.edit ? handles(page.edit, figure, draw) : null,
      page.edit ? loupe(page.edit, figure, page.picture) : null,
    ),
    info.simulated && !info.tray ? h("p", { class: "aside" }, t("page/calibrate/simulated")) : null,
  );
}
