// The voice of the table: one screen speaks, chosen in its menu. Off until somebody wants it, and where the browser
// asks for a tap first, silent until there was one. The sounds are fetched when the first is wanted.

import { locale } from "./words.js";
import * as prefs from "./prefs.js";
import { wayOf } from "./turns.js";

const { language, region } = new Intl.Locale(locale).maximize();
const JINGLE_AFTER_S = 0.6; // the score before it has faded by then
const FANFARE_S = 2; // as long as that of the end

/**
 * The file of one's own for it, else ours. Gives whether it was one's own.
 * @param {string} event @param {string} player @param {string} [ours]: its name where it is another @param {number} [after]
 */
const sound = (event, player, ours = event, after = 0) =>
  import("./sounds.js").then(
    async (sounds) => {
      const own = await sounds.own(event, player, after);
      if (!own) sounds.play(ours, after);
      return own;
    },
    () => false, // without them the table still speaks
  );

/** @param {string} text @param {boolean} [after]: what is being said, and not in its place */
export function speak(text, after) {
  const volume = prefs.volume();
  if (!("speechSynthesis" in window) || !text || !volume) return;
  if (!after) speechSynthesis.cancel(); // the latest only: nobody wants to hear what was corrected meanwhile
  const said = new SpeechSynthesisUtterance(text);
  said.lang = `${language}-${region}`;
  said.volume = volume;
  speechSynthesis.speak(said);
}

/** Whether the browser keeps silent until somebody presses a key or touches the screen. */
export const waits = () =>
  import("./sounds.js").then(
    (sounds) => sounds.waits(),
    () => false,
  );

/** Whether something is being said. */
export const says = () => "speechSynthesis" in window && (speechSynthesis.speaking || speechSynthesis.pending);

/** Whose turn it is, where one plays after the other; at the end, who has won. @param {State} state */
function whose(state) {
  const { finished, winners, players, active_player: at } = state;
  return (finished ? winners.length < 2 && players[winners[0]]?.name : !wayOf(state) && players[at ?? -1]?.name) || "";
}

let ending = Promise.resolve(false); // whether a file of one's own sounds at the end

/** @param {News} news @param {State} state @param {State} [before] */
export function tell({ kind, text, keys }, state, before = state) {
  if (kind === "turn") return;
  const seat = keys?.[0]?.split("/")[1];
  const player = seat ? state.players[Number(seat)].name : whose(kind === "end" ? state : before);
  const sounds = sound(kind, player); // what went wrong has a sound only where somebody made one
  if (kind === "end") ending = sounds;
  speak(text, kind === "record"); // who won comes first
}

/** What the next throw has to bring, where that is wanted. @param {State} state @param {State} before @param {PublicRoom} room */
export function needs(state, before, room) {
  if (room.needs_aloud && state.needs && state.needs !== before.needs) speak(state.needs, true);
}

/** The notes of whose turn begins, or who has won, if they chose some. @param {State} state @param {State} before @param {PublicRoom} room */
export async function jingle(state, before, room) {
  const name = whose(state);
  if (!name || (name === whose(before) && state.finished === before.finished)) return;
  const notes = room.profiles?.find((each) => each.name === name)?.jingle ?? "none";
  if (!state.finished) sound("turn", name, notes, JINGLE_AFTER_S);
  else if (!(await ending)) sound("turn", name, notes, FANFARE_S);
}
