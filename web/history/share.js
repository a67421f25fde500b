// Shares the evening's card with the device's share sheet; without one, a link beside it saves the picture.

import { fetched } from "./fetched.js";

/** @returns {Promise<File>} */
async function card() {
  const answer = await fetched("/evening.png");
  if (!answer.ok) throw new Error(answer.statusText);
  return new File([await answer.blob()], "yacht-evening.png", { type: "image/png" });
}

let busy = false; // a second share during the first would fail, and the picture would replace the page

/** Shares the card; where that is impossible, opens the picture. */
export async function share() {
  if (busy) return;
  busy = true;
  try {
    await navigator.share({ files: [await card()] }); // requested again, since the card may have changed
  } catch (error) {
    // Closing the sheet is no error. If the card took too long, the browser no longer sees a tap: then the picture opens.
    if (!(error instanceof Error && error.name === "AbortError")) location.href = "/evening.png";
  } finally {
    busy = false;
  }
}

const button = /** @type {HTMLButtonElement | null} */ (document.querySelector("#share"));
const probe = new File([], "yacht-evening.png", { type: "image/png" });
if (button && navigator.canShare?.({ files: [probe] })) {
  button.hidden = false;
  button.addEventListener("click", share);
}
