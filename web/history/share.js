// The evening's card by the device's own share sheet; where it has none the link beside it saves the picture.

import { fetched } from "./fetched.js";

/** @returns {Promise<File>} */
async function card() {
  const answer = await fetched("/evening.png");
  if (!answer.ok) throw new Error(answer.statusText);
  return new File([await answer.blob()], "yacht-evening.png", { type: "image/png" });
}

let busy = false; // a second share beside the first is an error, and the picture would take the place of the page

/** Send the card to somebody; where that cannot be, it is shown. */
export async function share() {
  if (busy) return;
  busy = true;
  try {
    await navigator.share({ files: [await card()] }); // anew: a game may have ended, a language been taken since
  } catch (error) {
    // Closed without sharing is well; where it took so long that the browser knows of no tap, the picture is shown.
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
