// Animates the fall of dice that both stations drew, once on each screen without reduced motion. The roll counts already.

import { turnOf } from "./turns.js";

/** @param {State} state @param {State} before */
export function watch(state, before) {
  if (!state.players[state.active_player ?? -1]?.without_tray) return;
  const next = turnOf(before) === turnOf(state) && before.throws_done === state.throws_done - 1;
  if (!next || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const held = before.dice.filter((item) => item.held).map((item) => item.slot);
  const faces = state.dice.filter((item) => !held.includes(item.slot)).map((item) => item.face);
  import("./tumbling.js").then(({ tumble }) => tumble(faces)).catch((error) => console.warn("no dice to be seen falling", error));
}
