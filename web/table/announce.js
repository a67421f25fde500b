// What changed, in a sentence, for the live region and the voice. The station decides it; beside that
// a screen says what the table waits for.

/** @param {State} state @param {State} before @returns {News | null} */
export function change(state, before) {
  const { news, waiting_for: next } = state;
  if (news && news.number !== before.news?.number) {
    const { kind, text, boxes } = news;
    return { kind, text, keys: boxes.map(({ category, player }) => `${category}/${player}`), next };
  }
  // Where all play at once, who is waited for changes with every tap.
  if (state.simultaneous && state.phase === before.phase && state.phase !== "throwing") return null;
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
