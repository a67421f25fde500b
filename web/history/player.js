// The forms of a player's page: each is sent as JSON to its own address; then the page reloads, except after a switch.
// Unsent input of the other forms stays, unless the page then belongs to another player.

import { byId } from "./dom.js";
import { inOrder, post, failureOf } from "./api.js";
import { fillIn } from "./unsent.js";

/** @param {string} name */
const pageOf = (name) => `/history/player?name=${encodeURIComponent(name)}`;

for (const form of document.querySelectorAll("form")) {
  /** @param {HTMLInputElement} [box]: the switch */
  const send = async (box) => {
    /** @type {Record<string, any>} */
    const fields = { ...Object.fromEntries(new FormData(form)), name: form.dataset.name };
    if (box) fields[box.name] = box.checked;
    const fault = byId("fault");
    try {
      await inOrder(() => post(form.dataset.post || "", fields));
      fault.hidden = true;
      if (box) box.defaultChecked = box.checked = Boolean(fields[box.name]);
      else if (form.dataset.post?.endsWith("/merge")) location.assign(pageOf(fields.to));
      else {
        history.replaceState(history.state, "", pageOf(fields.to || document.querySelector("form")?.dataset.name));
        location.reload();
      }
    } catch (error) {
      if (box) box.checked = box.defaultChecked; // back to the station's value
      fault.textContent = failureOf(error).message;
      fault.hidden = false;
      fault.scrollIntoView({ block: "center" });
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  form.addEventListener("change", (event) => {
    if (event.target instanceof HTMLInputElement && event.target.type === "checkbox") send(event.target);
  });
}

fillIn();

byId("listen").onclick = () =>
  import("./sounds.js").then((sounds) => {
    const chosen = document.querySelector("input[name=jingle]:checked");
    if (chosen instanceof HTMLInputElement) sounds.play(chosen.value);
  });
