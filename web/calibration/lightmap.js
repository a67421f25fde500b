// A map of the light in the tray: few levels of brightness, so that shadows and dark sides are visible, with overexposed and
// very dark places in separate colours. Drawn here from the picture; the station judges the light.

import { h } from "./dom.js";
import { t } from "./words.js";

const WIDE = 480;
const STEPS = 7;
// Of a single place. The station calls a tray too dark if even its brightest quarter is below 60; a shadow, or a place
// beside the tray, may be that dark without harm.
const VERY_DARK = 30;
const BURNT = 250; // as in calibration/light.py
let drawn = "";

/** @param {HTMLCanvasElement} canvas @param {string} source @param {Point[]} outline @param {Point} size */
async function draw(canvas, source, outline, size) {
  const image = new Image();
  image.src = source;
  await image.decode();
  const [width, height] = [WIDE, Math.round((WIDE * size[1]) / size[0])];
  Object.assign(canvas, { width, height });
  const paper = canvas.getContext("2d", { willReadFrequently: true });
  if (!paper) return;
  paper.filter = "blur(2px)";
  paper.drawImage(image, 0, 0, width, height);
  const pixels = paper.getImageData(0, 0, width, height);
  const { data } = pixels;
  for (let at = 0; at < data.length; at += 4) {
    const light = 0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2];
    const step = Math.min(255, (Math.floor((light / 256) * STEPS * 1.6) + 0.5) * (255 / STEPS));
    const colour = light >= BURNT ? [226, 59, 38] : light < VERY_DARK ? [44, 74, 160] : [step, step, step * 0.9];
    data.set(colour, at);
  }
  paper.filter = "none";
  paper.putImageData(pixels, 0, 0);
  paper.beginPath();
  for (const [x, y] of outline) paper.lineTo((x * width) / size[0], (y * height) / size[1]); // the first call acts as moveTo
  paper.closePath();
  Object.assign(paper, { lineWidth: 3, strokeStyle: "#f0c060" });
  paper.stroke();
}

/** Drawn once for each source. @param {string} source: the picture of the empty tray @param {Api.CalibrationReport} info */
export function lightMap(source, { tray, size_wh: size }) {
  if (!source || !tray || !size) return null;
  queueMicrotask(() => {
    /** @type {HTMLCanvasElement | null} */
    const canvas = document.querySelector(".cal-map canvas");
    if (!canvas || drawn === source) return;
    drawn = source;
    draw(canvas, source, tray.outline, size).catch(() => {
      drawn = "";
    });
  });
  return h(
    "figure.cal-map",
    { key: "map" },
    h("canvas", { role: "img", "aria-label": t("page/calibrate/map") }),
    h("figcaption.aside", t("page/calibrate/map_how")),
  );
}
