// Which turn a state is of, and which roll: a screen that slept or was cut off misses the moments between two.

import { parts } from "./parts.js";

/** How a game is played that does not go in turns; null for one that does. @param {State} state */
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

/** Where who has this screen sits, alone or in a team; -1 for nowhere. @param {State} state @param {Api.You | null} you */
export const ownSeat = ({ players }, you) =>
  players.findIndex((player) => !player.gone && you?.seat && [player.name, ...namesOf(player)].includes(you.seat));

/** People who share a seat. @param {Player} player */
const namesOf = (player) => parts.flatMap((part) => part.names?.(player) ?? []);

/** Whether no person plays there. @param {Player} player */
export const nobody = (player) => parts.some((part) => part.nobody?.(player));

/** Where all play at once: until their boxes are written. @param {State | null} state */
export const roundOf = (state) => JSON.stringify(state && [state.game, state.players.map(({ boxes }) => boxes)]);

/** @param {State | null} state */
export const rollOf = (state) => state && JSON.stringify([turnOf(state), state.phase, state.throws_done]);

/** What an answer is given about: the dice that lie there, who sits where, what stands in the boxes, what was done last. @param {State | null} state */
const standOf = (state) =>
  JSON.stringify(state && [rollOf(state), state.dice, state.undo, state.players.map(({ potentials, ...stands }) => stands)]);

// The command of a dialog that opens now: its answer is meant for what is shown now, and the station refuses it if that has
// passed. One that was started again knows no version of before: then it is meant for what is shown there, if that is the
// same; but what is said of a die in the tray may be of another.
/** @param {SheetPage} page @param {Command} send @returns {Command} */
export function answering(page, send) {
  const { state: meant, lines } = page;
  return (name, fields = {}, refused) => {
    const same = lines !== page.lines && !name.endsWith("_die") && standOf(meant) === standOf(page.state);
    return send(name, { version: (same ? page.state : meant)?.version, ...fields }, refused);
  };
}
