// Whether all begin a game level, and with how many points each, from their past games.

import { h } from "./dom.js";
import { number, t } from "./words.js";
import { post, failureOf } from "./api.js";
import { Question } from "./question.js";
import { tick } from "./choices.js";

// asked: whom by which rules `points` are for; null until the station has said so. why: it could not.
/** @type {{ asked: Question, points: number[] | null, why: string }} */
const level = { asked: new Question(), points: null, why: "" };

/** The points of each, asked for when somebody else plays; null while they are not known or not wanted. @param {NewGame} game */
function known({ players, rules, said, draw }) {
  if (!said.level) return null;
  /** @param {number[]} points @param {string} why */
  const heard = (points, why = "") => {
    Object.assign(level, { points, why });
    draw();
  };
  const asked = { rules: rules?.id ?? null, players };
  const asks = level.asked.ask(
    JSON.stringify(asked),
    () => post("/api/v1/people/handicaps", asked),
    (/** @type {Api.Handicaps} */ found) => heard(found.handicaps),
    (error) => heard([], failureOf(error).message),
  );
  if (asks) Object.assign(level, { points: null, why: "" });
  return level.points;
}

/** @param {string[]} names @param {number[]} points */
function inWords(names, points) {
  if (!points.length) return level.why || t("page/lobby/handicap/few");
  return names.map((name, seat) => t("page/lobby/handicap/of", { name, points: number(points[seat]) })).join(" · ");
}

/** Who plays alone has nobody to stand level with. @param {NewGame} game */
const wanted = ({ players, said }) => Boolean(said.level) && players.length > 1;

const again = () => level.asked.forget();

/** @type {PagePart} */
export const part = {
  again,
  onTop: { label: t("page/common/handicap"), of: (player) => player.handicap },
  game: {
    form(game) {
      const { players, said, draw } = game;
      if (players.length < 2) return null;
      const points = known(game);
      return h(
        "fieldset",
        { key: "level" },
        h("legend", t("page/common/handicap")),
        tick(
          t("page/lobby/handicap/level"),
          Boolean(said.level),
          (on) => {
            said.level = on ? "on" : "";
            again();
            draw();
          },
          { id: "level" },
        ),
        h("p.aside", { role: "status" }, points && inWords(players, points)),
      );
    },
    pending: (game) => wanted(game) && !level.points,
  },
  seat: {
    asks: ({ index }, game) => (wanted(game) && level.points?.[index] ? { handicap: level.points[index] } : {}),
  },
};
