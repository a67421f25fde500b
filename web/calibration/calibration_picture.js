// The camera's picture, with tray, light and dice drawn over it.

import { h } from "./dom.js";
import { t } from "./words.js";
import { fetched } from "./fetched.js";
import { parts } from "./calibrate_parts.js";
import { handles, loupe, toPixels } from "./corners.js";

/** An object URL of the newest picture; "" while there is none. */
export async function live() {
  const answer = await fetched("/api/v1/calibration/frame.jpg");
  const body = await answer.blob(); // also of an error: an unread body keeps the connection open
  return answer.ok ? URL.createObjectURL(body) : "";
}

/** Replaces the picture; the old one is released once the new one is on screen. @param {{ picture: string }} page @param {string} now */
export function renew(page, now) {
  const before = page.picture;
  if (now) page.picture = now;
  if (now && before) setTimeout(() => URL.revokeObjectURL(before), 2000);
}

/** @typedef {import("./calibrate.js").Page} Page */

/** @param {Page} page @param {Api.CalibrationReport} info */
function overlay(page, info) {
  const { edit } = page;
  const [width, height] = info.size_wh || [1280, 720];
  const marks = [];
  if (page.watching) {
    const [across, down] = info.lens.grid;
    for (const [x, y] of info.lens.missing)
      marks.push(
        h("rect.cal-missing", {
          key: `missing-${x}-${y}`,
          x: (x * width) / across,
          y: (y * height) / down,
          width: width / across,
          height: height / down,
        }),
      );
  } else if (edit) {
    marks.push(h("polygon.cal-outline", { key: "drag", points: points(toPixels(edit)) }));
  } else if (info.tray) {
    marks.push(
      h("path.cal-outside", {
        key: "outside",
        d: `M0 0H${width}V${height}H0Z M${info.tray.outline.map((point) => point.join(" ")).join("L")}Z`,
      }),
    );
    marks.push(h("polygon.cal-outline", { key: "outline", points: points(info.tray.outline) }));
  }
  if (!edit && !page.watching) marks.push(...parts.flatMap((part) => part.marks(info)));
  if (!edit && !info.saved && !page.watching && info.light) {
    marks.push(...spots(info.light.spots, width));
    marks.push(...info.light.dim.map((part, index) => h("polygon.cal-dim", { key: `dim-${index}`, points: points(part) })));
  }
  for (const [index, die] of (info.check.reading?.dice || []).entries()) {
    const [x, y] = die.center;
    marks.push(
      h("circle.cal-ring", { key: `ring-${index}`, cx: x, cy: y, r: die.size * 0.85 }),
      h("text.cal-face", { key: `face-${index}`, x, y: y - die.size * 1.05, "font-size": Math.max(26, die.size * 0.8) }, String(die.face)),
    );
  }
  return drawing([width, height], marks);
}

/** A drawing over the picture, in its pixels. @param {Point} size @param {Children} marks */
export const drawing = ([width, height], marks) =>
  h("svg.cal-overlay", { key: "overlay", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", focusable: "false" }, marks);

/** Marks for overexposed spots. @param {readonly (readonly number[])[]} places @param {number} width: of the picture */
export const spots = (places, width) =>
  places.map(([x, y], index) => h("circle.cal-spot", { key: `spot-${index}`, cx: x, cy: y, r: width / 40 }));

/** @param {readonly (readonly number[])[]} list */
export const points = (list) => list.map((point) => point.join(",")).join(" ");

export const figure = () => /** @type {Element} */ (document.querySelector(".cal-picture"));

/** @param {import("./calibrated.js").Tools} tools */
export function picture({ page, info, draw }) {
  const [width, height] = info.size_wh || [16, 9];
  return h(
    "section.cal-view",
    { "aria-label": t("page/common/camera_sees") },
    h(
      "div.cal-picture",
      { vars: { "--ratio": width / height } },
      page.picture
        ? h("img", { key: "img", src: page.picture, alt: t("page/common/tray"), draggable: "false" })
        : h("p.aside", { key: "wait" }, t("page/common/not_looked")),
      overlay(page, info),
      page.edit ? handles(page.edit, figure, draw) : null,
      page.edit ? loupe(page.edit, figure, page.picture) : null,
    ),
    info.simulated && !info.tray ? h("p.aside", t("page/calibrate/simulated")) : null,
  );
}
