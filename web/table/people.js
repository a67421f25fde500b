// The people at the table: rename, reorder, remove.

import { failure, h, icon, NAME_MAX } from "./dom.js";
import { t } from "./words.js";
import { seenBy } from "./controls.js";
import * as dialogs from "./dialogs.js";

/**
 * @param {SheetPage} page @param {Command} command @param {string} fault: of the last attempt
 * @param {Record<string, string>} typed: by name, since another screen may change the order meanwhile
 */
export function open(page, command, fault = "", typed = {}) {
  /** Names on their way to the station, by the old name. @type {Record<string, string>} */
  const renamed = {};
  /** The names by row, as last drawn. @type {string[]} */
  let rows = [];
  /** Moves the cursor with the name being typed, when its row changes. @param {string[]} now: the names by row */
  const follow = (now) => {
    const field = document.activeElement;
    const list = document.querySelector("dialog .names");
    const from = [...(list?.children || [])].findIndex((row) => row.contains(field));
    const to = now.indexOf(rows[from]);
    const gone = now.length < rows.length;
    rows = now;
    if (!(field instanceof HTMLInputElement) || to === from || (to < 0 && !gone)) return;
    const { selectionStart, selectionEnd } = field;
    queueMicrotask(() => {
      field.blur();
      const next = list?.querySelector(`li:nth-child(${to + 1}) input`);
      if (!(next instanceof HTMLInputElement)) return;
      next.focus();
      next.setSelectionRange(selectionStart, selectionEnd);
    });
  };
  /** @param {() => boolean} draw */
  const content = (draw) => {
    if (!page.state) return null;
    const state = seenBy(page.state, page.refused);
    follow(state.players.map(({ name }) => name));
    /** @param {string} command */
    const can = (command) => state.commands.includes(command);
    // With roles, a player may only change the own name.
    const own = page.room.roles && page.you?.role === "player" ? page.you.seat : null;
    /** @param {string} name @param {object} fields @param {() => boolean} showFault: shows it here, if it can */
    const act = (name, fields, showFault = draw) => {
      fault = "";
      return command(name, { version: state.version, ...fields }, (why) => {
        fault = why.message;
        return showFault();
      });
    };
    /** @param {string} name @param {object} fields */
    const change = (name, fields) => act(name, fields).then(draw);
    /** Text typed while the request is on its way belongs to the new name, and stays. @param {number} player @param {string} before @param {string} name */
    const rename = async (player, before, name) => {
      renamed[before] = name.trim();
      const after = await act("rename_player", { player, name });
      delete renamed[before];
      if (after) delete typed[before];
      draw();
    };
    /** @param {number} player @param {string} name */
    const remove = (player, name) =>
      state.phase === "lobby"
        ? change("remove_player", { player })
        : dialogs.ask(t("page/people/remove_sure", { name }), t("page/people/remove_told"), t("page/people/remove", { name }), async () => {
            const free = () => !document.querySelector("dialog[open]");
            await act("remove_player", { player }, free);
            if (free()) open(page, command, fault, typed); // not over a dialog opened meanwhile
          });
    return [
      failure(fault),
      h(
        "ol.names",
        state.players.map(({ name, gone }, player) => {
          const text = typed[name] ?? name;
          if (gone) return h("li.gone", { key: `gone-${player}` }, h("s", { translate: "no" }, name), ` (${t("page/common/gone")})`);
          if (!can("rename_player") || (own && own !== name)) return h("li", { key: player }, h("span", { translate: "no" }, name));
          return h(
            "li",
            { key: player },
            h(
              "form.name-form",
              {
                autocomplete: "off",
                onsubmit: (event) => {
                  event.preventDefault();
                  rename(player, name, text);
                },
              },
              h("input", {
                type: "text",
                "aria-label": t("page/lobby/player", { n: player + 1 }),
                maxlength: NAME_MAX,
                value: text,
                spellcheck: "false",
                oninput: (event) => {
                  typed[name] = event.currentTarget.value;
                  const next = renamed[name];
                  if (next && !state.players.some((each) => each.name === next)) typed[next] = typed[name];
                  draw();
                },
              }),
              text === name ? null : h("button.first", { type: "submit" }, t("page/people/rename")),
            ),
            text === name && [
              icon(
                "↑",
                t("page/people/up", { name }),
                () => change("move_player", { player, to: player - 1 }),
                player === 0 || !can("move_player"),
              ),
              icon("×", t("page/people/remove", { name }), () => remove(player, name), !can("remove_player")),
            ],
          );
        }),
      ),
    ];
  };
  dialogs.open(t("page/people/title"), content, "", true);
}
