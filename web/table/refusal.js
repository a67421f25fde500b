// The message of a refused command, shown while it is true: until the table waits for something else, and never for long.

import { byId } from "./dom.js";
import { turnOf } from "./turns.js";

const SHOWN_MS = 9000;
const READ_MS = 2500; // the least, for reading a sentence

let hush = 0;
/** The situation that the message is about, as `standing` gives it; empty for a message that stays true. */
let about = "";
let since_ms = 0;

/** @param {State | null} state */
const standing = (state) => JSON.stringify(state && [turnOf(state), state.throws_done, state.waiting_for]);

/** @param {string} text @param {string} [how] */
export function say(text, how = "") {
  const box = byId("refusal");
  box.textContent = text;
  box.hidden = !text;
  about = how;
  since_ms = performance.now();
  clearTimeout(hush);
  if (!text) return;
  hush = window.setTimeout(() => say(""), SHOWN_MS);
  box.scrollIntoView({ block: "nearest" }); // a form for a game is longer than a screen
}

/** A stale version stays true; a lost connection, until the next state arrives. @param {Failure} why @param {State | null} state */
export function refuse({ code, message }, state) {
  say(message, code === "version/stale" ? "" : code === "line/cut" ? code : standing(state));
}

/** Hides a message that the new state has made obsolete. @param {State} state */
export function settle(state) {
  if (!about || about === standing(state)) return;
  about = "";
  clearTimeout(hush);
  hush = window.setTimeout(() => say(""), READ_MS - (performance.now() - since_ms));
}
