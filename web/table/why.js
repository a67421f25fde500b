// A tap on a row shows what the box pays and every player's points in it; an earlier box can be corrected there.

import { button, h } from "./dom.js";
import { number, t } from "./words.js";
import { get } from "./api.js";
import * as dialogs from "./dialogs.js";
import { boxesOf } from "./turns.js";

let requests = 0;

// The player whose box was tapped comes first.
/** @param {Row} row @param {SheetPage} page @param {() => Command} dialogCommand @param {number | undefined} tapped: the seat */
export async function open(row, page, dialogCommand, tapped) {
  const answer = dialogCommand(); // for the players and the game on screen now
  const { state } = page;
  requests += 1;
  const mine = requests;
  /** @type {Api.RowWhy} */
  const about = await get(`/api/v1/why?category=${encodeURIComponent(row.category)}`);
  if (mine !== requests) return; // another row was tapped since
  if (document.querySelector("dialog[open]")) return; // opened meanwhile: keep what is typed there
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
                    correct(box, same ? dialogCommand() : answer, { faces, to }, () => false);
                  }),
                  button("quiet", [t("page/why/correct"), h("span.vh", `: ${name}`)], () => rewrite(page, dialogCommand, box, answer)),
                ]
              : null,
          ),
        );
      }),
    ),
  ]);
}

/**
 * The open boxes that could take the dice of a filled one, with their points, the most first.
 * @param {State | null} state @param {Api.PlayerWhy["elsewhere"]} elsewhere @param {boolean} open: whether the list is unfolded @param {(to: string) => void} move
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

/** @typedef {{ row: Row, seat: number, name: string, stands: string }} Box: stands: its game, player and points, as `standing` gives them */

// Corrects a box of an earlier turn by typing the dice that really lay there. If the table has moved on meanwhile, the
// dialog opens again with the same dice.
/**
 * @param {SheetPage} page @param {() => Command} dialogCommand @param {Box} box
 * @param {Command} answer @param {{ faces: number[], fault?: string }} typed: the faces typed before, and why they were refused
 */
function rewrite(page, dialogCommand, box, answer, typed = { faces: [] }) {
  const { state } = page;
  if (!state) return;
  const { row, seat, name } = box;
  const slots = Array.from({ length: state.dice_count / boxesOf(state) }, () => ({ held: false }));
  dialogs.typeRoll({ slots, ...typed, title: t("page/why/really", { name }) }, (faces) =>
    correct(box, answer, { faces }, ({ code, message }) => {
      if (document.querySelector("dialog[open]") || standing(page.state, seat, row) !== box.stands) return false;
      rewrite(page, dialogCommand, box, code === "version/stale" ? dialogCommand() : answer, { faces, fault: message });
      return true;
    }),
  );
}

// Asks again where the correction would change later boxes.
/** @param {Box} box @param {Command} answer @param {{ faces: number[], to?: string }} right @param {(why: Failure) => boolean} again: called where it is refused */
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
