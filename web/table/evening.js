// The running table of an evening, shown between games.

import { h } from "./dom.js";
import { number, t } from "./words.js";
import { get } from "./api.js";
import { Question } from "./question.js";

/** @type {{ question: Question, game: string, latest: Api.Evening | null, changes: number, over_ms: number }} */
const evening = { question: new Question(), game: "", latest: null, changes: 0, over_ms: 0 };

/** Past games may be others now. What is shown stays until the answer is there. */
export const again = () => {
  evening.changes += 1;
};

/**
 * What is known of the evening; null where there is nothing to tell. Yesterday's is no news.
 * @param {State} state @param {() => void} draw
 */
function current(state, draw) {
  if (state.phase !== "lobby" && !state.finished) return null;
  const game = JSON.stringify([state.game, state.finished, state.winners, state.players.map((player) => player.total)]);
  if (evening.game !== game) Object.assign(evening, { game, latest: null });
  // without an answer the evening goes on
  evening.question.ask(
    `${evening.changes} ${game}`,
    () => get("/api/v1/evening"),
    (/** @type {Api.Evening} */ found) => {
      evening.latest = found;
      evening.over_ms = Date.now() + (found.over_in_s ?? 0) * 1000; // by the station's clock: a screen's may differ
      draw();
    },
  );
  const { latest, over_ms } = evening;
  return latest?.until && Date.now() <= over_ms ? latest : null;
}

/** The same, but after the first game the table would say what the podium says. @param {State} state @param {() => void} draw */
function known(state, draw) {
  const found = current(state, draw);
  return found && found.games.length > 1 ? found : null;
}

let unsaid = false;

/** A game ended while this screen looked on: only then is a record in it to be said. */
export const ended = () => {
  unsaid = true;
};

/** Records that fell in the game that is over. @param {State} state @param {() => void} draw @param {(text: string) => void} say: told once */
export function records(state, draw, say) {
  const fallen = (state.finished && current(state, draw)?.records) || [];
  if (unsaid && fallen.length) setTimeout(say, 0, fallen.map((each) => each.told).join(" "));
  unsaid = unsaid && state.finished && !fallen.length;
  return fallen.map((each) => h("p.record", { key: each.told }, h("span", { "aria-hidden": "true" }, "★ "), each.told));
}

/** @param {Api.Evening} told */
const title = (told) => [t("page/evening/title", { count: told.games.length }), told.played].filter(Boolean).join(" · ");

const FIRST = 3; // of an evening's players, where there is one line for it

/** The first of the evening in a line, for the big screen. @param {State} state @param {() => void} draw */
export function line(state, draw) {
  const told = known(state, draw);
  if (!told) return null;
  return h(
    "p.evening-line",
    { key: "evening" },
    h("b", title(told)),
    told.players.slice(0, FIRST).map(({ name, won, points }) => h("span", { key: name }, t("page/evening/player", { name, won, points }))),
  );
}

/** @param {State} state @param {() => void} draw */
export function table(state, draw) {
  const told = known(state, draw);
  if (!told) return null;
  return h(
    "table.evening",
    { key: "evening" },
    h("caption", title(told)),
    h(
      "thead",
      h(
        "tr",
        h("th", { scope: "col" }, h("span.vh", t("page/common/name"))),
        h("th", { scope: "col" }, t("page/evening/won")),
        h("th", { scope: "col" }, t("page/evening/points")),
      ),
    ),
    h(
      "tbody",
      told.players.map((player) =>
        h(
          "tr",
          { key: player.name },
          h("th", { scope: "row", translate: "no" }, player.name),
          h("td", number(player.won)),
          h("td", number(player.points)),
        ),
      ),
    ),
  );
}
