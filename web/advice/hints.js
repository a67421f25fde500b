// Hints for the player whose turn it is, where that player wants them, and only where they should be seen.

import { h } from "./dom.js";
import { percent, t } from "./words.js";
import { get } from "./api.js";

const hint = { key: null, told: null };

const position = (state) => JSON.stringify([state.game, state.active_player, state.throws_done, state.dice.map((item) => item.face), state.players[state.active_player]?.boxes]);

// On a shared screen, or on this player's own; never on a neighbour's phone.
export function wanted(state, room, you) {
  const name = state.players[state.active_player]?.name;
  if (!name || !state.dice.length || !["holding", "choosing"].includes(state.phase)) return false;
  return Boolean(room.hints?.includes(name)) && (!you?.seat || you.seat === name);
}

export const wantedOnTv = (state, room) => state.dice.length > 0 && state.players.length > 0 && state.players.every((player) => room.tv_hints?.includes(player.name));

export function current(state) { return hint.key === position(state) ? hint.told : null; }

// What changes the chance to win may still be worked out: then it is asked for again, and the hint stays.
export async function refresh(state, draw) {
  const key = position(state);
  if (hint.asking === key || hint.key === key) return;
  hint.asking = key;
  try {
    const told = await get("/api/v1/hint");
    const preparing = win(told, await get("/api/v1/odds"), state.active_player);
    if (hint.asking !== key) return;
    hint.key = key;
    hint.told = told;
    draw();
    if (preparing) later(key, state.active_player, draw);
  } catch {
    hint.key = key;
    hint.told = null;
  } finally {
    if (hint.asking === key) hint.asking = null;
  }
}

const AGAIN_MS = 3000;

function later(key, player, draw) {
  setTimeout(async () => {
    if (hint.key !== key || !hint.told) return;
    try {
      if (win(hint.told, await get("/api/v1/odds"), player)) later(key, player, draw);
      else if (hint.key === key) draw();
    } catch { /* without it the hint is as good */ }
  }, AGAIN_MS);
}

// Adds what is known of the chance to win; true while it is being worked out.
function win(told, odds, player) {
  if (odds.words) told.words = odds.words;
  if (odds.chances.length < 2) return Boolean(odds.message) && !odds.chances.length;
  told.chance = odds.chances[player];
  told.error = odds.errors[player];
  told.exact = odds.exact;
  told.choices = [...odds.holds, ...odds.boxes].sort((one, other) => other.chance - one.chance).slice(0, 6);
  return false;
}

const share = (hint) => {
  if (hint.error) return t("page/hint/chance_about", { share: percent(hint.chance), error: percent(hint.error) });
  return hint.exact ? t("page/hint/chance_exact", { share: percent(hint.chance, 1) }) : t("page/hint/chance", { share: percent(hint.chance) });
};

// The hint in words; how each choice changes the chance to win is there for who opens it.
export function told(state, hint) {
  if (!hint || (!hint.reason && hint.chance === undefined)) return null;
  const label = (category) => category.split("+").map((id) => state.categories.find((row) => row.category === id)?.label || id).join(" + ");
  const name = (choice) => choice.category ? label(choice.category) : choice.hold.length ? t("page/hint/keep", { dice: choice.hold.join("-") }) : t("page/hint/throw_all");
  const [best] = hint.choices || [];
  return h("div", { class: "hint", key: "hint" },
    h("p", {}, h("b", {}, `${t("page/hint/title")}: `), hint.reason, hint.chance === undefined ? null : [hint.reason ? ", " : "", share(hint)], hint.words ? h("span", {}, ` (${hint.words})`) : null),
    best ? h("details", { key: `choices/${hint.key}` }, h("summary", {}, t("page/hint/choices")),
      h("table", { class: "choices-odds" }, h("caption", { class: "vh" }, t("page/common/chance")), h("tbody", {}, hint.choices.map((choice) => h("tr", {},
        h("th", { scope: "row" }, name(choice)), h("td", {}, percent(choice.chance, 1)),
        h("td", {}, choice === best ? t("page/hint/best") : `−${percent(best.chance - choice.chance, 1)}`)))))) : null);
}

const odds = { key: null, chances: [] };

// Chances to win, one for each player; none while they are not known.
export function chances(state, draw) {
  if (state.finished || state.players.length < 2 || state.active_player === null) return [];
  const key = position(state) + JSON.stringify(state.players.map((player) => player.total));
  if (odds.key !== key && odds.asking !== key) {
    odds.asking = key;
    get("/api/v1/odds").then((told) => {
      if (odds.asking !== key) return;
      odds.key = key;
      odds.chances = told.chances;
      draw();
      if (!told.chances.length && told.message) setTimeout(() => { if (odds.key === key) { odds.key = odds.asking = null; draw(); } }, 10000);
    }).catch(() => { odds.key = key; odds.chances = []; });
  }
  return odds.chances.length === state.players.length ? odds.chances : [];
}
