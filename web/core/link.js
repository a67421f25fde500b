// The live line to the station: reconnects by itself, and knows when it is not connected.

import { get } from "./api.js";

const BEAT_MS = 25000; // the server gives a sign of life every 10 s; two missed and the line is taken as cut

export class Link {
  /**
   * @param {string} path
   * @param {Record<string, (data: never, first: boolean) => void>} heard: by what is told; `first` of its kind since the line was opened
   * @param {(connected: boolean) => void} onLine
   */
  constructor(path, heard, onLine) {
    this.path = path;
    /** @type {typeof heard} */
    this.heard = { beat: () => {}, ...heard };
    this.onLine = onLine;
    this.wait_ms = 500;
    this.again = 0;
    /** @type {EventSource | null} */
    this.source = null;
    for (const change of ["online", "offline"]) addEventListener(change, () => this.open()); // without a network the attempt fails, and says so
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && Date.now() - this.heard_ms > 12000) this.open();
    });
    addEventListener("pageshow", (event) => {
      if (event.persisted) this.open();
    });
    this.heard_ms = Date.now();
    setInterval(() => {
      if (Date.now() - this.heard_ms > BEAT_MS) this.open();
    }, 5000);
    this.open();
  }

  open() {
    clearTimeout(this.again);
    if (this.source) this.source.close();
    const source = new EventSource(this.path);
    this.source = source;
    this.heard_ms = Date.now();
    for (const [kind, use] of Object.entries(this.heard)) {
      let first = true;
      source.addEventListener(kind, (event) => {
        if (source !== this.source) return;
        this.heard_ms = Date.now();
        this.wait_ms = 500;
        this.onLine(true);
        use(/** @type {never} */ (JSON.parse(event.data)), first);
        first = false;
      });
    }
    source.onerror = () => {
      if (source !== this.source) return;
      this.onLine(false);
      source.close();
      clearTimeout(this.again);
      this.again = window.setTimeout(() => this.open(), this.wait_ms);
      this.wait_ms = Math.min(this.wait_ms * 1.6, 5000);
    };
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
