// Keeps the screen on during a game. Wake Lock needs https; with plain http a silent, invisible video does the same, made
// from an empty canvas, so that no file is needed.

/** @type {WakeLockSentinel | null} */
let lock = null;
/** @type {HTMLVideoElement | null} */
let film = null;
let wanted = false;

function silentFilm() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 2;
  const pen = canvas.getContext("2d");
  if (pen)
    setInterval(() => {
      pen.fillStyle = Date.now() % 2 ? "#000" : "#010101";
      pen.fillRect(0, 0, 2, 2);
    }, 1000);
  const video = document.createElement("video");
  video.muted = true;
  video.playsInline = true;
  video.srcObject = canvas.captureStream(1);
  return video;
}

async function hold() {
  if (!wanted || document.hidden) return;
  try {
    if (navigator.wakeLock) {
      if (!lock || lock.released) lock = await navigator.wakeLock.request("screen");
      return;
    }
    film = film || silentFilm();
    await film.play();
  } catch {
    /* the device refuses (battery, a policy): the screen sleeps, nothing else */
  }
}

/** @param {boolean} on */
export function awake(on) {
  if (on === wanted) return;
  wanted = on;
  if (on) hold();
  else {
    lock?.release();
    lock = null;
    film?.pause();
  }
}

document.addEventListener("visibilitychange", hold);
addEventListener("pointerdown", hold, { passive: true }); // videos may only start at a tap
