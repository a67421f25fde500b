// The built-in sounds: each is a few notes, and a note is a decaying tone. They need no files.

import { fetched } from "./fetched.js";
import * as prefs from "./prefs.js";

/** Start in seconds, frequency in hertz, length in seconds. @typedef {[number, number, number]} Note */

/** @param {number} step: seconds @param {number[]} notes: hertz @param {number} long @returns {Note[]} */
const row = (step, notes, long = 0.3) => notes.map((hertz, place) => [place * step, hertz, long]);

/** @type {Record<"roll" | "score" | "yacht" | "straight" | "last_throw" | "end" | "record" | Exclude<Api.Jingle, "none">, Note[]>} */
const SOUNDS = {
  roll: row(0, [392]),
  score: row(0.13, [523, 659]),
  yacht: [...row(0.13, [523, 659, 784], 0.3), [0.39, 1047, 0.3], [0.65, 784, 0.2], [0.78, 1047, 0.3], [0.78, 1319, 1.1]],
  straight: row(0.11, [523, 587, 659, 698, 784], 0.35),
  last_throw: row(0.13, [659, 784, 1047], 0.4),
  end: [...row(0.16, [523, 523, 523], 0.14), [0.48, 659, 0.5], [0.8, 587, 0.2], [0.96, 659, 0.2], [1.12, 784, 0.9], [1.12, 1047, 0.9]],
  record: row(0.11, [659, 784, 988, 1319, 1568], 0.5),
  fanfare: [...row(0.12, [392, 392, 392], 0.12), [0.36, 523, 0.6]],
  bells: [
    [0, 1047, 0.9],
    [0.3, 880, 0.9],
    [0.6, 698, 1.2],
  ],
  bird: row(0.09, [1568, 2093, 1760, 2349, 1976], 0.09),
  march: row(0.2, [262, 330, 262, 392], 0.16),
  drops: row(0.17, [1319, 988, 1175, 784], 0.22),
  dance: row(0.14, [440, 554, 659, 554, 740, 659], 0.2),
};

/** @type {AudioContext | null} */
let context = null;

const WAKES_MS = 1000; // until sound starts in a browser that needs no tap

/** Whether the browser is silent until somebody presses a key or touches the screen. */
export async function needsTap() {
  try {
    if (ready()) return false;
    await new Promise((done) => setTimeout(done, WAKES_MS));
    return context?.state !== "running";
  } catch {
    return false;
  }
}

/** @param {AudioBuffer} buffer @param {number} loud @param {number} at */
function start(buffer, loud, at) {
  if (!context) return;
  const [source, volume] = [context.createBufferSource(), context.createGain()];
  source.buffer = buffer;
  volume.gain.value = loud;
  source.connect(volume).connect(context.destination);
  source.start(at);
}

/**
 * Plays the household's own file for that event and player. Returns whether there is one.
 * @param {string} event @param {string} player @param {number} after: seconds from now
 */
export async function own(event, player, after = 0) {
  if (!prefs.volume()) return false;
  try {
    const answer = await fetched(`/sounds/${event}?${new URLSearchParams({ player })}`);
    if (answer.status !== 200) return false;
    const file = await answer.arrayBuffer();
    if (!ready() || !context) return true;
    start(await context.decodeAudioData(file), prefs.volume(), context.currentTime + after);
    return true;
  } catch {
    return false; // no connection, or a file that this browser cannot play
  }
}

/** Whether sound is allowed. Sounds started before the first tap are dropped: the browser would play them all at once. */
function ready() {
  context = context || new (window.AudioContext || window.webkitAudioContext)();
  if (context.state === "running") return true;
  context.resume();
  return Boolean(navigator.userActivation?.hasBeenActive);
}

/** @param {string} name: of SOUNDS; any other is silent @param {number} after: seconds from now */
export function play(name, after = 0) {
  const loud = prefs.volume();
  if (!loud) return;
  try {
    if (!ready() || !context) return;
    for (const [start, hertz, long] of /** @type {Record<string, Note[]>} */ (SOUNDS)[name] || []) {
      const at = context.currentTime + after + start;
      const [tone, volume] = [context.createOscillator(), context.createGain()];
      tone.type = "triangle";
      tone.frequency.value = hertz;
      volume.gain.setValueAtTime(0.0001, at);
      volume.gain.exponentialRampToValueAtTime(0.16 * loud, at + 0.012);
      volume.gain.exponentialRampToValueAtTime(0.0001, at + long);
      tone.connect(volume).connect(context.destination);
      tone.start(at);
      tone.stop(at + long + 0.02);
    }
  } catch {
    /* a browser without sound is a quiet screen */
  }
}
