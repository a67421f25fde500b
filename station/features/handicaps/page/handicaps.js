// Handicaps: whether a game starts level, and with how many points for each player, from their past games.

import { h } from "./dom.js";
import { number, t } from "./words.js";
import { post, failureOf } from "./api.js";
import { Question } from "./question.js";
import { tick } from "./choices.js";

// question: keyed by players and rules. points: null until the station has answered. why: it could not work them out.
/** @type {{ question: Question, points: number[] | null, why: string }} */
const level = { question: new Question(), points: null, why: "" };

/** The points of each player, requested again when the players change; null while unknown or switched off. @param {NewGame} game */
function known({ players, rules, options, draw }) {
  if (!options.level) return null;
  /** @param {number[]} points @param {string} why */
  const update = (points, why = "") => {
    Object.assign(level, { points, why });
    draw();
  };
  const request = { rules: rules?.id ?? null, players };
  const isNew = level.question.ask(
    JSON.stringify(request),
    () => post("/api/v1/people/handicaps", request),
    (/** @type {Api.Handicaps} */ { handicaps }) => update(handicaps),
    (error) => update([], failureOf(error).message),
  );
  if (isNew) Object.assign(level, { points: null, why: "" });
  return level.points;
}

/** @param {string[]} names @param {number[]} points */
function inWords(names, points) {
  if (!points.length) return level.why || t("page/lobby/handicap/few");
  return names.map((name, seat) => t("page/lobby/handicap/of", { name, points: number(points[seat]) })).join(" · ");
}

/** Whether handicaps apply: not for a single player. @param {NewGame} game */
const applies = ({ players, options }) => Boolean(options.level) && players.length > 1;

const again = () => level.question.forget();

/** @type {PagePart} */
export const part = {
  again,
  onTop: { label: t("page/common/handicap"), of: (player) => player.handicap },
  game: {
    form(game) {
      const { players, options, draw } = game;
      if (players.length < 2) return null;
      const points = known(game);
      return h(
        "fieldset",
        { key: "level" },
        h("legend", t("page/common/handicap")),
        tick(
          t("page/lobby/handicap/level"),
          Boolean(options.level),
          (on) => {
            options.level = on ? "on" : "";
            again();
            draw();
          },
          { id: "level" },
        ),
        h("p.aside", { role: "status" }, points && inWords(players, points)),
      );
    },
    pending: (game) => applies(game) && !level.points,
  },
  seat: {
    fields: ({ index }, game) => (applies(game) && level.points?.[index] ? { handicap: level.points[index] } : {}),
  },
};
