// Whether all begin a game level, and with how many points each, from their past games.

import { h } from "./dom.js";
import { number, t } from "./words.js";
import { post, told } from "./api.js";
import { tick } from "./choices.js";

// key: whom by which rules `points` are for; null until the station has said so. why: it could not.
/** @type {{ on: boolean, key: string, points: number[] | null, why: string }} */
const level = { on: Boolean(history.state?.level), key: "", points: null, why: "" };

/**
 * The points of each, asked for when somebody else plays; null while they are not known or not wanted.
 * @param {string[]} names @param {string | null} rules @param {() => void} draw
 */
function known(names, rules, draw) {
  if (!level.on) return null;
  const key = JSON.stringify([rules, names]);
  if (level.key !== key) {
    Object.assign(level, { key, points: null, why: "" });
    /** @param {number[]} points @param {string} why */
    const heard = (points, why = "") => {
      if (level.key !== key) return;
      Object.assign(level, { points, why });
      draw();
    };
    post("/api/v1/people/handicaps", { rules, players: names })
      .then((/** @type {Api.Handicaps} */ found) => heard(found.handicaps))
      .catch((error) => heard([], told(error).message));
  }
  return level.points;
}

/** What a reload finds again. */
export const wanted = () => level.on;

/** Other games may count by now. */
export const again = () => {
  level.key = "";
};

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
        Object.assign(level, { on, key: "" });
        draw();
      },
      { id: "level" },
    ),
    h("p.aside", { role: "status" }, points && inWords(names, points)),
  );
}
