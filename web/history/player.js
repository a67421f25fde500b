// The forms of a player's page: each is sent as JSON to where it says; then the page is shown anew, but for a switch,
// which leaves alone what stands in the other forms.

import { byId } from "./dom.js";
import { inOrder, post, told } from "./api.js";

for (const form of document.querySelectorAll("form")) {
  /** @param {HTMLInputElement} [box]: the switch */
  const send = async (box) => {
    /** @type {Record<string, unknown>} */
    const fields = { ...Object.fromEntries(new FormData(form)), name: form.dataset.name };
    if (box) fields[box.name] = box.checked;
    const fault = byId("fault");
    try {
      await inOrder(() => post(form.dataset.post || "", fields));
      fault.hidden = true;
      if (box) box.defaultChecked = box.checked = Boolean(fields[box.name]);
      else location.assign(`/history/player?name=${encodeURIComponent(String(fields.to || document.querySelector("form")?.dataset.name))}`);
    } catch (error) {
      if (box) box.checked = box.defaultChecked; // as the station has it
      fault.textContent = told(error).message;
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

byId("listen").onclick = () =>
  import("./sounds.js").then((sounds) => {
    const chosen = document.querySelector("input[name=jingle]:checked");
    if (chosen instanceof HTMLInputElement) sounds.play(chosen.value);
  });
