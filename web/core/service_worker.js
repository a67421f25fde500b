// Caches one page for when the station does not answer, and nothing else: a game always comes from the station. The station
// serves this file with a fingerprint of its pages, so that a new version replaces the cached page.

const worker = /** @type {any} */ (self);
const CACHE = "offline";
const PAGE = "/offline";
const LIMIT_MS = 30000; // on a silent connection the browser itself would wait for minutes

/** `fetch` with a time limit. @param {Request | string} request @param {RequestInit} [options] @returns {Promise<Response>} */
const fetched = (request, options) =>
  Promise.race([fetch(request, options), new Promise((_, late) => setTimeout(() => late(new Error("late")), LIMIT_MS))]);

/** Caches the page and the files it needs. */
async function keep() {
  const answer = await fetched(PAGE, { cache: "no-store" });
  const text = await answer.clone().text();
  const files = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file]) => file);
  await caches.delete(CACHE);
  const cache = await caches.open(CACHE);
  await cache.addAll([...new Set(files)]);
  await cache.put(PAGE, answer);
}

/** @param {[string, string]} look: language and theme */
async function agree([language, theme]) {
  const [head] = (await (await caches.match(PAGE))?.text())?.match(/<html[^>]*>/) || [""];
  const [, dark] = head.match(/data-theme="(\w+)"/) || ["", ""];
  if (!head.includes(`lang="${language}"`) || dark !== theme) await keep();
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(keep().then(() => worker.skipWaiting())));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
// Pages send this screen's current language and theme.
worker.addEventListener("message", (/** @type {any} */ event) => event.waitUntil(agree(event.data)));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.mode === "navigate") event.respondWith(fetched(request).catch(() => caches.match(PAGE)));
  else if (new URL(request.url).pathname.startsWith("/assets/"))
    event.respondWith(fetched(request).catch(async () => (await caches.match(request)) || Response.error()));
});
