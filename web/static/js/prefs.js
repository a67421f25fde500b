// What this screen remembers for itself: light or dark, language, and what only concerns these eyes.
// Kept in cookies, so that the server can paint the first picture right.

const YEAR_S = 31536000;

export function remember(name, value) {
  document.cookie = `${name}=${encodeURIComponent(value)};path=/;max-age=${value ? YEAR_S : 0};samesite=lax`;
}

export function theme() { return document.documentElement.dataset.theme || "system"; }

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

export function setLanguage(value) { remember("language", value); location.reload(); }

export function kept(name, fallback) {
  try { return JSON.parse(localStorage.getItem(`yacht.${name}`)) ?? fallback; } catch { return fallback; }
}

export function keep(name, value) {
  try { localStorage.setItem(`yacht.${name}`, JSON.stringify(value)); } catch { /* private mode: forgotten at the end */ }
}
