// What a box pays and what everybody has in it, asked for by a tap on its row; an earlier box is put right from there.

import { button, h } from "./dom.js";
import { number, t } from "./words.js";
import { get } from "./api.js";
import * as dialogs from "./dialogs.js";
import { boxesOf } from "./turns.js";

let looked = 0;

// `asked` gives the command of a dialog that opens at that moment. The player whose box was tapped comes first.
/** @param {Row} row @param {SheetPage} page @param {() => Command} asked @param {number | undefined} tapped: the seat */
export async function open(row, page, asked, tapped) {
  const answer = asked(); // as people sat then, and in that game
  const { state } = page;
  looked += 1;
  const mine = looked;
  /** @type {Api.RowWhy} */
  const about = await get(`/api/v1/why?category=${encodeURIComponent(row.category)}`);
  if (mine !== looked) return; // another row was tapped since
  if (document.querySelector("dialog[open]")) return; // opened while the line was slow: what is typed there stays
  const mayCorrect = state?.commands.includes("correct_box");
  const players = about.players.map((player, seat) => ({ ...player, seat })).filter(({ points }) => points !== null);
  players.sort((one, other) => Number(other.seat === tapped) - Number(one.seat === tapped));
  dialogs.open(row.label, (_draw, close) => [
    h("p.lead.begins", about.pays),
    h(
      "dl.why",
      players.map(({ name, seat, points, open, why, faces, elsewhere }) => {
        const box = { row, seat, name, stands: standing(state, seat, row) };
        return h(
          "div",
          { key: seat },
          h(
            "dt",
            h("span", { translate: "no" }, name),
            " ",
            h("b", number(points ?? 0)),
            open ? h("small", ` ${t("page/common/possible")}`) : null,
          ),
          h(
            "dd",
            why || t("page/why/unknown"),
            !open && mayCorrect
              ? [
                  moves(state, elsewhere, seat === tapped, (to) => {
                    close();
                    const same = standing(page.state, seat, row) === box.stands;
                    correct(box, same ? asked() : answer, { faces, to }, () => false);
                  }),
                  button("quiet", [t("page/why/correct"), h("span.vh", `: ${name}`)], () => rewrite(page, asked, box, answer)),
                ]
              : null,
          ),
        );
      }),
    ),
  ]);
}

/**
 * The open boxes that may have the dice of a filled one, with what they would score there, the most first.
 * @param {State | null} state @param {Api.PlayerWhy["elsewhere"]} elsewhere @param {boolean} open: whether they are shown at once @param {(to: string) => void} move
 */
function moves(state, elsewhere, open, move) {
  const rows = state?.categories.filter(({ category }) => category in elsewhere) ?? [];
  if (!rows.length) return null;
  rows.sort((one, other) => elsewhere[other.category] - elsewhere[one.category]);
  return h(
    "details.elsewhere",
    { open },
    h("summary", t("page/why/elsewhere")),
    h(
      "div.which-boxes",
      rows.map(({ category, label }) =>
        h(
          "button.second",
          { key: category, "data-to": category, onclick: () => move(category) },
          label,
          " ",
          h("b", number(elsewhere[category])),
        ),
      ),
    ),
  );
}

/** @typedef {{ row: Row, seat: number, name: string, stands: string }} Box: stands: what is in it, whose it is and in which game */

// A box of an earlier turn: the dice that really lay there. What would change with it is asked about. Where something else has
// happened at the table meanwhile, as it does while others play on, what was typed stays for a second look.
/**
 * @param {SheetPage} page @param {() => Command} asked @param {Box} box
 * @param {Command} answer @param {{ faces: number[], fault?: string }} typed: before, and why it was refused
 */
function rewrite(page, asked, box, answer, typed = { faces: [] }) {
  const { state } = page;
  if (!state) return;
  const { row, seat, name } = box;
  const slots = Array.from({ length: state.dice_count / boxesOf(state) }, () => ({ held: false }));
  dialogs.typeRoll({ slots, ...typed, title: t("page/why/really", { name }) }, (faces) =>
    correct(box, answer, { faces }, ({ code, message }) => {
      if (document.querySelector("dialog[open]") || standing(page.state, seat, row) !== box.stands) return false;
      rewrite(page, asked, box, code === "version/stale" ? asked() : answer, { faces, fault: message });
      return true;
    }),
  );
}

// What would change with it is asked about.
/** @param {Box} box @param {Command} answer @param {{ faces: number[], to?: string }} right @param {(why: Failure) => boolean} again: where it is refused */
function correct({ row, seat }, answer, right, again) {
  const fields = { player: seat, category: row.category, ...right };
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
}

/** @param {State | null} state @param {number} seat @param {Row} row */
const standing = (state, seat, { category }) =>
  JSON.stringify(state && [state.game, state.players[seat]?.name, state.players[seat]?.boxes[category]]);
