// The live line to the table: reconnects by itself, and knows when it is not connected. `onState` is told of each
// state whether it is the first since the line was opened.

import { get } from "./api.js";

const BEAT_MS = 25000; // the server gives a sign of life every 10 s; two missed and the line is taken as cut

export class Link {
  /** @param {{ onState: (state: State, first: boolean) => void, onRoom: (room: PublicRoom) => void, onLine: (connected: boolean) => void }} told */
  constructor({ onState, onRoom, onLine }) {
    this.onState = onState;
    this.onRoom = onRoom;
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
    const source = new EventSource("/api/v1/events");
    this.source = source;
    this.heard_ms = Date.now();
    let first = true;
    /** @param {MessageEvent} event @param {(data: never) => void} use */
    const heard = (event, use) => {
      if (source !== this.source) return;
      this.heard_ms = Date.now();
      this.wait_ms = 500;
      this.onLine(true);
      use(/** @type {never} */ (JSON.parse(event.data)));
    };
    source.addEventListener("state", (event) =>
      heard(event, (/** @type {State} */ state) => {
        this.onState(state, first);
        first = false;
      }),
    );
    source.addEventListener("room", (event) => heard(event, this.onRoom));
    source.addEventListener("beat", (event) => heard(event, () => {}));
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
