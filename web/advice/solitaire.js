// Playing alone: the points that best play expects from here, and those it expected at the start.

import { h } from "./dom.js";
import { number, t } from "./words.js";
import { get } from "./api.js";
import { Question } from "./question.js";

const AGAIN_MS = 10000;

/** odds: undefined while they may come soon; their place is reserved, so that buttons below do not move. @type {{ question: Question, game: number, odds?: Api.TableOdds | null }} */
const par = { question: new Question(), game: 0 };

/** Requests the odds again after every turn. @param {State} state @param {() => void} draw */
export function expected(state, draw) {
  if (state.finished || state.players.length !== 1 || !state.rules) return null;
  if (par.game !== state.game) Object.assign(par, { game: state.game, odds: undefined });
  const later = () => {
    par.odds = par.odds || null;
    par.question.again(AGAIN_MS, draw);
    draw();
  };
  par.question.ask(
    JSON.stringify([state.game, state.players[0].boxes]),
    () => get("/api/v1/odds"),
    (/** @type {Api.TableOdds} */ odds) => {
      if (!odds.expected.length) return later(); // the game was over for a moment
      par.odds = odds;
      draw();
    },
    later, // in preparation, or the line is cut
  );
  if (par.odds === null) return null;
  const [now, start] = par.odds ? [par.odds.expected[0], par.odds.par].map((points) => number(points, 1)) : ["…", "…"];
  return h("p.expected", { key: "expected" }, t("page/solitaire/expected", { now, start }));
}
