// The live line to the station: reconnects by itself, and knows when it is not connected. All pages of a browser share one,
// since a browser opens no more than six connections to a host: the page that was opened or shown last has it, and passes on
// what comes. A hidden page gives it up: where pages cannot talk to each other (Safari before 15.4), only those that are
// looked at have a line.

import { get } from "./api.js";
import { served } from "./fetched.js";

const SILENT_MS = 12000; // the server gives a sign of life every 4 s
const TURN_MS = 500; // pages that miss the line at the same time do not all ask for it
const KINDS = ["state", "room", "refused", "board", "beat", "pages"];

/** Messages between pages: who has the line now, what came by it; a `kind` alone that it is "cut" or "left". @typedef {{ kind: string, data?: string, first?: boolean, since?: number }} Passed */

export class Link {
  /**
   * @param {string} path
   * @param {Record<string, (data: never, first: boolean) => void>} handlers: by the kind of message; `first` of its kind since the line was opened
   * @param {(connected: boolean) => void} onLine
   * @param {() => unknown} keeps: whether the page listens while it is hidden, as one that speaks does
   */
  constructor(path, handlers, onLine, keeps = () => false) {
    this.path = path;
    /** @type {typeof handlers} */
    this.handlers = { pages: served, ...handlers };
    this.onLine = onLine;
    this.keeps = keeps;
    this.wait_ms = 500;
    this.again = 0;
    this.silent = 0;
    this.since = 0; // when the page that has the line asked for it
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {BroadcastChannel | null} */
    this.pages = null;
    if ("BroadcastChannel" in window) {
      this.pages = new BroadcastChannel([import.meta.url, path, document.documentElement.lang].join());
      this.pages.onmessage = ({ data }) => this.passed(data);
    }
    for (const change of ["online", "offline"]) addEventListener(change, () => this.open()); // without a network the attempt fails, and says so
    document.addEventListener("visibilitychange", () => (document.hidden ? this.keeps() || this.leave() : this.open()));
    addEventListener("pagehide", () => this.leave());
    addEventListener("pageshow", (event) => {
      if (event.persisted) this.open();
    });
    this.open();
  }

  open() {
    this.close();
    if (document.hidden && !this.keeps()) return;
    this.since = Date.now() + Math.random();
    this.pass({ kind: "taken", since: this.since });
    const source = new EventSource(this.path);
    this.source = source;
    this.await();
    for (const kind of KINDS) {
      let first = true;
      source.addEventListener(kind, ({ data }) => {
        if (source !== this.source) return;
        this.pass({ kind, data, first });
        this.take({ kind, data, first });
        first = false;
      });
    }
    source.onerror = () => {
      if (source !== this.source) return;
      this.close();
      this.onLine(false);
      this.pass({ kind: "cut" });
      this.retry(this.wait_ms);
      this.wait_ms = Math.min(this.wait_ms * 1.6, 5000);
    };
  }

  close() {
    clearTimeout(this.again);
    clearTimeout(this.silent);
    this.source?.close();
    this.source = null;
  }

  /** Gives the line up to a page that is looked at. */
  leave() {
    const had = this.source;
    this.close();
    if (had) this.pass({ kind: "left" });
  }

  /** @param {number} ms */
  retry(ms) {
    clearTimeout(this.again);
    this.again = window.setTimeout(() => this.open(), ms);
  }

  /** Something has to come by then. */
  await() {
    clearTimeout(this.silent);
    this.silent = window.setTimeout(() => {
      if (document.hidden && !this.keeps()) return;
      this.onLine(false);
      this.retry(Math.random() * TURN_MS);
    }, SILENT_MS);
  }

  /** @param {Passed} event */
  take({ kind, data = "", first = false }) {
    this.wait_ms = 500;
    this.await();
    this.onLine(true);
    const message = JSON.parse(data);
    if (message.reading) document.body.dataset.reading = message.reading.status;
    this.handlers[kind]?.(/** @type {never} */ (message), first);
  }

  /** @param {Passed} event: from the page that has the line */
  pass(event) {
    this.pages?.postMessage(event);
  }

  /** @param {Passed} event: from another page */
  passed(event) {
    const { kind, since = 0 } = event;
    if (kind === "taken") {
      if (since < this.since) return;
      this.close();
      this.since = since;
      this.await();
    } else if (this.source) return;
    else if (kind === "left") this.retry(Math.random() * TURN_MS);
    else if (kind === "cut") this.onLine(false);
    else this.take(event);
  }
}

/**
 * Gives what looks up what concerns this screen alone: its seat, whether it is host, whether it speaks. An older answer
 * may come last.
 * @param {Pick<TablePage, "you">} page @param {() => void} draw
 */
export function asking(page, draw) {
  let [asked, seen] = [0, 0];
  return async function look() {
    const mine = ++asked;
    try {
      const { you } = await get("/api/v1/room");
      if (mine < seen) return;
      [seen, page.you] = [mine, you];
      draw();
    } catch {
      if (!page.you) setTimeout(look, 2000); // the line tells when it is cut
    }
  };
}
