// A great throw again: its last three seconds in slow motion over the sheets, with a sentence. Any key, a tap or the next
// step ends it, and nothing waits for it. Where no movement is wanted there is the sentence alone.

import { byId, h, paint } from "./dom.js";
import { t } from "./words.js";
import { get } from "./api.js";
import { rollOf } from "./turns.js";

const SLOWER = 2.5; // times as long as it took
const STAYS_MS = 2500; // of the last picture, and of a sentence alone

const again = { frame: 0, timer: 0, shown: "", steps: 0 };

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

/** @param {string} words @param {Api.FilmStill[]} pictures */
async function play(words, pictures) {
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
  const brush = document.querySelector("canvas")?.getContext("2d");
  const begun = performance.now();
  let at = -1;
  const step = (/** @type {number} */ now) => {
    const passed = (now - begun) / 1000 / SLOWER;
    const next = pictures.filter((each) => each.at_s <= passed).length - 1;
    if (next !== at && next >= 0) brush?.drawImage(images[next], 0, 0);
    at = next;
    if (next < pictures.length - 1) again.frame = requestAnimationFrame(step);
    else again.timer = window.setTimeout(stop, STAYS_MS);
  };
  again.frame = requestAnimationFrame(step);
}

/** @param {string} words */
async function begin(words) {
  stop();
  const key = words;
  again.shown = key;
  if (!still()) {
    const { pictures } = /** @type {Api.Film} */ (await get("/api/v1/film"));
    if (again.shown !== key) return;
    if (pictures.length > 2) return play(words, pictures);
  }
  show(words, null);
  again.timer = window.setTimeout(stop, 2 * STAYS_MS);
}

/** Whether the last throw is the luckiest of the game so far, where that can be told before the next step. @param {number} step */
async function lucky(step) {
  const { words } = /** @type {Api.LastLuck} */ (await get("/api/v1/luck"));
  if (words && step === again.steps) await begin(words);
}

/** @param {State} state @param {State | null} before */
export function watch(state, before) {
  if (!before) return;
  const step = [before, state].map((at) => JSON.stringify([rollOf(at), at.dice]));
  if (step[0] === step[1]) return;
  again.shown = "";
  again.steps += 1;
  stop();
  const quiet = () => {}; // without it the game is as good
  const { great, news } = state;
  if (great && great.words !== before.great?.words) begin(great.words).catch(quiet);
  if (news?.kind === "roll" && news.number !== before.news?.number && !great) lucky(again.steps).catch(quiet);
}
