// The setup page: look and language, the camera, the host, the addresses, updates.

import { button, byId, failure, h, links, paint } from "./dom.js";
import { t } from "./words.js";
import { ask, faultOf, get, failureOf } from "./api.js";
import * as dialogs from "./dialogs.js";
import { device, trayPicture } from "./device.js";
import { hostCard, toTable } from "./host.js";
import { loaded } from "./loaded.js";
import { look } from "./menu.js";
import { pictureForm } from "./picture.js";
import { fillIn } from "./unsent.js";
import { updateCard } from "./update.js";
import "./use_phone.js";

const RESTORE_MS = 600000; // a backup of many years, over poor Wi-Fi

/**
 * The first three once `begin` has them.
 * @typedef {{ state: State, room: Room, picture: Api.PictureReport, screens: Api.Session[], fault: string, good: string, taken: number }} Page
 */
const page = /** @type {Page} */ ({ screens: /** @type {Api.Session[]} */ ([]), fault: "", good: "", taken: Date.now() });
/** @type {{ addresses: string[], secure: string[], updates: boolean }} */
const { addresses, secure, updates } = JSON.parse(byId("setup").dataset.found || "{}");

// Restores a backup. The current games are kept in another file; the response has its name.
/** @param {Event} event */
function restore(event) {
  event.preventDefault();
  const [file] = /** @type {HTMLInputElement} */ (byId("backup")).files || [];
  dialogs.ask(t("page/setup/restore_sure"), t("page/setup/restore_told"), t("page/setup/restore"), async () => {
    try {
      const headers = { "content-type": "application/vnd.sqlite3" };
      /** @type {Api.Restored} */
      const { kept } = await ask("/api/v1/restore", { method: "POST", headers, body: file, limit_ms: RESTORE_MS });
      Object.assign(page, { fault: "", good: t("page/setup/restored", { file: kept || "–" }) });
    } catch (error) {
      Object.assign(page, { fault: failureOf(error).message, good: "" });
    }
    draw();
  });
}

async function lookAgain() {
  page.taken = Date.now();
  page.fault = await faultOf(async () => {
    [page.state, page.picture] = await Promise.all([get("/api/v1/state"), get("/api/v1/picture")]);
  });
  draw();
}

function camera() {
  const { camera: info } = page.state;
  return h(
    "section.card",
    h("h2", t("page/setup/camera")),
    device(info),
    trayPicture(page.taken),
    h("p.aside", t("page/setup/camera_how")),
    links(
      button("second", t("page/setup/look_again"), lookAgain),
      h("a.second.button", { href: "/setup/mounting" }, t("page/common/mounting")),
      h("a.second.button", { href: "/setup/calibrate" }, t("page/common/calibrate")),
    ),
    settings(),
  );
}

function draw() {
  paint(byId("setup"), [
    h(
      "div.wizard",
      failure(page.fault),
      page.good ? h("p.good", { key: "good", role: "status" }, page.good) : null,
      h(
        "section.card.stack",
        h("h2", t("page/setup/look")),
        look(draw),
        h(
          "details.more",
          h("summary", t("page/setup/backup")),
          links(h("a.second.button", { href: "/api/v1/backup" }, t("page/setup/save_backup"))),
          h(
            "form.stack",
            { onsubmit: restore },
            h("label", { for: "backup" }, t("page/setup/coming")),
            h("input", { id: "backup", name: "backup", type: "file", accept: ".sqlite3", required: true }),
            h("button.second", { type: "submit" }, t("page/setup/restore")),
          ),
        ),
      ),
      camera(),
      host(),
      h(
        "section.card",
        h("h2", t("page/setup/everybody")),
        h("p", t("page/setup/scan")),
        h(
          "div.codes",
          h("img.code", { src: "/join.svg", alt: t("page/common/code") }),
          h(
            "ul",
            addresses.map((address) => h("li", { key: address }, h("code", address))),
          ),
        ),
        secure.length
          ? [
              h("p", t("page/setup/https")),
              h(
                "ul.secure",
                secure.map((address) => h("li", { key: address }, h("a", { href: `${address}/setup` }, address))),
              ),
            ]
          : null,
      ),
      update(),
    ),
  ]);
}

/** @type {() => Children} */
let host;
/** Only an installed station can update itself. @type {() => Children} */
let update = () => null;
const settings = pictureForm(page, draw, lookAgain);

async function begin() {
  [page.state, page.room, page.picture] = await loaded(() =>
    Promise.all([get("/api/v1/state"), get("/api/v1/room"), get("/api/v1/picture")]),
  );
  host = hostCard(page, draw);
  if (updates) update = updateCard(page, draw);
  draw();
  paint(byId("done"), [button("first", t("page/setup/done"), toTable)]);
  fillIn();
  // The browser may restore the page from its cache.
  addEventListener("pageshow", (event) => {
    if (event.persisted) lookAgain();
  });
}

begin();
