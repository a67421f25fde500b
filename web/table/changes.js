// What changed, in a sentence, for the live region and the voice. The station decides it; beside that
// a screen says what the table waits for.

import { parts } from "./parts.js";
import { wayOf } from "./turns.js";

/** What is called out of the throw that lies there. @param {State} state */
export const called = (state) => parts.map((part) => part.call?.(state)).find(Boolean);

/** @param {State} state @param {State} before @returns {News | null} */
export function change(state, before) {
  const { waiting_for: next } = state;
  const happened = parts.map((part) => part.happened?.(state, before)).find(Boolean);
  if (happened) return { ...happened, next };
  // Where nobody has a turn, who is waited for changes with every tap.
  if (wayOf(state) && state.phase === before.phase && state.phase !== "throwing") return null;
  return next === before.waiting_for || (before.phase === "lobby" && state.game !== before.game) ? null : { kind: "turn", text: next };
}

/** @type {Promise<typeof import("./voice.js")> | null} */
let voice = null; // asked for once: else any who asks may be first

/** @param {(voice: typeof import("./voice.js")) => void} use */
export function aloud(use) {
  voice = voice || import("./voice.js");
  voice.then(use, () => {
    voice = null;
  });
}
