// Installs the station as an app: the service worker keeps a page for when the station does not answer. Browsers allow
// service workers only on trusted connections (https, or the station's own screen).

import { cookie, pages, applyTheme } from "./prefs.js";

if (!window.HTMLDialogElement || !CSS.supports("inset", "0")) import("./older.js").then(({ complete }) => complete());

const LATER_MS = 5000; // so that it does not slow down the first page
addEventListener("load", () => setTimeout(install, LATER_MS));

const page = document.documentElement;

async function install() {
  try {
    await navigator.serviceWorker.register("/service-worker.js");
    const { active } = await navigator.serviceWorker.ready;
    active?.postMessage([cookie("language") || page.lang, page.dataset.theme || ""]); // for the page it keeps
  } catch {
    /* no service worker, no offline page */
  }
}

// All open pages of a browser follow a change of theme or language. An address may request another language than the
// cookie has, so the cookie at load time counts.
const language = cookie("language");

/** @param {string} theme @param {string} chosen: a language */
function agree(theme, chosen) {
  applyTheme(theme);
  if (chosen !== language) location.reload();
}
// The message contains the choice: the cookie may reach this page later.
if (pages) pages.onmessage = ({ data: [theme, chosen] }) => agree(theme, chosen);

// The browser may restore a page from its cache: content rendered by the server is then out of date.
const rendered = /^\/(join|history|health|evening)/.test(location.pathname);
if (rendered) import("./written.js").catch(() => {}); // without the station there is nothing newer

addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  if (rendered) location.reload();
  else agree(cookie("theme"), cookie("language"));
});
