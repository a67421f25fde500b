// The standings of the evening, shown between games.

import { h } from "./dom.js";
import { number, t } from "./words.js";
import { get } from "./api.js";
import { Question } from "./question.js";

const AGAIN_MS = 3000;

/** @type {{ question: Question, game: string, latest: Api.Evening | null, changes: number, over_ms: number }} */
const evening = { question: new Question(), game: "", latest: null, changes: 0, over_ms: 0 };

/** Past games may have changed. The current standings stay until the response is there. */
export const again = () => {
  evening.changes += 1;
};

/**
 * The latest evening; null during a game, while unknown, and when it is over.
 * @param {State} state @param {() => void} draw
 */
function current(state, draw) {
  if (state.phase !== "lobby" && !state.finished) return null;
  const game = JSON.stringify([state.game, state.finished, state.winners, state.players.map((player) => player.total)]);
  if (evening.game !== game) Object.assign(evening, { game, latest: null });

  evening.question.ask(
    `${evening.changes} ${game}`,
    () => get("/api/v1/evening"),
    (/** @type {Api.Evening} */ latest) => {
      evening.latest = latest;
      evening.over_ms = Date.now() + (latest.over_in_s ?? 0) * 1000; // relative: the screen's clock may be wrong
      draw();
    },
    () => evening.question.again(AGAIN_MS, draw),
  );
  const { latest, over_ms } = evening;
  return latest?.until && Date.now() <= over_ms ? latest : null;
}

/** The latest evening, from its second game: after the first it would repeat the podium. @param {State} state @param {() => void} draw */
function severalGames(state, draw) {
  const latest = current(state, draw);
  return latest && latest.games.length > 1 ? latest : null;
}

let unspoken = false;

/** A game ended while this screen was open: only then are its records announced. */
export const ended = () => {
  unspoken = true;
};

/** New records of the finished game. @param {State} state @param {() => void} draw @param {(text: string) => void} say: called once */
export function records(state, draw, say) {
  const records = (state.finished && current(state, draw)?.records) || [];
  if (unspoken && records.length) setTimeout(say, 0, records.map((each) => each.told).join(" "));
  unspoken = unspoken && state.finished && !records.length;
  return records.map((each) => h("p.record", { key: each.told }, h("span", { "aria-hidden": "true" }, "★ "), each.told));
}

/** @param {Api.Evening} latest */
const title = ({ games, played }) => [t("page/evening/title", { count: games.length }), played].filter(Boolean).join(" · ");

const FIRST = 3; // players on the big screen's line

/** The leaders of the evening in one line, for the big screen. @param {State} state @param {() => void} draw */
export function line(state, draw) {
  const latest = severalGames(state, draw);
  if (!latest) return null;
  return h(
    "p.evening-line",
    { key: "evening" },
    h("b", title(latest)),
    latest.players
      .slice(0, FIRST)
      .map(({ name, won, points }) => h("span", { key: name }, t("page/evening/player", { name, won, points }))),
  );
}

/** @param {State} state @param {() => void} draw */
export function table(state, draw) {
  const latest = severalGames(state, draw);
  if (!latest) return null;
  return h(
    "table.evening",
    { key: "evening" },
    h("caption", title(latest)),
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
      latest.players.map((player) =>
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
