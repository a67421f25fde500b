// Which turn a state is of, and which roll: a screen that slept or was cut off misses the moments between two.

/** @param {State} state */
export function turnOf({ game, active_player: seat, players, boxes_per_turn: each }) {
  const written = Object.values(players[seat ?? -1]?.boxes ?? {}).filter((points) => points !== null).length;
  return JSON.stringify([game, seat, Math.floor(written / each)]);
}

/** @param {State | null} state */
export const rollOf = (state) => state && JSON.stringify([turnOf(state), state.phase, state.throws_done]);
