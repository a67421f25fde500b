// The voice of the table: one screen speaks, chosen in its menu. Off until somebody wants it.

import { locale } from "./words.js";

const { language, region } = new Intl.Locale(locale).maximize();
/** @type {AudioContext | null} */
let context = null;
let corrected = false;

/** @param {number[]} notes: hertz, one after the other */
function tones(notes) {
  try {
    const now = context || new AudioContext();
    context = now;
    notes.forEach((hertz, index) => {
      const start = now.currentTime + index * 0.13;
      const [tone, volume] = [now.createOscillator(), now.createGain()];
      tone.type = "triangle";
      tone.frequency.value = hertz;
      volume.gain.setValueAtTime(0.12, start);
      volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.3);
      tone.connect(volume).connect(now.destination);
      tone.start(start);
      tone.stop(start + 0.32);
    });
  } catch {
    /* a browser without sound is a quiet screen */
  }
}

/** @param {string} text */
export function speak(text) {
  if (!("speechSynthesis" in window) || !text) return;
  speechSynthesis.cancel(); // the latest only: nobody wants to hear what was corrected meanwhile
  const said = new SpeechSynthesisUtterance(text);
  said.lang = `${language}-${region}`;
  speechSynthesis.speak(said);
}

/** Whether something is being said. */
export const says = () => "speechSynthesis" in window && (speechSynthesis.speaking || speechSynthesis.pending);

// After a correction only the new score is said, not the lead and the next turn again.
/** @param {News} news */
export function tell(news) {
  if (news.kind === "back") {
    corrected = true;
    speechSynthesis?.cancel?.();
    return;
  }
  if (news.kind === "score") {
    tones(news.yacht ? [523, 659, 784, 1047] : [523, 659]);
    speak((corrected && news.short) || news.text);
    corrected = false;
  } else if (news.kind === "roll") {
    tones([392]);
    speak(news.text);
  } else if (news.kind === "corrected" || news.kind === "end") speak(news.text);
}
