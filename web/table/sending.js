// A command on its way to the station: while the connection is slow, a notice with a button to cancel it.

import { Refused } from "./api.js";
import { button, byId, paint } from "./dom.js";
import { fetched } from "./fetched.js";
import { t } from "./words.js";

const SHOW_MS = 1000; // even a slow connection has answered by then
const AGAIN_MS = 4000;

const box = byId("sending");

/** Shows the notice in the open dialog, if there is one: it covers the page. @param {AbortController} stop */
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
 * Sends once the station answers. On a silent connection the browser would hold the request and deliver it later, when
 * nobody wants it any more.
 * @template T @param {(signal: AbortSignal) => Promise<T>} send @returns {Promise<T>}
 */
export async function sending(send) {
  const stop = new AbortController();
  const timer = setInterval(show, SHOW_MS, stop); // repeated, since dialogs may open or close meanwhile
  try {
    while (!(await answers(stop.signal))) if (stop.signal.aborted) throw new Refused("line/taken_back", "");
    return await send(stop.signal);
  } finally {
    clearInterval(timer);
    box.hidden = true;
  }
}
