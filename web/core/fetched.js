// What the pages ask for: every request within a time limit, so that none hangs on a line that has gone silent.

const LIMIT_MS = 20000; // a small station may work on an answer for some seconds

/** As `fetch` does it. Rejects with an AbortError where the whole answer has not come by then. @param {string} path @param {Asked} asked */
export function fetched(path, { limit_ms = LIMIT_MS, ...request } = {}) {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), limit_ms); // one that is answered by then has nothing to stop
  return fetch(path, { ...request, signal: stop.signal });
}
