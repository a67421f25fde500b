// The running version and a newer release, on the setup page of a station that can update itself.

import { button, byId, h, links } from "./dom.js";
import { t } from "./words.js";
import { ask, get, inOrder, post, failureOf } from "./api.js";
import * as dialogs from "./dialogs.js";

const PATH = "/api/v1/update";
const LOOK_MS = 5000; // a USB stick may be plugged in
const SEND_MS = 600000; // a file of many packages, over poor Wi-Fi, to a small station

/** @param {{ room: Room, fault: string, good: string }} page @param {() => void} draw */
export function updateCard(page, draw) {
  /** @type {Api.UpdateShape | null} */
  let status = null; // until the first response

  /** @param {() => Promise<string>} act: returns the message of success */
  async function attempt(act) {
    try {
      const good = await inOrder(act);
      Object.assign(page, { fault: "", good });
    } catch (error) {
      Object.assign(page, { fault: failureOf(error).message, good: "" });
    }
    draw();
  }

  async function look() {
    await get(PATH).then(
      (now) => {
        status = now;
        draw();
      },
      () => {}, // such as while the station restarts
    );
    setTimeout(look, LOOK_MS);
  }

  /** @param {Event} event */
  function send(event) {
    event.preventDefault();
    const [body] = /** @type {HTMLInputElement} */ (byId("release")).files || [];
    attempt(async () => {
      status = await ask(PATH, { method: "POST", headers: { "content-type": "application/zip" }, body, limit_ms: SEND_MS });
      return "";
    });
  }

  /** @param {string} version */
  const install = (version) =>
    dialogs.ask(t("page/update/sure", { version }), t("page/update/told"), t("page/update/install", { version }), () =>
      attempt(async () => {
        await post(`${PATH}/install`, { version }, { limit_ms: SEND_MS });
        return t("page/update/going", { version });
      }),
    );

  look();

  return () => {
    if (!status) return null;
    const { running, newer, fault, failed } = status;
    const { host } = page.room.you;
    return h(
      "section.card.stack",
      { id: "update", key: "update" },
      h("h2", t("page/update/title")),
      h("p", t("page/update/running", { version: running })),
      failed ? h("p.fault", { key: "failed" }, t("page/update/failed", { version: failed })) : null,
      fault ? h("p.fault", { key: "stick" }, fault) : null,
      newer
        ? [
            h("p.good", { key: "newer", role: "status" }, t(`page/update/${newer.place}`, { version: newer.version })),
            newer.notes ? h("details.more", { key: "notes" }, h("summary", t("page/update/notes")), h("p.notes", newer.notes)) : null,
            host
              ? links(button("first", t("page/update/install", { version: newer.version }), () => install(newer.version)))
              : h("p.aside", t("page/update/host_only")),
          ]
        : null,
      host
        ? h(
            "form.stack",
            { key: "send", onsubmit: send },
            h("label", { for: "release" }, t("page/update/choose")),
            h("input", { id: "release", name: "release", type: "file", accept: ".zip", required: true }),
            h("button.second", { type: "submit" }, t("page/update/send")),
          )
        : null,
    );
  };
}
