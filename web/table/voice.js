// The voice of the table: one screen speaks, chosen in its menu. Off until somebody wants it, and where the browser
// asks for a tap first, silent until there was one. The sounds are fetched when the first is wanted.

import { locale } from "./words.js";
import * as prefs from "./prefs.js";

const { language, region } = new Intl.Locale(locale).maximize();
const JINGLE_AFTER_S = 0.6; // the score before it has faded by then
const FANFARE_S = 2; // as long as that of the end
/** @type {News["kind"][]} */
const SOUNDS = ["roll", "score", "yacht", "straight", "last_throw", "end", "record"]; // what went wrong has none

/** @param {string} name @param {number} [after] */
const sound = (name, after) =>
  import("./sounds.js").then(
    (sounds) => sounds.play(name, after),
    () => {}, // without them the table still speaks
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

/** Whether something is being said. */
export const says = () => "speechSynthesis" in window && (speechSynthesis.speaking || speechSynthesis.pending);

/** @param {News} news */
export function tell({ kind, text }) {
  if (kind === "turn") return;
  if (SOUNDS.includes(kind)) sound(kind);
  speak(text, kind === "record"); // who won comes first
}

/** Whose turn it is, where one plays after the other; at the end, who has won. @param {State} state */
const whose = ({ finished, winners, simultaneous, players, active_player: at }) =>
  (finished ? winners.length < 2 && players[winners[0]]?.name : !simultaneous && players[at ?? -1]?.name) || "";

/** The notes of whose turn begins, or who has won, if they chose some. @param {State} state @param {State} before @param {PublicRoom} room */
export function jingle(state, before, room) {
  const name = whose(state);
  const mine = (name !== whose(before) || state.finished !== before.finished) && room.profiles?.find((each) => each.name === name);
  if (mine && mine.jingle !== "none") sound(mine.jingle, state.finished ? FANFARE_S : JINGLE_AFTER_S);
}
