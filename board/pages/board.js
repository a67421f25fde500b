// The board: all tables live, the current round and the standings, on the hall's screen and every phone.

import { byId, h, paint } from "./dom.js";
import { fitted } from "./fitted.js";
import { Link } from "./link.js";
import { number, t } from "./words.js";

/** @typedef {{ name: string, total: number, won: boolean }} LivePlayer */
/** @typedef {{ table: string, there: boolean | null, phase: string, rules: string, active: number | null, players: LivePlayer[], filled: number, boxes: number, announced: string }} LiveTable */
/** @typedef {{ table: string, players: string[], points: number[] | null, won: number[], how: string | null, match: string[] }} Game */
/** @typedef {{ number: number, games: Game[], resting: string[] }} Round */
/** @typedef {{ table: string, players: string[], points: number[], early: boolean }} Result */
/** @typedef {{ place: number, name: string, absent: boolean, score: number, breaks: number[] }} Standing */
/** @typedef {{ number: number, title: string, system: string, planned: number, rows: Standing[], rounds: Round[], earlier: Game[], unclaimed: Result[] }} Evening */

const CROWDED = 56; // tables; up to a hundred fit on one television
const LETTERS_PX = [11, 44]; // the smallest and the largest of the hall's screen
const SIDE_PX = 16; // the smallest beside the tables: a long list is cut off below
const EDGE_PX = 14;
const HALL = matchMedia("(min-width: 1200px) and (min-height: 600px)");
const MOMENT_MS = 8000;
const UNCLAIMED = 4; // results without a game on this page; the organiser's page has all

/** @type {Map<string, LiveTable>} */
const tables = new Map();
/** @type {Evening | null} */
let evening = null;

/** @param {number} value */
const halves = (value) => number(value, Number.isInteger(value) ? 0 : 1);

/** The next game at a table. @param {LiveTable} table */
const next = ({ table }) =>
  [...(evening?.earlier ?? []), ...(evening?.rounds[0]?.games ?? [])].find((game) => game.how === null && game.table === table);

/** The status line of a table. @param {LiveTable} table */
function doing(table) {
  if (table.there === false) return t("page/board/away");
  if (!table.phase || table.phase === "lobby" || table.phase === "finished") {
    const game = next(table);
    if (game) return t("page/board/next", { names: game.players.join(" – ") });
    return t(table.phase === "finished" ? "page/board/over" : "page/board/free");
  }
  const name = table.players[table.active ?? -1]?.name;
  if (table.phase === "starting") return t("page/board/doing/starting");
  return name ? t(`page/board/doing/${table.phase}`, { name }) : "";
}

/** @param {LiveTable} table */
const tile = (table) =>
  h(
    "article",
    { key: table.table, class: `hall-table${table.there === false ? " is-away" : ""}${table.phase === "finished" ? " is-over" : ""}` },
    h("h2", { translate: "no" }, fitted(table.table, { own: true })),
    h(
      "ul",
      table.players.map((player, index) =>
        h(
          "li",
          { key: index, class: `${player.won ? "won" : ""}${index === table.active ? " at-turn" : ""}` },
          fitted(player.name, { own: true, before: player.won ? h("span.star", "★ ") : null }),
          h("b", String(player.total)),
          index === table.active ? h("span.vh", t("page/board/turn")) : null,
        ),
      ),
    ),
    h("p.doing", { translate: "no" }, doing(table)),
    table.boxes > 0
      ? h(
          "p.filled",
          h("progress", { max: table.boxes, value: table.filled, "aria-hidden": "true" }),
          h("span.aside", t("page/board/boxes", { count: table.filled, boxes: table.boxes })),
        )
      : null,
  );

/** Whether a game is in the list: on the hall's screen, an open game is shown at its table instead. @param {Game} game */
const listed = (game) => game.how !== null || !HALL.matches || !tables.has(game.table);

/** @param {Game} game @param {number} index */
const row = (game, index) =>
  h(
    "li",
    { key: index },
    h("span.at", { translate: "no" }, game.table),
    h(
      "span.met",
      game.players.map((name, place) =>
        h(
          "span",
          { key: place, class: game.won.includes(place) ? "won" : "" },
          h("span", { translate: "no" }, name),
          game.points ? h("b", ` ${game.points[place]}`) : null,
        ),
      ),
    ),
    game.how && game.how !== "station" ? h("span.aside", t(`page/board/how/${game.how}`)) : null,
  );

/** @param {Evening} view */
function side(view) {
  const round = view.rounds[0];
  const open = (round ? round.games.filter((game) => game.how === null).length : 0) + view.earlier.length;
  return [
    h("h2", { translate: "no" }, view.title),
    h(
      "p.aside",
      `${t(`page/board/system/${view.system}`)} · ${t("page/board/round", { count: round ? round.number : 0, planned: view.planned })}`,
    ),
    round
      ? h(
          "section.card",
          h("h3", open ? t("page/board/open", { count: open }) : t("page/board/done")),
          h("ul.games-of-round", round.games.filter(listed).map(row)),
          view.earlier.length ? h("p.aside", t("page/board/earlier")) : null,
          view.earlier.length ? h("ul.games-of-round", view.earlier.filter(listed).map(row)) : null,
          round.resting.length ? h("p.aside", t("page/board/resting", { names: round.resting })) : null,
        )
      : null,
    view.unclaimed.length
      ? h(
          "section.card.unclaimed",
          h("h3", t("page/board/unclaimed")),
          h(
            "ul.games-of-round",
            view.unclaimed.slice(0, UNCLAIMED).map((result, index) =>
              h(
                "li",
                { key: index },
                h("span.at", { translate: "no" }, result.table),
                h(
                  "span.met",
                  result.players.map((name, place) =>
                    h("span", { key: place }, h("span", { translate: "no" }, name), h("b", ` ${result.points[place]}`)),
                  ),
                ),
                result.early ? h("span.aside", t("page/board/early")) : null,
              ),
            ),
          ),
        )
      : null,
    h(
      "section.card",
      h("h3", t("page/board/standings")),
      h(
        "ol.standing",
        view.rows.map((each, index) =>
          h(
            "li",
            { key: index, class: each.absent ? "gone" : "" },
            h("span.place", String(each.place)),
            h("span.name", { translate: "no" }, fitted(each.name, { own: true })),
            h("b", halves(each.score)),
          ),
        ),
      ),
    ),
  ];
}

let fittedFor = "";

/** Fits the size of letters to the hall's screen; other screens scroll. @param {string} what: identifies the content */
function fit(what) {
  const now = `${HALL.matches} ${innerWidth} ${innerHeight} ${what}`;
  if (now === fittedFor) return;
  fittedFor = now;
  for (const [id, least] of /** @type {[string, number][]} */ ([
    ["hall-tables", LETTERS_PX[0]],
    ["competition", SIDE_PX],
  ])) {
    const part = byId(id);
    let [fits, not] = [least, LETTERS_PX[1] + 1];
    while (HALL.matches && not - fits > 1) {
      const size = Math.floor((fits + not) / 2);
      part.style.fontSize = `${size}px`;
      const room = part.getBoundingClientRect().bottom + scrollY <= innerHeight - EDGE_PX && part.scrollWidth <= part.clientWidth;
      [fits, not] = room ? [size, not] : [fits, size];
    }
    part.style.fontSize = HALL.matches ? `${fits}px` : "";
  }
}

function draw() {
  const every = [...tables.values()].sort((one, other) => one.table.localeCompare(other.table, undefined, { numeric: true }));
  byId("main").classList.toggle("is-crowded", every.length > CROWDED);
  paint(byId("tables"), every.length ? every.map(tile) : h("p.lead", t("page/board/no_tables")));
  paint(byId("competition"), evening ? side(evening) : h("p.lead", t("page/board/no_evening")));
  const layout = every.map((table) => [table.players.map(({ name }) => name), doing(table), table.boxes > 0]);
  fit(JSON.stringify([layout, evening && { ...evening, rows: evening.rows.map(({ name }) => name) }]));
}

/** Tables whose game has just ended, each to be shown for a moment. @type {LiveTable[]} */
const ended = [];
let showing = 0;

function moment() {
  const table = ended.shift();
  showing = table ? window.setTimeout(moment, MOMENT_MS) : 0;
  const winners = table?.players.filter((player) => player.won).map((player) => player.name) ?? [];
  const outcome = winners.length ? t("page/board/ended", { count: winners.length, names: winners }) : t("page/board/nobody");
  byId("moment").hidden = !table;
  if (!table) return;
  paint(byId("moment"), [
    h("span.at", { translate: "no" }, table.table),
    h("strong", outcome),
    h(
      "span.met",
      table.players.map((player, place) =>
        h("span", { key: place, class: player.won ? "won" : "" }, h("span", { translate: "no" }, player.name), h("b", ` ${player.total}`)),
      ),
    ),
  ]);
  byId("live").textContent = `${table.table}: ${outcome}`;
}

let refreshing = false;
/** Draws once for many changes. */
function drawSoon() {
  if (refreshing) return;
  refreshing = true;
  requestAnimationFrame(() => {
    refreshing = false;
    draw();
  });
}

/**
 * The first message of a line has all tables: those missing in it are gone.
 * @param {{ tables: LiveTable[], evening?: Evening | null }} update @param {boolean} first
 */
function take(update, first) {
  for (const table of update.tables) {
    const before = tables.get(table.table);
    if (!first && before && before.phase !== "finished" && table.phase === "finished" && table.players.length) ended.push(table);
  }
  if (first) tables.clear();
  for (const table of update.tables) tables.set(table.table, table);
  if (!showing) moment();
  if (update.evening !== undefined) evening = update.evening;
  drawSoon();
}

draw();
window.addEventListener("resize", drawSoon);
new Link("/api/v1/board/live", { board: take }, (connected) => {
  byId("line").hidden = connected;
});
