// Lets a phone keep the station as an app: the browser's worker keeps the page for when it does not answer. Browsers
// have workers where the connection is trusted (https, or the station's own screen), and nowhere else.

import { cookie, pages, wear } from "./prefs.js";

if (!window.HTMLDialogElement || !CSS.supports("inset", "0")) import("./older.js").then(({ complete }) => complete());

const LATER_MS = 5000; // who opens a page as a game begins shall not wait for it
addEventListener("load", () => setTimeout(install, LATER_MS));

const page = document.documentElement;

async function install() {
  try {
    await navigator.serviceWorker.register("/service-worker.js");
    const { active } = await navigator.serviceWorker.ready;
    active?.postMessage([cookie("language") || page.lang, page.dataset.theme || ""]); // the page it keeps shall look and speak so, too
  } catch {
    /* without workers there is no page for when the station does not answer */
  }
}

// All pages of a browser look and speak alike: one that was open when that was chosen on another, or left before. An
// address may ask for another language than is remembered.
const language = cookie("language");

/** @param {string} theme @param {string} chosen: a language */
function agree(theme, chosen) {
  wear(theme);
  if (chosen !== language) location.reload();
}
// The message brings what was chosen: the cookie may reach this page later.
if (pages) pages.onmessage = ({ data: [theme, chosen] }) => agree(theme, chosen);

// The browser may show a page again as it was left: what the station wrote into it is old then.
const written = /^\/(join|history|health|evening)/.test(location.pathname);
if (written) import("./written.js").catch(() => {}); // without the station there is nothing newer

addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  if (written) location.reload();
  else agree(cookie("theme"), cookie("language"));
});
