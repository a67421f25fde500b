// Sends the pictures of a phone's camera: small ones during motion, a large one as soon as everything is still, then only
// messages that nothing has moved. One request at a time; each response says what the station wants next.

import { ask, post } from "./api.js";
import { changed, grey, WIDTH } from "./phone_motion.js";

const LOOK_MS = 66;
const SMALL_MS = 100;
const WORD_MS = 400;
const RENEW_MS = 5000; // between large pictures of a still tray: the light may change slowly
const QUICK_MS = 250; // a connection that takes longer for a large picture gets smaller files
const LIMIT_MS = 8000;
const STUCK_MS = 5000;
const SMALL = 3 / 8;
const QUALITY = { small: 0.7, large: 0.85, spared: 0.6 };

/** Rounds to a multiple of eight, so that small and large pictures have exactly the same shape. @param {number} value */
const eighths = (value) => Math.max(8, 8 * Math.round(value / 8));

export class Sender {
  /** @param {HTMLVideoElement} video @param {(answer: Api.PhoneAnswer | null, fault: unknown) => void} onAnswer */
  constructor(video, onAnswer) {
    this.video = video;
    this.onAnswer = onAnswer;
    const small = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const large = document.createElement("canvas").getContext("2d");
    if (!small || !large) throw new Error("canvas");
    this.eye = small;
    this.sheet = large;
    /** @type {Api.PhoneAnswer | null} */
    this.answer = null;
    /** @type {string[]} Which of exposure, white balance and focus are locked. */
    this.held = [];
    this.wished = "";
    /** @type {Api.PhoneWord["trouble"]} Why no pictures come now. */
    this.trouble = null;
    this.timer = 0;
    /** @type {Uint8ClampedArray | null} */
    this.before = null;
    /** @type {Uint8ClampedArray | null} The last large picture, in small, while nothing has moved since. */
    this.sharp = null;
    this.moving = true;
    this.busy = false;
    this.sentAt = 0;
    this.startedAt = 0;
    this.largeAt = 0;
    this.lookedAt = 0;
    this.tookMs = 0; // for the last large picture
    this.everyMs = 0; // between two looks
  }

  /** Forgets all earlier pictures. */
  forget() {
    this.before = null;
    this.sharp = null;
    this.moving = true;
    this.lookedAt = 0;
    this.everyMs = 0;
  }

  start() {
    clearInterval(this.timer);
    this.trouble = null;
    this.forget();
    this.startedAt = performance.now();
    this.timer = window.setInterval(() => this.look(), LOOK_MS);
  }

  /** Whether nothing was sent for long: the camera's picture may be frozen. */
  get stuck() {
    return this.timer > 0 && !this.busy && performance.now() - Math.max(this.sentAt, this.startedAt) > STUCK_MS;
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
  }

  /** Reports why no pictures come, also while the page closes. @param {Api.PhoneWord["trouble"]} trouble */
  report(trouble) {
    this.trouble = trouble;
    const body = new Blob([JSON.stringify({ trouble })], { type: "application/json" });
    navigator.sendBeacon("/api/v1/phone/word", body);
    this.forget();
  }

  look() {
    const { video, answer } = this;
    const now = performance.now();
    if (this.lookedAt) this.everyMs = 0.9 * (this.everyMs || LOOK_MS) + 0.1 * (now - this.lookedAt);
    this.lookedAt = now;
    if (!video.videoWidth || video.readyState < 2) return;
    const seen = grey(this.eye, video, eighths((WIDTH * video.videoHeight) / video.videoWidth));
    const still = this.before !== null && !changed(this.before, seen);
    this.before = seen;
    this.moving = !still;
    if (!still || (this.sharp && changed(this.sharp, seen))) this.sharp = null;
    if (this.busy) return;
    const wants = answer?.wants || "fresh";
    const since = now - this.sentAt;
    const quick = this.tookMs < QUICK_MS && since >= SMALL_MS;
    if (still ? !this.sharp || (wants !== "word" && quick) || now - this.largeAt > RENEW_MS : wants === "large") this.send("large");
    else if (!still && since >= SMALL_MS) this.send("small");
    else if (still && since >= (wants === "word" ? WORD_MS : SMALL_MS)) this.send("word");
  }

  /** @param {"large" | "small" | "word"} what */
  async send(what) {
    this.busy = true;
    const began = performance.now();
    try {
      this.answer = what === "word" ? await this.word() : await this.picture(what);
      if (what === "large") this.tookMs = performance.now() - began;
      this.onAnswer(this.answer, null);
    } catch (error) {
      this.sharp = null;
      this.onAnswer(null, error);
    }
    this.busy = false;
    if (this.trouble) this.report(this.trouble); // again: this request may have arrived after the report
  }

  word() {
    this.sentAt = performance.now();
    const wished = this.wished ? this.wished.split(",") : [];
    return post("/api/v1/phone/word", { fps: this.everyMs ? 1000 / this.everyMs : 0, wished, held: this.held }, { limit_ms: LIMIT_MS });
  }

  /** @param {"large" | "small"} what @returns {Promise<Api.PhoneAnswer>} */
  async picture(what) {
    const { video, sheet } = this;
    const { canvas } = sheet;
    const share = (this.answer?.long_px || 1280) / Math.max(video.videoWidth, video.videoHeight);
    const [wide, high] = [video.videoWidth, video.videoHeight].map((side) => eighths(side * Math.min(share, 1)));
    const scale = what === "small" ? SMALL : 1;
    canvas.width = wide * scale;
    canvas.height = high * scale;
    sheet.imageSmoothingQuality = "medium";
    sheet.drawImage(video, 0, 0, canvas.width, canvas.height);
    this.sentAt = performance.now();
    const quality = QUALITY[what === "large" && this.tookMs > QUICK_MS ? "spared" : what];
    const body = await new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
    if (what === "large") {
      this.largeAt = this.sentAt;
      this.sharp = grey(this.eye, canvas, eighths((WIDTH * video.videoHeight) / video.videoWidth));
    }
    const headers = { "content-type": "image/jpeg" };
    return ask(`/api/v1/phone/picture?small=${what === "small"}`, { method: "POST", headers, body, limit_ms: LIMIT_MS });
  }
}
