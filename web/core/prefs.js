// What this screen remembers for itself: light or dark, and the language. Kept in cookies, so that the server
// can paint the first picture right.

const YEAR_S = 31536000;

/** To the other pages of this browser, where it lets them talk to each other; Safari does from 15.4. */
export const pages = "BroadcastChannel" in window ? new BroadcastChannel("look") : null;

/** @param {string} name @param {string} value */
export function remember(name, value) {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API wants https, which few houses have
  document.cookie = `${name}=${encodeURIComponent(value)};path=/;max-age=${value ? YEAR_S : 0};samesite=lax`;
}

export function theme() {
  return document.documentElement.dataset.theme || "system";
}

/** @param {string} value */
export function setTheme(value) {
  const wanted = value === "system" ? "" : value;
  remember("theme", wanted);
  wear(wanted);
  pages?.postMessage([wanted, cookie("language")]);
}

/** @param {string} wanted: a theme; "" for the system's */
export function wear(wanted) {
  if (wanted) document.documentElement.dataset.theme = wanted;
  else delete document.documentElement.dataset.theme;
  tint();
}

export function tint() {
  const colour = getComputedStyle(document.documentElement).getPropertyValue("--felt-deep").trim();
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", colour);
}

// How loud this screen is. "" is loud: most never open the menu.
/** @type {Record<string, number>} */
const LOUD = { off: 0, low: 0.35, "": 1 };

/** What this screen remembers; "" for nothing. @param {string} name */
export const cookie = (name) => new RegExp(`(?:^|; )${name}=([^;]*)`).exec(document.cookie)?.[1] || "";

/** Which thumb the buttons of a phone lie under: "left", or "" for the right one. @param {string} side */
export function setHand(side) {
  remember("hand", side);
  document.documentElement.dataset.hand = side;
}

export const loudness = () => cookie("volume");

/** Hours in which this screen is quiet, as "22-7"; "" for none. */
export const quietHours = () => cookie("quiet");

/** Where the first setup was left on this screen. */
export const setupStep = () => cookie("setup_step");

/** Whether it is one of these hours, "22-7"; never with "". @param {string} hours */
export function during(hours) {
  const [from, until] = hours.split("-").map(Number);
  const hour = new Date().getHours();
  if (until === undefined) return false;
  return from <= until ? hour >= from && hour < until : hour >= from || hour < until;
}

/** From 0 to 1, now. */
export const volume = () => (during(quietHours()) ? 0 : (LOUD[loudness()] ?? 1));

// Every language there is a catalogue of, with what it calls itself: "Deutsch", "Français".
/** @returns {[string, string][]} */
export const languages = () => Object.entries(JSON.parse(document.documentElement.dataset.languages || "{}"));

/** @param {string} value */
export function setLanguage(value) {
  remember("language", value);
  pages?.postMessage([cookie("theme"), value]);
  location.reload();
}
