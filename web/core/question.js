// What is asked of the station once for each state of things, told by a key.

export class Question {
  constructor() {
    this.key = "";
  }

  /**
   * Ask, unless that was done for this key; whether it is. What comes once another key was asked for is dropped.
   * @template T @param {string} key @param {() => Promise<T>} ask @param {(answer: T) => void} told
   * @param {(error: Error) => void} [failed]
   */
  ask(key, ask, told, failed) {
    if (this.key === key) return false;
    this.key = key;
    /** @template W @param {((what: W) => void) | undefined} then @returns {(what: W) => void} */
    const still = (then) => (what) => {
      if (this.key === key) then?.(what);
    };
    ask().then(still(told), still(failed));
    return true;
  }

  /** Asked again after a while, if the key is the same by then. @param {number} ms @param {() => void} draw */
  again(ms, draw) {
    const { key } = this;
    setTimeout(() => {
      if (this.key !== key) return;
      this.forget();
      draw();
    }, ms);
  }

  /** As if nothing had been asked for yet. */
  forget() {
    this.key = "";
  }
}
