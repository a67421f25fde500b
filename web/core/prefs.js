// What this screen remembers for itself: light or dark, and the language. Kept in cookies, so that the server
// can paint the first picture right.

const YEAR_S = 31536000;

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
  if (value === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = value;
  remember("theme", value === "system" ? "" : value);
  tint();
}

export function tint() {
  const colour = getComputedStyle(document.documentElement).getPropertyValue("--felt-deep").trim();
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", colour);
}

// Every language there is a catalogue of, with what it calls itself: "Deutsch", "Français".
/** @returns {[string, string][]} */
export const languages = () =>
  (document.documentElement.dataset.languages || "").split(" ").map((language) => {
    const name = new Intl.DisplayNames(language, { type: "language" }).of(language) || language;
    return [language, name.charAt(0).toLocaleUpperCase(language) + name.slice(1)];
  });

/** @param {string} value */
export function setLanguage(value) {
  remember("language", value);
  location.reload();
}
