// First start and later changes: look and language, the camera, the host, addresses. One page, four steps.

import { byId, h, paint } from "./dom.js";
import { load, said, t } from "./words.js";
import { get, post } from "./api.js";
import * as dialogs from "./dialogs.js";
import { look } from "./menu.js";

const page = { state: null, room: null, fault: "", picture: Date.now() };
const { addresses, secure } = JSON.parse(byId("setup").dataset.found);

async function change(path, body) {
  try { page.room = await post(`/api/v1/room/${path}`, body); page.fault = ""; } catch (error) { page.fault = error.message; }
  draw();
}

// The games that are here now are kept in a file beside the new ones; the station says its name.
function restore(event) {
  event.preventDefault();
  const file = byId("backup").files[0];
  dialogs.ask(t("Put the backup back?"), t("All games here are replaced by those of the backup; they are kept in a file."), t("Put the backup back"), async () => {
    try {
      const answer = await fetch("/api/v1/restore", { method: "POST", headers: { "content-type": "application/vnd.sqlite3" }, body: file });
      const told = await answer.json();
      page.fault = answer.ok ? "" : said(told.error.message);
      page.good = answer.ok ? t("Done. The games of before are in {file}.", { file: told.kept || "–" }) : "";
    } catch { page.fault = t("No connection to the station. It was not done; try again in a moment."); }
    draw();
  });
}

async function done() {
  try { await post("/api/v1/room/set-up", {}); } catch { /* not the host: then somebody has been here before */ }
  location.href = "/";
}

const field = (event, name) => { event.preventDefault(); return new FormData(event.target).get(name); };

function camera() {
  const { camera: info } = page.state;
  return h("section", { class: "card" }, h("h2", {}, t("2. The camera")),
    h("p", { class: "begins" }, info?.name ? said(info.name) : "", info?.message ? `: ${said(info.message)}` : ""),
    h("img", { class: "picture", src: `/api/v1/frame.jpg?at=${page.picture}`, alt: t("The tray as the camera sees it") }),
    h("p", { class: "aside" }, t("The whole tray should be in the picture, and every die should be easy to see.")),
    h("p", { class: "links" }, h("button", { type: "button", class: "second", onclick: () => { page.picture = Date.now(); draw(); } }, t("Look again")),
      h("a", { class: "second button", href: "/setup/calibrate" }, t("Calibrate"))));
}

function host() {
  const { pin, you, only_seated: only } = page.room;
  const seats = page.room.seats || [];
  return h("section", { class: "card" }, h("h2", {}, t("3. The host")),
    h("p", { class: "aside" }, pin ? t("A PIN protects setup, earlier turns and the end of a game.") : t("Everybody may do everything. A PIN keeps setup, earlier turns and the end of a game for the host.")),
    pin && !you.host ? h("form", { class: "stack", onsubmit: (event) => change("host", { pin: field(event, "pin") }) },
      h("label", { for: "pin" }, t("The host's PIN")), h("input", { id: "pin", name: "pin", type: "password", inputmode: "numeric", maxlength: 8, autocomplete: "off", required: true }),
      h("button", { type: "submit", class: "first" }, t("I am the host"))) : [
      h("form", { class: "stack", onsubmit: (event) => change("pin", { pin: field(event, "pin") || null }) },
        h("label", { for: "pin" }, pin ? t("Another PIN (leave empty for none)") : t("PIN, 4 to 8 digits")),
        h("input", { id: "pin", name: "pin", type: "password", inputmode: "numeric", pattern: "[0-9]{4,8}", maxlength: 8, autocomplete: "off" }),
        h("button", { type: "submit", class: "second" }, pin ? t("Change the PIN") : t("Protect with a PIN"))),
      h("p", { class: "switch" }, h("label", {}, h("input", { type: "checkbox", checked: only, onchange: (event) => change("only-seated", { on: event.target.checked }) }), h("span", {}, t("Screens without a seat only look on")))),
      pin && seats.length ? h("form", { class: "stack", onsubmit: (event) => change("pass", { to: field(event, "to") }) },
        h("label", { for: "to" }, t("Pass the host's role to")), h("select", { id: "to", name: "to" }, seats.map((name) => h("option", { key: name, value: name }, name))),
        h("button", { type: "submit", class: "second" }, t("Pass it on"))) : null]);
}

function draw() {
  paint(byId("setup"), [h("div", { class: "wizard" },
    page.fault ? h("p", { class: "fault", role: "alert" }, page.fault) : null,
    page.good ? h("p", { class: "good", role: "status" }, page.good) : null,
    h("section", { class: "card stack" }, h("h2", {}, t("1. Look and language")), look(draw),
      h("details", { class: "more" }, h("summary", {}, t("Backup")),
      h("p", { class: "links" }, h("a", { class: "second button", href: "/api/v1/backup" }, t("Save a backup of all games"))),
      h("form", { class: "stack", onsubmit: restore },
        h("label", { for: "backup" }, t("Coming from another station? Put its backup back here")),
        h("input", { id: "backup", name: "backup", type: "file", accept: ".sqlite3", required: true }),
        h("button", { type: "submit", class: "second" }, t("Put the backup back"))))),
    camera(), host(),
    h("section", { class: "card" }, h("h2", {}, t("4. Everybody in")),
      h("p", {}, t("Other phones and tablets scan this code, or open one of these addresses:")),
      h("div", { class: "codes" }, h("img", { class: "code", src: "/join.svg", alt: t("QR code of the address") }),
        h("ul", {}, addresses.map((address) => h("li", { key: address }, h("code", {}, address))))),
      secure.length ? [h("p", {}, t("By https, for devices that know the certificate of the house:")),
        h("ul", { class: "secure" }, secure.map((address) => h("li", { key: address }, h("a", { href: `${address}/setup` }, address))))] : null),
    h("p", { class: "links" }, h("button", { type: "button", class: "first", onclick: done }, t("Done: to the score sheet"))))]);
}

await load();
[page.state, page.room] = await Promise.all([get("/api/v1/state"), get("/api/v1/room")]);
draw();
