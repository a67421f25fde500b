// The band across the big screen: the call of a great throw, and for some seconds a correction or an undo. It covers the
// headline, so that dice and replay stay in view; the live region has the same text.

import { callOf } from "./changes.js";
import { byId, h, paint } from "./dom.js";

const STAYS_MS = 5000;
const NOTICES = ["back", "corrected"];
let timer = 0;
let prompt = ""; // until a key is pressed

/** @param {string} words @param {string} call: in larger letters before the words */
const band = (words, call = "") =>
  paint(byId("call"), words ? h("p", { class: call && "callOf", key: words }, call && h("b", call), h("span", words)) : []);

/** Shows a request to the people before the screen, until a key is pressed; "" removes it. @param {string} text */
export function ask(text) {
  prompt = text;
  band(prompt);
}

for (const pressed of ["keydown", "pointerdown"]) addEventListener(pressed, () => ask(""));

/** @param {News} change @param {State} state */
export function show({ kind, text }, state) {
  if (kind === "turn" || kind === "record") return; // the call stays
  clearTimeout(timer);
  timer = window.setTimeout(() => band(prompt), STAYS_MS);
  const throwView = callOf(state);
  const call = (throwView?.kind === kind && throwView.call) || "";
  if (call) band(text.slice(call.length).trim(), call);
  else band(NOTICES.includes(kind) ? text : prompt);
}
