// What a box pays and what everybody has in it, asked for by a tap on its row; an earlier box is put right from there.

import { button, h } from "./dom.js";
import { number, t } from "./words.js";
import { get } from "./api.js";
import * as dialogs from "./dialogs.js";

let looked = 0;

// `asked` gives the command of a dialog that opens at that moment.
/** @param {Row} row @param {SheetPage} page @param {() => Command} asked */
export async function open(row, page, asked) {
  const answer = asked(); // as people sat then, and in that game
  const { state } = page;
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
              !player.open && state?.commands.includes("correct_box")
                ? button("quiet", [t("page/why/correct"), h("span.vh", `: ${player.name}`)], () =>
                    rewrite(page, asked, { row, seat: index, name: player.name, stands: standing(state, index, row) }, answer),
                  )
                : null,
            ),
          ),
      ),
    ),
  ]);
}

// A box of an earlier turn: the dice that really lay there. What would change with it is asked about. Where something else has
// happened at the table meanwhile, as it does while others play on, what was typed stays for a second look.
/**
 * @param {SheetPage} page @param {() => Command} asked @param {{ row: Row, seat: number, name: string, stands: string }} box: stands: what is in it, whose it is and in which game
 * @param {Command} answer @param {{ faces: number[], fault?: string }} typed: before, and why it was refused
 */
function rewrite(page, asked, box, answer, typed = { faces: [] }) {
  const { state } = page;
  if (!state) return;
  const { row, seat, name } = box;
  const slots = Array.from({ length: state.dice_count / state.boxes_per_turn }, () => ({ held: false }));
  dialogs.typeRoll({ slots, ...typed, title: t("page/why/really", { name }) }, (faces) => {
    const fields = { player: seat, category: row.category, faces };
    /** @param {Told} why */
    const again = ({ code, message }) => {
      if (document.querySelector("dialog[open]") || standing(page.state, seat, row) !== box.stands) return false;
      rewrite(page, asked, box, code === "version/stale" ? asked() : answer, { faces, fault: message });
      return true;
    };
    answer("correct_box", fields, (why) => {
      const { changes } = why.values;
      if (why.code !== "box/changes_others" || !changes || document.querySelector("dialog[open]")) return again(why);
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
        () => answer("correct_box", { ...fields, force: true }, again),
      );
      return true;
    });
  });
}

/** @param {State | null} state @param {number} seat @param {Row} row */
const standing = (state, seat, { category }) =>
  JSON.stringify(state && [state.game, state.players[seat]?.name, state.players[seat]?.boxes[category]]);
