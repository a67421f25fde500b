// What the pages ask for: every request within a time limit, so that none hangs on a line that has gone silent. A page that
// was opened before an update of the station loads itself anew, as soon as nobody is busy with it.

const LIMIT_MS = 12000; // a small station works on an answer for some seconds at most
const LOOK_MS = 1000;
const MOST_MS = 30000;
const CALM_MS = 5000; // without a tap or a key
const TYPED = "textarea, [type=text], [type=number], [type=password]";

const [, , , , own] = import.meta.url.split("/");
let due = 0;
let wait_ms = LOOK_MS; // twice as long after each try that was for nothing
let underWay = 0;
let touched_ms = 0;
/** A field with what is not sent yet. @type {any} */
let written = null;

/** As `fetch` does it. Rejects with an AbortError where the whole answer has not come by then. @param {string} path @param {RequestOptions} asked */
export async function fetched(path, { limit_ms = LIMIT_MS, signal, ...request } = {}) {
  const stop = new AbortController();
  signal?.addEventListener("abort", () => stop.abort());
  setTimeout(() => stop.abort(), limit_ms); // one that is answered by then has nothing to stop
  underWay += 1;
  try {
    const answer = await fetch(path, { ...request, signal: stop.signal });
    served(answer.headers.get("x-pages"));
    if (answer.ok && request.body) written = null; // it is sent
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
  if (target instanceof Element && target.matches(TYPED)) written = target;
});

/** Which pages the station serves now. @param {string | null} pages */
export function served(pages) {
  if (pages && pages !== own && !due) due = window.setTimeout(renew, LOOK_MS);
}

async function renew() {
  const busy = underWay || Date.now() - touched_ms < CALM_MS || document.querySelector('dialog[open], body[data-reading="moving"]');
  if (busy || document.activeElement?.matches(`select, ${TYPED}`) || (written?.isConnected && written.value))
    return setTimeout(renew, LOOK_MS);
  const { ok } = await fetched(location.href, { method: "HEAD" }).catch(() => ({ ok: false }));
  if (ok) return location.reload();
  wait_ms = Math.min(2 * wait_ms, MOST_MS);
  return setTimeout(renew, wait_ms);
}
