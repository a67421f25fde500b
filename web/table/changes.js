// A change at the table as a sentence, for the live region and the voice. The station sends it; a screen adds what the
// table waits for.

import { parts } from "./parts.js";
import { wayOf } from "./turns.js";

/** The call for the throw in the tray. @param {State} state */
export const callOf = (state) => parts.map((part) => part.call?.(state)).find(Boolean);

/** @param {State} state @param {State} before @returns {News | null} */
export function change(state, before) {
  const { waiting_for: next } = state;
  const happened = parts.map((part) => part.happened?.(state, before)).find(Boolean);
  if (happened) return { ...happened, next };
  // Without turns, every tap changes who the table waits for: no news.
  if (wayOf(state) && state.phase === before.phase && state.phase !== "throwing") return null;
  return next === before.waiting_for || (before.phase === "lobby" && state.game !== before.game) ? null : { kind: "turn", text: next };
}

/** @type {Promise<typeof import("./voice.js")> | null} */
let voice = null; // one import for all callers, which keeps their order

/** @param {(voice: typeof import("./voice.js")) => void} use */
export function aloud(use) {
  voice = voice || import("./voice.js");
  voice.then(use, () => {
    voice = null;
  });
}
