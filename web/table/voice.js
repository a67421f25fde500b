// The voice of the table: one screen speaks, chosen in its menu. Off by default; some browsers are silent until the first
// tap. The script for sounds is loaded with the first sound.

import { locale } from "./words.js";
import * as prefs from "./prefs.js";
import { wayOf } from "./turns.js";

const { language, region } = new Intl.Locale(locale).maximize();
const JINGLE_AFTER_S = 0.6; // the score before it has faded by then
const FANFARE_S = 2; // the length of the notes at the end of a game

/**
 * Plays the household's own file for the event, else a built-in sound. Returns whether it was an own file.
 * @param {string} event @param {string} player @param {string} [ours]: the built-in sound @param {number} [after]: seconds from now
 */
const sound = (event, player, ours = event, after = 0) =>
  import("./sounds.js").then(
    async (sounds) => {
      const own = await sounds.own(event, player, after);
      if (!own) sounds.play(ours, after);
      return own;
    },
    () => false, // the table speaks without sounds, too
  );

/** @param {string} text @param {boolean} [after]: queue it behind the current sentence instead of replacing that */
export function speak(text, after) {
  const volume = prefs.volume();
  if (!("speechSynthesis" in window) || !text || !volume) return;
  if (!after) speechSynthesis.cancel(); // only the latest: what it replaces may be outdated
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = `${language}-${region}`;
  utterance.volume = volume;
  speechSynthesis.speak(utterance);
}

/** Whether the browser is silent until somebody presses a key or touches the screen. */
export const needsTap = () =>
  import("./sounds.js").then(
    (sounds) => sounds.needsTap(),
    () => false,
  );

/** Whether a sentence is being spoken, or waits for that. */
export const speaking = () => "speechSynthesis" in window && (speechSynthesis.speaking || speechSynthesis.pending);

/** Whose turn it is, where one plays after the other; at the end, who has won. @param {State} state */
function whose(state) {
  const { finished, winners, players, active_player: at } = state;
  return (finished ? winners.length < 2 && players[winners[0]]?.name : !wayOf(state) && players[at ?? -1]?.name) || "";
}

let ending = Promise.resolve(false); // whether an own file plays at the end of the game

/** @param {News} news @param {State} state @param {State} [before] */
export function readOut({ kind, text, keys }, state, before = state) {
  if (kind === "turn") return;
  const seat = keys?.[0]?.split("/")[1];
  const player = seat ? state.players[Number(seat)].name : whose(kind === "end" ? state : before);
  const sounds = sound(kind, player); // for corrections there are own files only
  if (kind === "end") ending = sounds;
  speak(text, kind === "record"); // after the winner's name
}

/** Speaks what the next throw has to bring, if that is switched on. @param {State} state @param {State} before @param {PublicRoom} room */
export function needs(state, before, room) {
  if (room.needs_aloud && state.needs && state.needs !== before.needs) speak(state.needs, true);
}

/** Plays the jingle of the player whose turn begins or who has won. @param {State} state @param {State} before @param {PublicRoom} room */
export async function jingle(state, before, room) {
  const name = whose(state);
  if (!name || (name === whose(before) && state.finished === before.finished)) return;
  const notes = room.profiles?.find((each) => each.name === name)?.jingle ?? "none";
  if (!state.finished) sound("turn", name, notes, JINGLE_AFTER_S);
  else if (!(await ending)) sound("turn", name, notes, FANFARE_S);
}
