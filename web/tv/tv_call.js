// The band across the big screen: what a great throw is called, and for some seconds what was put right or taken back. It
// lies over the headline, so that dice and replay stay in view; the live region says the same.

import { called } from "./changes.js";
import { byId, h, paint } from "./dom.js";

const STAYS_MS = 5000;
const NOTICES = ["back", "corrected"];
let timer = 0;
let asked = ""; // until a key is pressed

/** @param {string} words @param {string} call: before them, larger */
const band = (words, call = "") =>
  paint(byId("call"), words ? h("p", { class: call && "called", key: words }, call && h("b", call), h("span", words)) : []);

/** What is asked of who stands before the screen, until a key is pressed; "" for nothing more. @param {string} text */
export function ask(text) {
  asked = text;
  band(asked);
}

for (const pressed of ["keydown", "pointerdown"]) addEventListener(pressed, () => ask(""));

/** @param {News} change @param {State} state */
export function show({ kind, text }, state) {
  if (kind === "turn" || kind === "record") return; // beside what was just called
  clearTimeout(timer);
  timer = window.setTimeout(() => band(asked), STAYS_MS);
  const there = called(state);
  const call = (there?.kind === kind && there.call) || "";
  if (call) band(text.slice(call.length).trim(), call);
  else band(NOTICES.includes(kind) ? text : asked);
}
