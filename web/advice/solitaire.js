// Playing alone: what best play would expect from here, beside what it expected at the start.

import { h } from "./dom.js";
import { number, t } from "./words.js";
import { get } from "./api.js";

const AGAIN_MS = 10000;

/** told: undefined while it may come soon, whose place is kept: buttons below stay. @type {{ game: number, key: string, told?: Api.TableOdds | null }} */
const par = { game: 0, key: "" };

/** Asked for anew after every turn. @param {State} state @param {() => void} draw */
export function expected(state, draw) {
  if (state.finished || state.players.length !== 1 || !state.rules) return null;
  const key = JSON.stringify([state.game, state.players[0].boxes]);
  if (par.game !== state.game) Object.assign(par, { game: state.game, told: undefined });
  if (par.key !== key) {
    par.key = key;
    get("/api/v1/odds")
      .then((/** @type {Api.TableOdds} */ told) => {
        if (par.key !== key) return;
        if (told.expected.length) par.told = told;
        par.told = par.told || null;
        draw();
      })
      .catch(() => {
        par.told = par.told || null; // the values are being worked out
        draw();
        setTimeout(() => {
          if (par.key === key) par.key = "";
          draw();
        }, AGAIN_MS);
      });
  }
  if (par.told === null) return null;
  const [now, start] = par.told ? [par.told.expected[0], par.told.par].map((points) => number(points, 1)) : ["…", "…"];
  return h("p.expected", { key: "expected" }, t("page/solitaire/expected", { now, start }));
}
