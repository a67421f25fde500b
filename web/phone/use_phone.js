// The switches of the section "Use a phone as the camera": each sends its request, and the section is replaced.

import { byId } from "./dom.js";
import { post, failureOf } from "./api.js";
import { fetched } from "./fetched.js";

/** @param {MouseEvent} event */
async function onClick(event) {
  const button = /** @type {HTMLElement} */ (event.target).closest("button");
  const { post: path, body } = button?.dataset || {};
  if (!button || !path) return;
  button.disabled = true;
  try {
    await post(path, JSON.parse(body || "{}"));
    const page = new DOMParser().parseFromString(await (await fetched(location.pathname)).text(), "text/html");
    byId("use-phone").textContent = "";
    byId("use-phone").append(.../** @type {HTMLElement} */ (page.getElementById("use-phone")).childNodes);
  } catch (error) {
    const fault = /** @type {HTMLElement} */ (byId("use-phone").querySelector(".fault"));
    fault.textContent = failureOf(error).message;
    fault.hidden = false;
    button.disabled = false;
  }
}

byId("use-phone").addEventListener("click", onClick);
