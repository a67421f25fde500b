// The preferences of this screen, such as theme and language, in cookies, so that the server renders the first page right.

const YEAR_S = 31536000;

/** The channel to the other pages of this browser; Safari has it from 15.4. */
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
  applyTheme(wanted);
  pages?.postMessage([wanted, cookie("language")]);
}

/** @param {string} wanted: a theme; "" for the system's */
export function applyTheme(wanted) {
  if (wanted) document.documentElement.dataset.theme = wanted;
  else delete document.documentElement.dataset.theme;
  tint();
}

export function tint() {
  const colour = getComputedStyle(document.documentElement).getPropertyValue("--felt-deep").trim();
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", colour);
}

// The volume of this screen, by its setting; "" is the default.
/** @type {Record<string, number>} */
const LOUD = { off: 0, low: 0.35, "": 1 };

/** The value of a cookie; "" for none. @param {string} name */
export const cookie = (name) => new RegExp(`(?:^|; )${name}=([^;]*)`).exec(document.cookie)?.[1] || "";

/** @param {string} side: the thumb that a phone's buttons are placed for, "left" or "" for right */
export function setHand(side) {
  remember("hand", side);
  document.documentElement.dataset.hand = side;
}

export const loudness = () => cookie("volume");

/** The hours in which this screen is silent, as "22-7"; "" for none. */
export const quietHours = () => cookie("quiet");

/** The step of the first setup that this screen was at. */
export const setupStep = () => cookie("setup_step");

/** Whether it is one of these hours, "22-7"; never with "". @param {string} hours */
export function during(hours) {
  const [from, until] = hours.split("-").map(Number);
  const hour = new Date().getHours();
  if (until === undefined) return false;
  return from <= until ? hour >= from && hour < until : hour >= from || hour < until;
}

/** The volume now, 0 to 1. */
export const volume = () => (during(quietHours()) ? 0 : (LOUD[loudness()] ?? 1));

// All languages with a catalogue, each with its own name: "Deutsch", "Français".
/** @returns {[string, string][]} */
export const languages = () => Object.entries(JSON.parse(document.documentElement.dataset.languages || "{}"));

/** @param {string} value */
export function setLanguage(value) {
  remember("language", value);
  pages?.postMessage([cookie("theme"), value]);
  location.reload();
}
