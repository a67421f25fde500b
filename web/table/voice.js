// The voice of the table: one screen speaks, chosen in its menu. Off until somebody wants it, and where the browser
// asks for a tap first, silent until there was one. The sounds are fetched when the first is wanted.

import { locale } from "./words.js";
import * as prefs from "./prefs.js";

const { language, region } = new Intl.Locale(locale).maximize();
const JINGLE_AFTER_S = 0.6; // the score before it has faded by then
/** @type {News["kind"][]} */
const SOUNDS = ["roll", "score", "yacht", "record"];

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
  if (kind === "back") speechSynthesis?.cancel?.();
  else if (kind !== "turn") {
    if (SOUNDS.includes(kind)) sound(kind);
    speak(text, kind === "record"); // who won comes first
  }
}

/** Whose turn it is, where one plays after the other. @param {State} state */
const whose = ({ finished, simultaneous, players, active_player: at }) => (!finished && !simultaneous && players[at ?? -1]?.name) || "";

/** The notes of whose turn begins, if they chose some. @param {State} state @param {State} before @param {PublicRoom} room */
export function jingle(state, before, room) {
  const name = whose(state);
  const mine = name !== whose(before) && room.profiles?.find((each) => each.name === name);
  if (mine && mine.jingle !== "none") sound(mine.jingle, JINGLE_AFTER_S);
}
