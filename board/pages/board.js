// The board: all tables as they are now, the round that is played and the standings, on one screen and every phone.

import { byId, h, paint } from "./dom.js";
import { fitted } from "./fitted.js";
import { Link } from "./link.js";
import { number, t } from "./words.js";

/** @typedef {{ name: string, total: number, won: boolean }} LivePlayer */
/** @typedef {{ table: string, there: boolean | null, phase: string, rules: string, active: number | null, players: LivePlayer[], filled: number, boxes: number, announced: string }} LiveTable */
/** @typedef {{ table: string, players: string[], points: number[] | null, won: number[], how: string | null, match: string[] }} Game */
/** @typedef {{ number: number, games: Game[], resting: string[] }} Round */
/** @typedef {{ place: number, name: string, absent: boolean, score: number, breaks: number[] }} Standing */
/** @typedef {{ number: number, title: string, system: string, planned: number, rows: Standing[], rounds: Round[], earlier: Game[] }} Evening */

const DENSE = 24;
const CROWDED = 56; // all of a hundred tables stand on one television

/** @type {Map<string, LiveTable>} */
const tables = new Map();
/** @type {Evening | null} */
let evening = null;

/** @param {number} value */
const halves = (value) => number(value, Number.isInteger(value) ? 0 : 1);

/** @param {LiveTable} table */
function state(table) {
  if (table.there === false) return t("page/board/away");
  if (!table.phase || table.phase === "lobby") return t("page/board/free");
  if (table.phase === "finished") return t("page/board/over");
  return t("page/board/boxes", { count: table.filled, boxes: table.boxes });
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
    h("p.aside", state(table)),
    table.boxes > 0 ? h("progress", { max: table.boxes, value: table.filled, "aria-hidden": "true" }) : null,
  );

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
    h("span.aside", t(`page/board/how/${game.how ?? "open"}`)),
  );

/** @param {Evening} told */
function side(told) {
  const round = told.rounds[0];
  const open = (round ? round.games.filter((game) => game.how === null).length : 0) + told.earlier.length;
  return [
    h("h2", { translate: "no" }, told.title),
    h(
      "p.aside",
      `${t(`page/board/system/${told.system}`)} · ${t("page/board/round", { count: round ? round.number : 0, planned: told.planned })}`,
    ),
    round
      ? h(
          "section.card",
          h("h3", open ? t("page/board/open", { count: open }) : t("page/board/done")),
          h("ul.games-of-round", round.games.map(row)),
          told.earlier.length ? h("p.aside", t("page/board/earlier")) : null,
          told.earlier.length ? h("ul.games-of-round", told.earlier.map(row)) : null,
          round.resting.length ? h("p.aside", t("page/board/resting", { names: round.resting })) : null,
        )
      : null,
    h(
      "section.card",
      h("h3", t("page/board/standings")),
      h(
        "ol.standing",
        told.rows.map((each, index) =>
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

function draw() {
  const every = [...tables.values()].sort((one, other) => one.table.localeCompare(other.table, undefined, { numeric: true }));
  const grid = byId("tables");
  grid.classList.toggle("is-dense", every.length > DENSE);
  byId("main").classList.toggle("is-crowded", every.length > CROWDED);
  paint(grid, every.length ? every.map(tile) : h("p.lead", t("page/board/no_tables")));
  paint(byId("competition"), evening ? side(evening) : h("p.lead", t("page/board/no_evening")));
}

let asked = false;
/** Many changes are drawn at once. */
function drawSoon() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    draw();
  });
}

/**
 * A line just opened tells all there are: others have gone meanwhile.
 * @param {{ tables: LiveTable[], evening?: Evening | null }} told @param {boolean} first
 */
function take(told, first) {
  if (first) tables.clear();
  for (const table of told.tables) tables.set(table.table, table);
  if (told.evening !== undefined) evening = told.evening;
  drawSoon();
}

draw();
new Link("/api/v1/board/live", { board: take }, (connected) => {
  byId("line").hidden = connected;
});
