// What a box pays and what everybody has in it, asked for by a tap on its row; an earlier box is put right from there.

import { button, h } from "./dom.js";
import { number, t } from "./words.js";
import { get } from "./api.js";
import * as dialogs from "./dialogs.js";

let looked = 0;

// `asked` gives the command of a dialog that opens at that moment.
/** @param {Row} row @param {State} state @param {() => Command} asked */
export async function open(row, state, asked) {
  const answer = asked(); // as people sat then, and in that game
  looked += 1;
  const mine = looked;
  /** @type {Api.RowWhy} */
  const about = await get(`/api/v1/why?category=${encodeURIComponent(row.category)}`);
  if (mine !== looked) return; // another row was tapped since
  if (document.querySelector("dialog[open]")) return; // opened while the line was slow: what is typed there stays
  dialogs.open(row.label, () => [
    h("p.lead.begins", about.pays),
    h(
      "dl.why",
      about.players.map(
        (player, index) =>
          player.points !== null &&
          h(
            "div",
            { key: index },
            h(
              "dt",
              h("span", { translate: "no" }, player.name),
              " ",
              h("b", number(player.points ?? 0)),
              player.open ? h("small", ` ${t("page/common/possible")}`) : null,
            ),
            h(
              "dd",
              player.why || t("page/why/unknown"),
              !player.open && state.commands.includes("correct_box")
                ? button("quiet", [t("page/why/correct"), h("span.vh", `: ${player.name}`)], () =>
                    rewrite(state, row, index, player.name, answer),
                  )
                : null,
            ),
          ),
      ),
    ),
  ]);
}

// A box of an earlier turn: the dice that really lay there. What would change with it is asked about.
/** @param {State} state @param {Row} row @param {number} player: the seat @param {string} name @param {Command} answer @param {{ faces: number[], fault?: string }} typed: before, and why it was refused */
function rewrite(state, row, player, name, answer, typed = { faces: [] }) {
  const slots = Array.from({ length: state.dice_count / state.boxes_per_turn }, () => ({ held: false }));
  dialogs.typeRoll({ slots, ...typed, title: t("page/why/really", { name }) }, (faces) => {
    const box = { player, category: row.category, faces };
    answer("correct_box", box, ({ code, message, values: { changes } }) => {
      if (code === "version/stale" || document.querySelector("dialog[open]")) return false;
      if (code !== "box/changes_others" || !changes) {
        rewrite(state, row, player, name, answer, { faces, fault: message });
        return true;
      }
      dialogs.ask(
        t("page/why/changes"),
        h(
          "dl.why",
          changes.map((change) =>
            h(
              "div",
              { key: change.category },
              h("dt", change.box, " ", h("b", `${number(change.was)} → ${number(change.now)}`)),
              h("dd", change.why),
            ),
          ),
        ),
        t("page/why/change_all"),
        () => answer("correct_box", { ...box, force: true }),
      );
      return true;
    });
  });
}
