// Where a game is played in two homes: what was thrown last in each, with pictures of the dice where that home shows them,
// and what another home asks about one.

import * as dialogs from "./dialogs.js";
import { h } from "./dom.js";
import { die } from "./dice.js";
import { can } from "./tray.js";
import { t } from "./words.js";

/** The picture of a die of another home. @param {string} pictures @param {number} slot */
export const picture = (pictures, slot) => `/api/v1/die.jpg?slot=${slot}&pictures=${pictures}`;

/** The throw of whoever throws now, where its pictures are shown. @param {State} state */
export function throwing(state) {
  const home = state.players[state.active_player ?? -1]?.home ?? null;
  return state.trays.find((tray) => tray.elsewhere && tray.home === home && tray.pictures) ?? null;
}

/** A picture over a drawn die, seen as soon as it is there. @param {string} src @param {string} tag */
export function photo(src, tag = "img") {
  /** @param {boolean} there @returns {(event: Event) => void} */
  const shown = (there) => (event) => /** @type {Element} */ (event.currentTarget).classList.toggle("there", there);
  return h(tag, { alt: "", src, onload: shown(true), onerror: shown(false) });
}

/** @param {Api.TrayView} tray @param {number} slot @param {number} face */
const seen = (tray, slot, face) => [die(face, { label: "" }), tray.pictures ? photo(picture(tray.pictures, slot)) : null];

/** @param {Api.TrayView} tray @param {((tray: Api.TrayView, slot: number, face: number) => unknown) | null} ask */
const dice = (tray, ask) =>
  h(
    "ul.thrown-dice",
    { "aria-label": t("page/homes/dice", { player: tray.player }) },
    tray.faces.map((face, index) => {
      const label = t("page/common/die_shows", { slot: index + 1, face });
      return h(
        "li",
        { key: index },
        ask
          ? h(
              "button",
              { "data-slot": index + 1, "aria-label": `${label} ${t("page/homes/doubt")}`, onclick: () => ask(tray, index + 1, face) },
              seen(tray, index + 1, face),
            )
          : h("span", { role: "img", "aria-label": label }, seen(tray, index + 1, face)),
        h("b", { "aria-hidden": "true" }, face),
      );
    }),
  );

/** @param {State} state @param {((name: string, body?: object) => unknown) | null} command: none on a screen that only looks */
export function lastThrows(state, command = null) {
  if (!state.trays.length) return null;
  const doubts = command && can(state, "question_die");
  /** @param {Api.TrayView} tray @param {number} slot @param {number} face */
  const ask = (tray, slot, face) =>
    dialogs.questionDie({ slot, face }, (to) => command?.("question_die", { ...(tray.home ? { home: tray.home } : {}), slot, face: to }));
  return h(
    "div.last-throws",
    { key: "last-throws" },
    state.trays.map((tray) =>
      h(
        "div.last-throw",
        { key: tray.home ?? "" },
        h("p", t("page/homes/last", { player: tray.player, faces: tray.faces.join("\u2011") })),
        tray.pictures || (doubts && tray.elsewhere && !tray.drawn) ? dice(tray, doubts && tray.elsewhere ? ask : null) : null,
        tray.question ? h("p.questioned", { role: "status" }, tray.question.told) : null,
        command && tray.question && !tray.elsewhere ? answers(state, tray.question, command) : null,
      ),
    ),
  );
}

/** @param {State} state @param {Api.QuestionView} question @param {(name: string, body?: object) => unknown} command */
function answers(state, { slot, face, stands }, command) {
  if (stands) return null;
  const { throws_done: thrown } = state;
  return h(
    "div.steps",
    thrown && can(state, "correct_die")
      ? h("button.second", { onclick: () => command("correct_die", { slot, face }) }, t("page/homes/correct", { face }))
      : null,
    can(state, "let_stand") ? h("button.second", { onclick: () => command("let_stand") }, t("page/homes/stands")) : null,
  );
}
