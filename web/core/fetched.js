// `fetch` with a time limit, so that no request hangs on a silent connection. A page that is older than the station's
// current version reloads itself, as soon as nobody is using it.

const LIMIT_MS = 12000; // a small station answers within some seconds
const LOOK_MS = 1000;
const MOST_MS = 30000;
const CALM_MS = 5000; // without a tap or a key
const TYPED = "textarea, [type=text], [type=number], [type=password]";

const [, , , , own] = import.meta.url.split("/");
let due = 0;
let wait_ms = LOOK_MS; // doubled after each failed attempt
let underWay = 0;
let touched_ms = 0;
/** A field whose text has not been sent. @type {any} */
let unsent = null;

/** `fetch` with a time limit; rejects with an AbortError if the whole response has not arrived by then. @param {string} path @param {RequestOptions} options */
export async function fetched(path, { limit_ms = LIMIT_MS, signal, ...request } = {}) {
  const stop = new AbortController();
  signal?.addEventListener("abort", () => stop.abort());
  setTimeout(() => stop.abort(), limit_ms); // without effect once the response is complete
  underWay += 1;
  try {
    const answer = await fetch(path, { ...request, signal: stop.signal });
    checkVersion(answer.headers.get("x-pages"));
    if (answer.ok && request.body) unsent = null;
    return answer;
  } finally {
    underWay -= 1;
  }
}

for (const kind of ["pointerdown", "keydown"])
  addEventListener(
    kind,
    () => {
      touched_ms = Date.now();
    },
    true,
  );
addEventListener("input", ({ target }) => {
  if (target instanceof Element && target.matches(TYPED)) unsent = target;
});

/** Reloads the page soon if the station serves another version of the pages. @param {string | null} pages */
export function checkVersion(pages) {
  if (pages && pages !== own && !due) due = window.setTimeout(renew, LOOK_MS);
}

async function renew() {
  const busy = underWay || Date.now() - touched_ms < CALM_MS || document.querySelector('dialog[open], body[data-reading="moving"]');
  if (busy || document.activeElement?.matches(`select, ${TYPED}`) || (unsent?.isConnected && unsent.value))
    return setTimeout(renew, LOOK_MS);
  const { ok } = await fetched(location.href, { method: "HEAD" }).catch(() => ({ ok: false }));
  if (ok) return location.reload();
  wait_ms = Math.min(2 * wait_ms, MOST_MS);
  return setTimeout(renew, wait_ms);
}
