// Playing alone: what best play would expect from here, beside what it expected at the start.

import { h } from "./dom.js";
import { number, t } from "./words.js";
import { get } from "./api.js";

const AGAIN_MS = 10000;

/** @type {{ game: number, key: string, told: Api.TableOdds | null }} */
const par = { game: 0, key: "", told: null };

/** Asked for anew after every turn. @param {State} state @param {() => void} draw */
export function expected(state, draw) {
  if (state.finished || state.players.length !== 1 || !state.rules) return null;
  const key = JSON.stringify([state.game, state.players[0].boxes]);
  if (par.game !== state.game) Object.assign(par, { game: state.game, told: null });
  if (par.key !== key) {
    par.key = key;
    get("/api/v1/odds")
      .then((/** @type {Api.TableOdds} */ told) => {
        if (par.key !== key) return;
        if (told.expected.length) par.told = told;
        draw();
      })
      .catch(() =>
        setTimeout(() => {
          if (par.key === key) par.key = "";
          draw();
        }, AGAIN_MS),
      ); // the values are being worked out
  }
  if (!par.told) return null;
  const [now] = par.told.expected;
  return h("p.expected", { key: "expected" }, t("page/solitaire/expected", { now: number(now, 1), start: number(par.told.par, 1) }));
}
