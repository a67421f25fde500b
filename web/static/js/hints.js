// Hints for the player whose turn it is, where that player wants them, and only where they should be seen.

import { get } from "./api.js";

const hint = { key: null, told: null };

const position = (state) => JSON.stringify([state.game, state.active_player, state.throws_done, state.dice.map((item) => item.face), state.players[state.active_player]?.boxes]);

// On a shared screen, or on this player's own; never on a neighbour's phone.
export function wanted(state, room, you) {
  const name = state.players[state.active_player]?.name;
  if (!name || !state.dice.length || !["holding", "choosing"].includes(state.phase)) return false;
  return Boolean(room.hints?.includes(name)) && (!you?.seat || you.seat === name);
}

export const wantedOnTv = (state, room) => state.dice.length > 0 && state.players.length > 0 && state.players.every((player) => room.tv_hints?.includes(player.name));

export function current(state) { return hint.key === position(state) ? hint.told : null; }

export async function refresh(state, draw) {
  const key = position(state);
  if (hint.asking === key || hint.key === key) return;
  hint.asking = key;
  try {
    const told = await get("/api/v1/hint");
    if (hint.asking === key) { hint.key = key; hint.told = told; draw(); }
  } catch {
    hint.key = key;
    hint.told = null;
  } finally {
    if (hint.asking === key) hint.asking = null;
  }
}
