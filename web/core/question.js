// A request that is sent to the station once for each key, as a state of the table.

export class Question {
  constructor() {
    this.key = "";
  }

  /**
   * Sends the request, unless it was sent for this key; returns whether it was sent now. A response that arrives after the
   * key has changed is dropped.
   * @template T @param {string} key @param {() => Promise<T>} ask @param {(answer: T) => void} use
   * @param {(error: Error) => void} [failed]
   */
  ask(key, ask, use, failed) {
    if (this.key === key) return false;
    this.key = key;
    /** @template W @param {((what: W) => void) | undefined} then @returns {(what: W) => void} */
    const still = (then) => (what) => {
      if (this.key === key) then?.(what);
    };
    ask().then(still(use), still(failed));
    return true;
  }

  /** Redraws after a while and lets the same key ask again, if it is still current. @param {number} ms @param {() => void} draw */
  again(ms, draw) {
    const { key } = this;
    setTimeout(() => {
      if (this.key !== key) return;
      this.forget();
      draw();
    }, ms);
  }

  forget() {
    this.key = "";
  }
}
