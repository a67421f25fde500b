// Whether all begin a game level, and with how many points each, from their past games.

import { h } from "./dom.js";
import { number, t } from "./words.js";
import { post, told } from "./api.js";
import { Question } from "./question.js";
import { tick } from "./choices.js";

// asked: whom by which rules `points` are for; null until the station has said so. why: it could not.
/** @type {{ on: boolean, asked: Question, points: number[] | null, why: string }} */
const level = { on: Boolean(history.state?.level), asked: new Question(), points: null, why: "" };

/**
 * The points of each, asked for when somebody else plays; null while they are not known or not wanted.
 * @param {string[]} names @param {string | null} rules @param {() => void} draw
 */
function known(names, rules, draw) {
  if (!level.on) return null;
  /** @param {number[]} points @param {string} why */
  const heard = (points, why = "") => {
    Object.assign(level, { points, why });
    draw();
  };
  const asks = level.asked.ask(
    JSON.stringify([rules, names]),
    () => post("/api/v1/people/handicaps", { rules, players: names }),
    (/** @type {Api.Handicaps} */ found) => heard(found.handicaps),
    (error) => heard([], told(error).message),
  );
  if (asks) Object.assign(level, { points: null, why: "" });
  return level.points;
}

/** What a reload finds again. */
export const wanted = () => level.on;

/** Other games may count by now. */
export const again = () => level.asked.forget();

/** @param {string[]} names @param {number[]} points */
function inWords(names, points) {
  if (!points.length) return level.why || t("page/lobby/handicap/few");
  return names.map((name, seat) => t("page/lobby/handicap/of", { name, points: number(points[seat]) })).join(" · ");
}

/** Whether what is wanted is not known yet: the game would begin without it. @param {string[]} names */
export const pending = (names) => level.on && names.length > 1 && !level.points;

/** Who plays alone has nobody to stand level with. @param {string[]} names @param {number} seat */
export const of = (names, seat) => (level.on && names.length > 1 && level.points?.[seat]) || 0;

/** A switch, and what it brings. @param {string[]} names @param {string | null} rules @param {() => void} draw */
export function choice(names, rules, draw) {
  if (names.length < 2) return null;
  const points = known(names, rules, draw);
  return h(
    "fieldset",
    { key: "level" },
    h("legend", t("page/common/handicap")),
    tick(
      t("page/lobby/handicap/level"),
      level.on,
      (on) => {
        level.on = on;
        again();
        draw();
      },
      { id: "level" },
    ),
    h("p.aside", { role: "status" }, points && inWords(names, points)),
  );
}
