// What changed, in a sentence: for the live region, and for the voice where one is wanted. The station decides what is new
// and says it (station/game/news.py); beside that a screen that is read out says what the table waits for.

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
