// Keeps one page for when the station does not answer, and nothing else: what is shown of a game comes from the station,
// or not at all. The station serves this file with a fingerprint of its pages, so that a new version brings a new page.

const worker = /** @type {any} */ (self);
const KEPT = "offline";
const PAGE = "/offline";
const LIMIT_MS = 30000; // what is asked of a line that has gone silent is not answered for minutes

/** As `fetch` does it, but for the limit. @param {Request | string} asked @param {RequestInit} [how] @returns {Promise<Response>} */
const fetched = (asked, how) =>
  Promise.race([fetch(asked, how), new Promise((_, late) => setTimeout(() => late(new Error("late")), LIMIT_MS))]);

/** The page and what it needs to be shown. */
async function keep() {
  const answer = await fetched(PAGE, { cache: "no-store" });
  const text = await answer.clone().text();
  const files = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((found) => found[1]);
  await caches.delete(KEPT);
  const cache = await caches.open(KEPT);
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
// A page tells which language this screen has now, and whether it is light or dark.
worker.addEventListener("message", (/** @type {any} */ event) => event.waitUntil(agree(event.data)));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.mode === "navigate") event.respondWith(fetched(request).catch(() => caches.match(PAGE)));
  else if (new URL(request.url).pathname.startsWith("/assets/"))
    event.respondWith(fetched(request).catch(async () => (await caches.match(request)) || Response.error()));
});
