// The band across the big screen: what a great throw is called, and for some seconds what was put right or taken back. It
// lies over the headline, so that dice and replay stay in view; the live region says the same.

import { byId, h, paint } from "./dom.js";

const STAYS_MS = 5000;
let timer = 0;

/** @param {News} news @param {State} state */
export function show({ kind, text }, { great }) {
  const called = great?.kind === kind;
  const call = (called && great.call) || "";
  const notice = kind === "back" || kind === "corrected";
  if (kind === "turn" || kind === "record") return; // beside what was just called
  clearTimeout(timer);
  const rest = call ? text.slice(call.length).trim() : text;
  paint(byId("call"), called || notice ? h("p", { class: called ? "called" : "", key: text }, call && h("b", call), h("span", rest)) : []);
  timer = window.setTimeout(() => paint(byId("call"), []), STAYS_MS);
}
