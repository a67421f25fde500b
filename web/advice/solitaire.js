// Playing alone: the points that best play expects from here, and those it expected at the start.

import { h } from "./dom.js";
import { number, t } from "./words.js";
import { get } from "./api.js";

const AGAIN_MS = 10000;

/** odds: undefined while they may come soon; their place is reserved, so that buttons below do not move. @type {{ game: number, key: string, odds?: Api.TableOdds | null }} */
const par = { game: 0, key: "" };

/** Requests the odds again after every turn. @param {State} state @param {() => void} draw */
export function expected(state, draw) {
  if (state.finished || state.players.length !== 1 || !state.rules) return null;
  const key = JSON.stringify([state.game, state.players[0].boxes]);
  if (par.game !== state.game) Object.assign(par, { game: state.game, odds: undefined });
  if (par.key !== key) {
    par.key = key;
    get("/api/v1/odds")
      .then((/** @type {Api.TableOdds} */ odds) => {
        if (par.key !== key) return;
        if (odds.expected.length) par.odds = odds;
        par.odds = par.odds || null;
        draw();
      })
      .catch(() => {
        par.odds = par.odds || null; // the values are in preparation
        draw();
        setTimeout(() => {
          if (par.key === key) par.key = "";
          draw();
        }, AGAIN_MS);
      });
  }
  if (par.odds === null) return null;
  const [now, start] = par.odds ? [par.odds.expected[0], par.odds.par].map((points) => number(points, 1)) : ["…", "…"];
  return h("p.expected", { key: "expected" }, t("page/solitaire/expected", { now, start }));
}
