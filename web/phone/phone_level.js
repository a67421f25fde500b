// How straight down a phone's camera points, from the phone's sensors.

import { h } from "./dom.js";
import { t } from "./words.js";

export const STRAIGHT_DEG = 12; // up to this tilt the tops of dice are well visible

/** The tilt of a phone's camera from straight down, in degrees. @param {number} beta @param {number} gamma: of the event, degrees */
export function tiltOf(beta, gamma) {
  const [front, side] = [beta, gamma].map((angle) => (angle * Math.PI) / 180);
  return (Math.acos(Math.cos(front) * Math.cos(side)) * 180) / Math.PI;
}

/** Calls back with each new pair of angles; Safari asks for permission first, at a tap. @param {(beta: number, gamma: number) => void} onAngles */
export async function sense(onAngles) {
  const kind = /** @type {any} */ (window).DeviceOrientationEvent;
  try {
    if (kind?.requestPermission) await kind.requestPermission();
  } catch {
    return; // without a tap: the next tap asks again
  }
  addEventListener("deviceorientation", ({ beta, gamma }) => {
    if (beta !== null && gamma !== null) onAngles(beta, gamma);
  });
}

/** @param {[number, number] | null} angles */
export function level(angles) {
  if (!angles) return null;
  const tilt = tiltOf(...angles);
  const good = tilt <= STRAIGHT_DEG;
  const [x, y] = [angles[1], angles[0]].map((angle) => Math.max(-24, Math.min(24, angle)));
  return h(
    "div",
    { key: "level", class: good ? "level good" : "level" },
    h(
      "svg",
      { viewBox: "-28 -28 56 56", "aria-hidden": "true" },
      h("circle", { r: 26 }),
      h("circle", { r: STRAIGHT_DEG }),
      h("circle", { cx: x, cy: y, r: 6 }),
    ),
    h("span", t(good ? "page/phone/level" : "page/phone/straighter", { degrees: Math.round(tilt) })),
  );
}
