// A tap on its way to the station: one that waits is shown, and can be taken back.

import { Refused } from "./api.js";
import { button, byId, paint } from "./dom.js";
import { fetched } from "./fetched.js";
import { t } from "./words.js";

const SHOWN_MS = 1000; // a slow line has answered by then
const AGAIN_MS = 4000;

const box = byId("sending");

/** Where a finger reaches it: an open dialog lies above the page. @param {AbortController} stop */
function show(stop) {
  const dialog = document.querySelector("dialog[open]");
  if (dialog) dialog.append(box);
  else byId("steps").before(box);
  paint(box, [t("page/line/waits"), " ", button("quiet", t("page/line/take_back"), () => stop.abort())]);
  if (!box.hidden) return;
  box.hidden = false;
  box.scrollIntoView({ block: "nearest" });
}

/** Whether the station answers. @param {AbortSignal} signal */
const answers = (signal) =>
  fetched("/manifest.webmanifest", { method: "HEAD", cache: "no-store", limit_ms: AGAIN_MS, signal }).then(
    () => true,
    (error) => {
      if (error instanceof DOMException) return false;
      throw new Refused("line/cut", t("page/line/not_done"));
    },
  );

/**
 * Sends once the station answers: what goes into a line that is silent comes out when the line is back, also if that was
 * not wanted any more.
 * @template T @param {(signal: AbortSignal) => Promise<T>} send @returns {Promise<T>}
 */
export async function sending(send) {
  const stop = new AbortController();
  const shown = setInterval(show, SHOWN_MS, stop); // also where a dialog is opened, drawn or closed meanwhile
  try {
    while (!(await answers(stop.signal))) if (stop.signal.aborted) throw new Refused("line/taken_back", "");
    return await send(stop.signal);
  } finally {
    clearInterval(shown);
    box.hidden = true;
  }
}
