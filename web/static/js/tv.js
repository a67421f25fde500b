// The big screen: read-only, the same state as everybody's, in letters for the sofa.

import { byId, h, paint } from "./dom.js";
import { load, said, t } from "./words.js";
import { Link } from "./link.js";
import { die } from "./dice.js";
import * as announce from "./announce.js";
import * as sheet from "./sheet.js";
import * as tray from "./tray.js";

const page = { state: null, room: {}, fresh: null, picture: 0 };

function dice(state) {
  const offer = tray.offered(state) ? state.reading?.dice || [] : [];
  if (offer.length) return offer.map((item) => h("div", { class: `tv-die seen${item.held ? " held" : ""}`, key: item.slot }, die(item.face), h("b", {}, item.held ? t("held") : "")));
  if (state.dice.length) {
    return state.dice.map((item) => h("div", { class: `tv-die${item.held ? " held" : ""}`, key: item.slot }, die(item.face), h("b", {}, item.held ? t("held") : "")));
  }
  const faces = state.reading?.status === "moving" ? [] : state.reading?.faces || [];
  return (faces.length ? faces : [0, 0, 0, 0, 0]).map((face, index) => h("div", { class: `tv-die seen${face ? "" : " none"}`, key: index }, die(face, face ? {} : { label: "", kind: "blank" }), h("b", {})));
}

function half(state, section) {
  const view = { choice: state.choice, fresh: page.fresh };
  return h("div", { class: "tv-paper" }, h("table", { class: "sheet", "data-players": state.players.length },
    h("caption", { class: "vh" }, section === "upper" ? t("Upper section") : t("Lower section")),
    sheet.header(state), sheet.body(state, section, view), section === "lower" ? sheet.footer(state) : null));
}

function draw() {
  const { state } = page;
  byId("waiting").textContent = said(state.waiting_for);
  const playing = state.phase !== "lobby";
  paint(byId("facts"), playing && !state.finished ? [tray.throwCount(state), state.phase === "throwing" ? tray.readingChip(state.reading) : null] : []);
  paint(byId("stage"), playing ? [
    h("div", { class: "tv-top", key: "top" }, h("div", { class: "tv-dice" }, dice(state)),
      h("img", { class: "tv-picture", src: `/api/v1/frame.jpg?at=${page.picture}`, alt: t("The tray as the camera sees it") })),
    h("div", { class: "tv-sheets", key: "sheets" }, half(state, "upper"), half(state, "lower")),
  ] : [h("div", { class: "tv-lobby", key: "lobby" }, h("p", {}, t("Open this station's address on a phone or tablet to begin.")))]);
}

function take(state) {
  const before = page.state;
  const news = before && announce.change(state, before);
  if (news) {
    byId("live").textContent = news.text;
    if (news.kind === "score") page.fresh = news.key;
  }
  if (!before || JSON.stringify(before.reading) !== JSON.stringify(state.reading)) page.picture = Date.now();
  page.state = state;
  draw();
}

setInterval(() => { if (page.state?.phase === "throwing" && !document.hidden) { page.picture = Date.now(); draw(); } }, 1000);

await load();
new Link({ onState: take, onRoom: (room) => { page.room = room; }, onLine: (connected) => { byId("line").hidden = connected; } });
