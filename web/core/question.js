// A request that is sent to the station once for each key, as a state of the table.

export class Question {
  constructor() {
    this.key = "";
  }

  /**
   * Ask, unless that was done for this key; whether it is. An answer that comes after the next key is dropped.
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

  /** Ask again after a while, if the key is the same by then. @param {number} ms @param {() => void} draw */
  again(ms, draw) {
    const { key } = this;
    setTimeout(() => {
      if (this.key !== key) return;
      this.forget();
      draw();
    }, ms);
  }

  /** Forget the key. */
  forget() {
    this.key = "";
  }
}
