// The replay of a great throw over the sheets: slow motion, zooming in, with a sentence. Any key, a tap or the next step ends
// it, and nothing waits for it: taps reach the page below. With reduced motion there is only the sentence.

import { callOf } from "./changes.js";
import { byId, h, paint } from "./dom.js";
import { t } from "./words.js";
import { get } from "./api.js";
import { rollOf } from "./turns.js";

const SENTENCE_MS = 4000; // without a film

const again = { frame: 0, timer: 0, words: "", steps: 0 };

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function stop() {
  cancelAnimationFrame(again.frame);
  clearTimeout(again.timer);
  paint(byId("again"), []);
}

addEventListener("keydown", stop);
addEventListener("pointerdown", stop);

/** @param {string} words @param {Children} more */
const show = (words, more) => paint(byId("again"), h("div", { class: `again${more ? "" : " said"}`, key: words }, more, h("p", words)));

/** @param {string} words @param {Api.Film} film */
async function play(words, { pictures, lasts_s: lasts }) {
  const images = pictures.map((each) => {
    const image = new Image();
    image.src = `data:image/jpeg;base64,${each.jpeg}`;
    return image;
  });
  await Promise.all(images.map((image) => image.decode()));
  show(words, [
    h("canvas", { width: images[0].width, height: images[0].height, role: "img", "aria-label": t("page/tv/again") }),
    h("span.again-skip", t("page/tv/skip")),
  ]);
  const canvas = /** @type {HTMLCanvasElement} */ (byId("again").querySelector("canvas"));
  const brush = canvas.getContext("2d");
  const { width, height } = canvas;
  const begun = performance.now();
  const step = (/** @type {number} */ now) => {
    const passed = Math.max(0, now - begun) / 1000;
    const at = pictures.filter(({ shown_s: from }) => from <= passed).length - 1;
    const [one, after] = [pictures[at], pictures[at + 1] ?? pictures[at]];
    const share = one === after ? 0 : (passed - one.shown_s) / (after.shown_s - one.shown_s);
    const [left, top, wide, high] = one.box.map((from, side) => from + (after.box[side] - from) * share);
    // Pictures fade into each other: few cameras take enough of them for smooth slow motion.
    for (const [index, alpha] of [
      [at, 1],
      [at + 1, share],
    ]) {
      if (!brush || !alpha) continue;
      brush.globalAlpha = alpha;
      brush.drawImage(images[index], left * width, top * height, wide * width, high * height, 0, 0, width, height);
    }
    if (one !== after) again.frame = requestAnimationFrame(step);
    else again.timer = window.setTimeout(stop, (lasts - passed) * 1000);
  };
  again.frame = requestAnimationFrame(step);
}

/** @param {string} words */
async function begin(words) {
  stop();
  again.words = words;
  if (!still()) {
    const film = /** @type {Api.Film} */ (await get("/api/v1/film"));
    if (again.words !== words) return;
    if (film.pictures.length) return play(words, film);
  }
  show(words, null);
  again.timer = window.setTimeout(stop, SENTENCE_MS);
}

/** Shows the last throw if it is the luckiest of the game so far, and that is known before the next step. @param {number} step */
async function lucky(step) {
  const { words } = /** @type {Api.LastLuck} */ (await get("/api/v1/luck"));
  if (words && step === again.steps) await begin(words);
}

/** @param {State} state @param {State} before @param {News | null} change */
export function watch(state, before, change) {
  const step = [before, state].map((at) => JSON.stringify([rollOf(at), at.dice]));
  if (step[0] === step[1]) return;
  again.words = "";
  again.steps += 1;
  stop();
  const quiet = () => {}; // the game works without
  const call = callOf(state);
  if (call && call.words !== callOf(before)?.words) begin(call.words).catch(quiet);
  if (change?.kind === "roll" && !call) lucky(again.steps).catch(quiet);
}
