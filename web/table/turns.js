// Identifies the turn and the roll of a state: a screen that slept or was offline misses the steps between.

import { parts } from "./parts.js";

/** The way of a game without turns; null for one with turns. @param {State} state */
export const wayOf = (state) => parts.map((part) => part.way?.(state)).find(Boolean) ?? null;

/** How many boxes a turn fills. @param {State} state */
export const boxesOf = (state) => Math.max(1, ...parts.map((part) => part.boxes?.(state) ?? 1));

/** The one box to which the turn is bound; null for none. @param {State} state */
export const boundTo = (state) => parts.map((part) => part.bound?.(state)).find(Boolean) ?? null;

/** @param {State} state */
export function turnOf(state) {
  const { game, active_player: seat, players } = state;
  const written = Object.values(players[seat ?? -1]?.boxes ?? {}).filter((points) => points !== null).length;
  return JSON.stringify([game, seat, Math.floor(written / boxesOf(state))]);
}

/** The seat of this screen, also as a member of a team; -1 for none. @param {State} state @param {Api.You | null} you */
export const ownSeat = ({ players }, you) =>
  players.findIndex((player) => !player.gone && you?.seat && [player.name, ...namesOf(player)].includes(you.seat));

/** The names of people who share a seat. @param {Player} player */
const namesOf = (player) => parts.flatMap((part) => part.names?.(player) ?? []);

/** Whether no person plays there. @param {Player} player */
export const nobody = (player) => parts.some((part) => part.nobody?.(player));

/** Identifies the round, where all play at once: it ends when the boxes are filled. @param {State | null} state */
export const roundOf = (state) => JSON.stringify(state && [state.game, state.players.map(({ boxes }) => boxes)]);

/** @param {State | null} state */
export const rollOf = (state) => state && JSON.stringify([turnOf(state), state.phase, state.throws_done]);

/** Everything a dialog's answer depends on: the dice, the seats, the boxes, the last step. @param {State | null} state */
const situationOf = (state) =>
  JSON.stringify(state && [rollOf(state), state.dice, state.undo, state.players.map(({ potentials, ...stands }) => stands)]);

// The command for a dialog that opens now: it carries the version on screen now, so that the station refuses it when the
// table has moved on. A restarted station counts versions anew: the current one is sent then, if the situation is the
// same; but not for a die in the tray, which may be another one.
/** @param {SheetPage} page @param {Command} send @returns {Command} */
export function answering(page, send) {
  const { state: opened, lines } = page;
  return (name, fields = {}, refused) => {
    const same = lines !== page.lines && !name.endsWith("_die") && situationOf(opened) === situationOf(page.state);
    return send(name, { version: (same ? page.state : opened)?.version, ...fields }, refused);
  };
}
