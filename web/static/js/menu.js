// Everything that is not the next step: late player, end of the game, light and dark, language, other pages.

import { byId, h } from "./dom.js";
import { t } from "./words.js";
import * as dialogs from "./dialogs.js";
import * as prefs from "./prefs.js";
import { can } from "./tray.js";

export function choices(name, label, now, options, change) {
  return h("fieldset", { class: "choices" }, h("legend", {}, label), h("div", { class: "choice-row" }, options.map(([value, text]) =>
    h("label", { key: value }, h("input", { type: "radio", name, value, checked: value === now, onchange: () => change(value) }), h("span", {}, text)))));
}

export const look = (draw) => [
  choices("theme", t("Light or dark"), prefs.theme(), [["system", t("Like this device")], ["light", t("Light")], ["dark", t("Dark")]], (value) => { prefs.setTheme(value); draw(); }),
  choices("language", t("Language"), document.documentElement.lang, [["en", "English"], ["de", "Deutsch"]], prefs.setLanguage),
];

function show(page, { command }) {
  const { state } = page;
  dialogs.open(t("Menu"), (draw, close) => {
    const item = (label, act, danger) => h("li", {}, h("button", { type: "button", class: danger ? "danger" : "", onclick: () => { close(); act(); } }, label));
    const link = (href, label) => h("li", {}, h("a", { href }, label));
    return [
      h("ul", { class: "menu" },
        can(state, "add_player") ? item(t("Add a player"), () => dialogs.askText(t("Add a player"), t("Name"), t("Join the game"), (name) => command("add_player", { name }))) : null,
        can(state, "end_game") ? item(t("End the game now"), () => dialogs.ask(t("End the game now?"), t("The scores stay as they are. You can undo it."), t("End the game"), () => command("end_game")), true) : null,
        link("/tv", t("Big screen view")), link("/history", t("Past games")), link("/setup", t("Setup"))),
      ...look(draw),
    ];
  });
}

export function why(row) {
  dialogs.open(row.label, () => h("p", { class: "lead" }, row.pays || ""));
}

export function start(page, tools) {
  byId("menu").onclick = () => { if (page.state) show(page, tools); };
}

export function draw() {}
