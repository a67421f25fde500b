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
    const [told, odds] = await Promise.all([get("/api/v1/hint"), get("/api/v1/odds")]);
    if (odds.words) told.words = odds.words;
    if (odds.chances.length > 1) told.chance = odds.chances[state.active_player];
    if (hint.asking === key) { hint.key = key; hint.told = told; draw(); }
  } catch {
    hint.key = key;
    hint.told = null;
  } finally {
    if (hint.asking === key) hint.asking = null;
  }
}

const odds = { key: null, chances: [] };

// Chances to win, one for each player; none while they are not known.
export function chances(state, draw) {
  if (state.finished || state.players.length < 2 || state.active_player === null) return [];
  const key = position(state) + JSON.stringify(state.players.map((player) => player.total));
  if (odds.key !== key && odds.asking !== key) {
    odds.asking = key;
    get("/api/v1/odds").then((told) => {
      if (odds.asking !== key) return;
      odds.key = key;
      odds.chances = told.chances;
      draw();
      if (!told.chances.length && told.message) setTimeout(() => { if (odds.key === key) { odds.key = odds.asking = null; draw(); } }, 10000);
    }).catch(() => { odds.key = key; odds.chances = []; });
  }
  return odds.chances.length === state.players.length ? odds.chances : [];
}
