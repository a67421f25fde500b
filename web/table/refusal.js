// What was refused, said while it is true: until the table waits for something else, and never for long.

import { byId } from "./dom.js";
import { turnOf } from "./turns.js";

const SAID_MS = 9000;
const READ_MS = 2500; // that a sentence takes to be read, also when it is over at once

let hush = 0;
/** How the table stood that the sentence is about; nothing where it holds whatever happens. */
let about = "";
let said_ms = 0;

/** @param {State | null} state */
const standing = (state) => JSON.stringify(state && [turnOf(state), state.throws_done, state.waiting_for]);

/** @param {string} text @param {string} [how] */
export function say(text, how = "") {
  const box = byId("refusal");
  box.textContent = text;
  box.hidden = !text;
  about = how;
  said_ms = performance.now();
  clearTimeout(hush);
  if (!text) return;
  hush = window.setTimeout(() => say(""), SAID_MS);
  box.scrollIntoView({ block: "nearest" }); // a form for a game is longer than a screen
}

/** That the table has moved on stays true; that the line is cut, until anything comes by it. @param {Failure} why @param {State | null} state */
export function refuse({ code, message }, state) {
  say(message, code === "version/stale" ? "" : code === "line/cut" ? code : standing(state));
}

/** The table stands like this now. @param {State} state */
export function settle(state) {
  if (!about || about === standing(state)) return;
  about = "";
  clearTimeout(hush);
  hush = window.setTimeout(() => say(""), READ_MS - (performance.now() - said_ms));
}
