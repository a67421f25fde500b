// The live line to the station: reconnects by itself, and knows when it is not connected. All pages of a browser share one
// connection, since a browser opens at most six to a host: the page opened or brought to the front last holds it and
// forwards the messages. A hidden page gives it up, so that where pages cannot talk to each other (Safari before 15.4)
// only visible pages have a connection.

import { get } from "./api.js";
import { checkVersion } from "./fetched.js";

const SILENT_MS = 12000; // the server sends a heartbeat every 4 s
const TURN_MS = 500; // a random delay, so that not all pages reconnect at the same time
const KINDS = ["state", "room", "refused", "board", "beat", "pages"];

/** A message between pages: "taken" (the sender holds the line now), "cut", "left", or a message of the line. @typedef {{ kind: string, data?: string, first?: boolean, since?: number }} PageMessage */

export class Link {
  /**
   * @param {string} path
   * @param {Record<string, (data: never, first: boolean) => void>} handlers: by kind of message; `first`: the first of its kind on this line
   * @param {(connected: boolean) => void} onLine
   * @param {() => unknown} keeps: whether the page needs the line while it is hidden, as one that speaks does
   */
  constructor(path, handlers, onLine, keeps = () => false) {
    this.path = path;
    /** @type {typeof handlers} */
    this.handlers = { pages: checkVersion, ...handlers };
    this.onLine = onLine;
    this.keeps = keeps;
    this.wait_ms = 500;
    this.again = 0;
    this.silent = 0;
    this.since = 0; // when the page that holds the line took it
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {BroadcastChannel | null} */
    this.pages = null;
    if ("BroadcastChannel" in window) {
      this.pages = new BroadcastChannel([import.meta.url, path, document.documentElement.lang].join());
      this.pages.onmessage = ({ data }) => this.onPageMessage(data);
    }
    for (const change of ["online", "offline"]) addEventListener(change, () => this.open()); // offline, the attempt fails and reports that
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
    this.broadcast({ kind: "taken", since: this.since });
    const source = new EventSource(this.path);
    this.source = source;
    this.await();
    for (const kind of KINDS) {
      let first = true;
      source.addEventListener(kind, ({ data }) => {
        if (source !== this.source) return;
        this.broadcast({ kind, data, first });
        this.handle({ kind, data, first });
        first = false;
      });
    }
    source.onerror = () => {
      if (source !== this.source) return;
      this.close();
      this.onLine(false);
      this.broadcast({ kind: "cut" });
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

  /** Gives the line up to a visible page. */
  leave() {
    const had = this.source;
    this.close();
    if (had) this.broadcast({ kind: "left" });
  }

  /** @param {number} ms */
  retry(ms) {
    clearTimeout(this.again);
    this.again = window.setTimeout(() => this.open(), ms);
  }

  /** Reconnects if no message arrives in time. */
  await() {
    clearTimeout(this.silent);
    this.silent = window.setTimeout(() => {
      if (document.hidden && !this.keeps()) return;
      this.onLine(false);
      this.retry(Math.random() * TURN_MS);
    }, SILENT_MS);
  }

  /** @param {PageMessage} event */
  handle({ kind, data = "", first = false }) {
    this.wait_ms = 500;
    this.await();
    this.onLine(true);
    const message = JSON.parse(data);
    if (message.reading) document.body.dataset.reading = message.reading.status;
    this.handlers[kind]?.(/** @type {never} */ (message), first);
  }

  /** Sends a message to the other pages. @param {PageMessage} event */
  broadcast(event) {
    this.pages?.postMessage(event);
  }

  /** @param {PageMessage} event: from another page */
  onPageMessage(event) {
    const { kind, since = 0 } = event;
    if (kind === "taken") {
      if (since < this.since) return;
      this.close();
      this.since = since;
      this.await();
    } else if (this.source) return;
    else if (kind === "left") this.retry(Math.random() * TURN_MS);
    else if (kind === "cut") this.onLine(false);
    else this.handle(event);
  }
}

/**
 * Returns a function that requests this screen's own part of the room: its seat, whether it is host, whether it speaks.
 * Responses may arrive out of order; older ones are dropped.
 * @param {Pick<TablePage, "you">} page @param {() => void} draw
 */
export function identity(page, draw) {
  let [requested, received] = [0, 0];
  return async function look() {
    const mine = ++requested;
    try {
      const { you } = await get("/api/v1/room");
      if (mine < received) return;
      [received, page.you] = [mine, you];
      draw();
    } catch {
      if (!page.you) setTimeout(look, 2000); // the live line itself shows a lost connection
    }
  };
}
