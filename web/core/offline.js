// The page for a station that does not answer: tries every few seconds, and reloads when it is back.

import { fetched } from "./fetched.js";

const AGAIN_MS = 3000;
const words = /** @type {HTMLElement} */ (document.querySelector("#state"));

async function look() {
  try {
    const answer = await fetched("/manifest.webmanifest", { cache: "no-store" });
    if (!answer.ok) throw new Error(String(answer.status));
    words.textContent = words.dataset.back || "";
    setTimeout(() => location.reload(), 1200);
  } catch {
    setTimeout(look, AGAIN_MS);
  }
}

if (location.pathname === "/offline") history.replaceState(null, "", "/");
setTimeout(look, AGAIN_MS);
