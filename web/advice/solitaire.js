// Playing alone: what best play would expect from here, beside what it expected at the start.

import { h } from "./dom.js";
import { number, t } from "./words.js";
import { get } from "./api.js";

const AGAIN_MS = 10000;

/** none: what there is to expect is not known. @type {{ game: number, key: string, told: Api.TableOdds | null, none: boolean }} */
const par = { game: 0, key: "", told: null, none: false };

/** Asked for anew after every turn. What is not known yet keeps its place: buttons below stay under the finger. @param {State} state @param {() => void} draw */
export function expected(state, draw) {
  if (state.finished || state.players.length !== 1 || !state.rules) return null;
  const key = JSON.stringify([state.game, state.players[0].boxes]);
  if (par.game !== state.game) Object.assign(par, { game: state.game, told: null, none: false });
  if (par.key !== key) {
    par.key = key;
    get("/api/v1/odds")
      .then((/** @type {Api.TableOdds} */ told) => {
        if (par.key !== key) return;
        if (told.expected.length) par.told = told;
        else par.none = true;
        draw();
      })
      .catch(() => {
        par.none = true; // the values are being worked out
        draw();
        setTimeout(() => {
          if (par.key === key) par.key = "";
          draw();
        }, AGAIN_MS);
      });
  }
  if (par.none && !par.told) return null;
  const [now, start] = par.told ? [par.told.expected[0], par.told.par].map((points) => number(points, 1)) : ["…", "…"];
  return h("p.expected", { key: "expected" }, t("page/solitaire/expected", { now, start }));
}
