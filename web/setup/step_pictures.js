// A line drawing for each step of the first setup.

import { h } from "./dom.js";

const DICE = ["M5 14h22v22h-22z", "M39 14h22v22h-22z", "M73 14h22v22h-22z", "M16 25h.1M45 20h.1M55 30h.1M79 20h.1M84 25h.1M89 30h.1"];
/** A tap below a die. @param {number} x */
const tap = (x) => `M${x} 58m-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0M${x - 3} 58l2.5 3l4-6`;
const goesOn = "M30 25h6m-2.5-2.5l2.5 2.5l-2.5 2.5M64 25h6m-2.5-2.5l2.5 2.5l-2.5 2.5";

/** @type {Record<string, string[]>} */
const LINES = {
  language: ["M8 14h38v24h-20l-10 10v-10h-8z", "M54 24h38v24h-8v10l-10-10h-20z", "M16 22h22M16 30h14M62 32h22M62 40h14"],
  camera: ["M30 8h40v14h-40z", "M50 22m-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0", "M46 29l-22 31h52l-22-31", "M16 60h68v8h-68z"],
  mounting: ["M14 6v62h72", "M14 12h40v10h-10v-4h-30", "M49 24l-16 40M49 24l22 40", "M50 28v34m-4-5l4 6l4-6"],
  calibration: [
    "M14 10h72v56h-72z",
    "M14 10h12v12h-12zM74 10h12v12h-12zM14 54h12v12h-12zM74 54h12v12h-12z",
    "M40 30h20v20h-20z",
    "M45 40h10M50 35v10",
  ],
  buttons: [
    "M10 44m-2 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0M34 44m-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0M52 44m-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0",
    "M80 44m-12 0a12 12 0 1 0 24 0a12 12 0 1 0-24 0M74 44l4 5l8-10",
    "M34 8v22m-6-7l6 8l6-8",
  ],
  host: ["M34 26m-14 0a14 14 0 1 0 28 0a14 14 0 1 0-28 0", "M45 35l34 30M66 54l8-8M74 61l8-8", "M29 24h10"],
  players: [
    "M30 22m-10 0a10 10 0 1 0 20 0a10 10 0 1 0-20 0M12 64c0-24 36-24 36 0",
    "M66 18m-10 0a10 10 0 1 0 20 0a10 10 0 1 0-20 0M50 46c8-16 34-12 34 18",
    "M12 68h76",
  ],
  each: [...DICE, tap(16), tap(50), tap(84)],
  unsure: [...DICE, goesOn, tap(84)],
  game: ["M16 26h32v32h-32z", "M56 14l28 10l-10 28l-28-10z", "M24 34h2M38 48h2M31 41h2M62 26h2M70 40h2M66 33h2", "M10 68h80"],
};

/** @param {string} what */
export const picture = (what) =>
  LINES[what] &&
  h(
    "svg.step-picture",
    { viewBox: "0 0 100 74", "aria-hidden": "true" },
    LINES[what].map((d, index) => h("path", { key: index, d })),
  );
