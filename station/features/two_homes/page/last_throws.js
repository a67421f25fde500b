// A game in two homes: the last throw in each, with pictures of the dice if that home shares them, and questions from the
// other home about a die.

import * as dialogs from "./dialogs.js";
import { h } from "./dom.js";
import { die, photo } from "./dice.js";
import { pictureOf } from "./two_homes.js";
import { t } from "./words.js";

/** @param {Api.TrayView} tray @param {number} slot @param {number} face */
const picture = (tray, slot, face) => [die(face, { label: "" }), tray.pictures ? photo(pictureOf(tray.pictures, slot)) : null];

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
              picture(tray, index + 1, face),
            )
          : h("span", { role: "img", "aria-label": label }, picture(tray, index + 1, face)),
        h("b", { "aria-hidden": "true" }, face),
      );
    }),
  );

/** @param {State} state @param {string} command */
const can = ({ commands }, command) => commands.includes(command);

/** @param {State} state @param {((name: string, body?: object) => unknown) | undefined} command: none on a screen without controls */
export function lastThrows(state, command) {
  const doubts = command && can(state, "question_die");
  /** @param {Api.TrayView} tray @param {number} slot @param {number} face */
  const ask = (tray, slot, face) =>
    dialogs.askFace(
      t("page/dialog/correct", { slot }),
      t("page/homes/doubt_how", { face }),
      (to) => to !== face && command?.("question_die", { ...(tray.home ? { home: tray.home } : {}), slot, face: to }),
      { first: dialogs.LIKELY[face] || [], now: face },
    );
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
