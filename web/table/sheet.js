// The score sheet: a real table, a column for each player, potentials in the open boxes.

import { button, h } from "./dom.js";
import { badge } from "./badge.js";
import { fitted } from "./fitted.js";
import { parts } from "./parts.js";
import { boundTo } from "./turns.js";
import { number, t } from "./words.js";

/**
 * How the sheet is drawn: the box marked by the buttons, the one just scored, advice, and the actions of taps.
 * @typedef {{ choice?: string | null, fresh?: string[], best?: string | null, picked?: string | null,
 *   room?: PublicRoom, onWhy?: (row: Row, seat?: number) => void, onScore?: ((row: Row) => void) | null,
 *   onOther?: (() => void) | null }} View: onOther: a tap on an open box in another player's turn
 */

const LONG = 13; // rows of full height on a low screen; more rows share the height

/** @param {State} state @param {number} index */
const active = (state, index) => index === state.active_player && !state.finished;

// A row label; a tap opens what the box pays.
/** @param {Row} row @param {View} view */
function rowHead(row, view) {
  return h(
    "th.row-head",
    { scope: "row" },
    view.onWhy
      ? button("row-why", fitted(row.row), () => view.onWhy?.(row), { "aria-label": t("page/sheet/what_pays", { label: row.row }) })
      : fitted(row.row),
  );
}

/**
 * The rows of the sheet, each with its boxes: one, or one for each of a player's columns.
 * @param {State} state @param {Row["section"]} section @returns {Row[][]}
 */
export function rows(state, section) {
  const boxes = state.categories.filter((row) => row.section === section);
  if (!state.columns.length) return boxes.map((row) => [row]);
  const high = boxes.length / state.columns.length;
  return boxes.slice(0, high).map((_, row) => boxes.filter((_box, index) => index % high === row));
}

/** How many columns each player has. @param {State} state */
export const wide = (state) => state.columns.length || 1;

/** @param {State} state @param {Row} row @param {Player} player @param {number} index @param {View} view */
function cell(state, row, player, index, view) {
  const points = player.boxes[row.category];
  const potential = player.potentials[row.category];
  const key = `${row.category}/${index}`;
  const bound = active(state, index) && boundTo(state) === row.category;
  const classes = ["box", active(state, index) ? "of-active" : "", player.gone ? "gone" : "", bound ? "announced" : ""];
  if (points !== null && points !== undefined) {
    if (view.fresh?.includes(key)) classes.push("fresh");
    // Keyboards and screen readers use the row label for the same.
    const open = view.onWhy && (() => view.onWhy?.(row, index));
    return h("td", { class: classes.join(" "), key, onclick: open }, h("span.score", number(points)));
  }
  const pointed = marked(state, row, index, view) || isBest(state, row, index, view);
  if (potential === null || potential === undefined || (!potential && !view.onScore && !pointed)) {
    return h("td", { class: classes.join(" "), key }, h("span.open", { "aria-hidden": "true" }), h("span.vh", t("page/sheet/open")));
  }
  if (!view.onScore) {
    return h(
      "td",
      { class: [...classes, "has-potential", marked(state, row, index, view) ? "marked" : ""].join(" "), key },
      h("span.potential", star(state, row, index, view), number(potential)),
      h("span.vh", t("page/common/possible")),
    );
  }
  return h("td", { class: [...classes, "has-potential"].join(" "), key }, scoreButton(state, row, player, index, view));
}

/** Whether the buttons mark this box. @param {State} state @param {Row} row @param {number} index @param {View} view */
const marked = (state, row, index, view) => view.choice === row.category && active(state, index);

/** Whether the hint is this box; a hint for two boxes is "twos+full-house". @param {State} state @param {Row} row @param {number} index @param {View} view */
const isBest = (state, row, index, view) => active(state, index) && view.best?.split("+").includes(row.category);

/** @param {State} state @param {Row} row @param {number} index @param {View} view */
const star = (state, row, index, view) => (isBest(state, row, index, view) ? h("span.star", { "aria-hidden": "true" }, "★") : null);

/** The button that scores a box. @param {State} state @param {Row} row @param {Player} player @param {number} index @param {View} view */
function scoreButton(state, row, player, index, view) {
  const potential = player.potentials[row.category];
  const best = isBest(state, row, index, view);
  const pressed = marked(state, row, index, view);
  const label = t("page/sheet/score", { points: potential, label: row.label, name: player.name });
  const hint = best ? `, ${t("page/sheet/best")}` : "";
  return h(
    "button",
    {
      class: `potential${pressed ? " marked" : ""}${potential ? "" : " nought"}${best ? " best" : ""}`,
      "data-category": row.category,
      "aria-label": label + hint,
      "aria-pressed": view.picked == null ? null : String(view.picked === row.category),
      onclick: () => view.onScore?.(row),
    },
    star(state, row, index, view),
    number(potential),
  );
}

/**
 * One player's boxes as tiles for the thumb: first the open ones with their possible points, below them small the filled ones.
 * @param {State} state @param {number} index: the seat @param {View} view
 */
export function tiles(state, index, view) {
  const player = state.players[index];
  const bound = boundTo(state);
  /** The points in a row's box, or those it would score. @param {Row} row */
  const worth = (row) => {
    const points = player.boxes[row.category];
    if (points !== null && points !== undefined)
      return button("filled", number(points), () => view.onWhy?.(row, index), {
        "aria-label": `${number(points)}. ${t("page/sheet/what_pays", { label: row.label })}`,
      });
    const potential = player.potentials[row.category];
    if (view.onOther && !view.onScore) return button("open", "", view.onOther, { "aria-label": `${row.label}: ${t("page/sheet/open")}` });
    if (potential === null || potential === undefined)
      return [h("span.open", { "aria-hidden": "true" }), h("span.vh", t("page/sheet/open"))];
    if (view.onScore) return scoreButton(state, row, player, index, view);
    return [h("span.possible", number(potential)), h("span.vh", t("page/common/possible"))];
  };
  /** @param {Row} row */
  const isOpen = ({ category }) => (player.boxes[category] ?? null) === null;
  /** @param {string} looks @param {string} key @param {Row[]} rows */
  const list = (looks, key, rows) =>
    rows.length
      ? h(
          looks,
          { key },
          rows.map((row) =>
            h(
              "li",
              { key: row.category, class: `tile${row.category === bound ? " announced" : ""}` },
              h("label", fitted(row.row), worth(row)),
            ),
          ),
        )
      : null;
  return h(
    "section.mine-boxes",
    { key: "tiles", "aria-labelledby": "whose-boxes" },
    h(
      "h2",
      { id: "whose-boxes" },
      badge(view.room || {}, player.name),
      h("span.whose-name", { translate: "no", title: player.name }, player.name),
      " ",
      h("b", t("page/sheet/in_all", { count: player.total })),
      player.missing_for_bonus ? h("small", t("page/sheet/missing", { count: player.missing_for_bonus })) : null,
    ),
    (state.columns.length ? state.columns : [""]).map((column, number) => {
      const [from, to] = [number, number + 1].map((part) => (part * state.categories.length) / wide(state));
      const rows = state.categories.slice(from, to);
      return [
        column ? h("h3", { key: column }, column) : null,
        list("ul.tiles", `open-${number}`, rows.filter(isOpen)),
        list(
          "ul.tiles.written",
          `written-${number}`,
          rows.filter((row) => !isOpen(row)),
        ),
      ];
    }),
  );
}

/** A row with one cell for each player. @param {State} state @param {string} label @param {(player: Player) => Children} cells */
function sumOf(state, label, cells) {
  return h(
    "tr.sum",
    { key: label },
    h("th", { scope: "row" }, fitted(label)),
    state.players.map((player, index) =>
      h("td", { class: active(state, index) ? "of-active" : "", key: index, colspan: wide(state) }, cells(player)),
    ),
  );
}

// Upper total and bonus in one row: "43" and the points missing, or the bonus.
/** @param {State} state */
function sumRow(state) {
  const pays = state.players.some((player) => player.bonus || player.missing_for_bonus || player.bonus_to_come);
  const [subtotal, earned] = state.sums;
  if (!pays && !subtotal) return null;
  /** @param {Player} player */
  const sum = (player) => h("b", { class: player.upper ? "" : "nought" }, number(player.upper));
  /** @param {Player} player */
  const full = ({ boxes }) => state.categories.every(({ category, section }) => section !== "upper" || boxes[category] !== null);
  /** @param {Player} player */
  const pay = (player) => bonus(player, full(player));
  if (subtotal) return [sumOf(state, subtotal, sum), sumOf(state, earned, pay)];
  return sumOf(state, t("page/sheet/upper_bonus"), (player) => [sum(player), " ", pay(player)]);
}

/** The bonus of the upper section, the bonus to come, or the points missing while boxes are open. @param {Player} player @param {boolean} full */
function bonus({ bonus: points, missing_for_bonus: missing, bonus_to_come: coming }, full) {
  if (coming)
    return h(
      "span.missing",
      h("span.vh", `, ${t("page/sheet/bonus_to_come", { count: coming })}`),
      h("span", { "aria-hidden": "true" }, `(+${number(coming)})`),
    );
  if (points || full) return h("span.got", `${points < 0 ? "" : "+"}${number(points)}`);
  if (!missing) return null;
  return h(
    "span.missing",
    h("span.vh", `, ${t("page/sheet/missing", { count: missing })}`),
    h("span", { "aria-hidden": "true" }, `−${number(missing)}`),
  );
}

/** @param {State} state @param {PublicRoom} room */
export function header(state, room = {}) {
  return h(
    "thead",
    h(
      "tr",
      h("th.corner", { scope: "col", rowspan: state.columns.length ? 2 : 1 }, h("span.vh", t("page/common/box"))),
      state.players.map((player, index) =>
        h(
          "th",
          {
            scope: state.columns.length ? "colgroup" : "col",
            class: `player${active(state, index) ? " of-active" : ""}${player.gone ? " gone" : ""}`,
            key: index,
            colspan: wide(state),
          },
          active(state, index) ? h("span.turn-mark", { "aria-hidden": "true" }, "▾") : null,
          fitted(player.name, {
            class: "name",
            own: true,
            before: state.winners.includes(index)
              ? h("span.won", h("span", { "aria-hidden": "true" }, "★\u00a0"), h("span.vh", `${t("page/common/won")}: `))
              : badge(room, player.name),
          }),
          player.gone ? h("span.vh", `, ${t("page/common/gone")}`) : null,
          active(state, index) ? h("span.vh", `, ${t("page/sheet/turn")}`) : null,
        ),
      ),
    ),
    state.columns.length
      ? h(
          "tr.columns",
          state.players.flatMap((_player, index) =>
            state.columns.map((label, number) =>
              h("th", { scope: "col", class: active(state, index) ? "of-active" : "", key: `${index}/${number}` }, fitted(label)),
            ),
          ),
        )
      : null,
  );
}

/** @param {State} state @param {Row["section"]} section @param {View} view */
export function body(state, section, view) {
  return h(
    "tbody",
    { class: section, key: section },
    rows(state, section).map((boxes) =>
      h(
        "tr",
        { key: boxes[0].category },
        rowHead(boxes[0], view),
        state.players.flatMap((player, index) => boxes.map((row) => cell(state, row, player, index, view))),
      ),
    ),
    section === "upper" ? sumRow(state) : null,
  );
}

/** @param {State} state */
export function footer(state) {
  /** A row of points outside the boxes, if any player has some. @param {string} label @param {(player: Player) => number} of */
  const onTop = (label, of) =>
    state.players.some(of)
      ? sumOf(state, label, (player) => (of(player) ? `${of(player) < 0 ? "" : "+"}${number(of(player))}` : "–"))
      : null;
  return h(
    "tfoot",
    onTop(t("page/common/extra"), (player) => player.extra),
    parts.map((part) => part.onTop && onTop(part.onTop.label, part.onTop.of)),
    h(
      "tr.total",
      { key: "total" },
      h("th", { scope: "row" }, t("page/common/total")),
      state.players.map((player, index) =>
        h(
          "td",
          { class: `${active(state, index) ? "of-active" : ""}${player.gone ? "gone" : ""}`, colspan: wide(state) },
          h("strong", { class: player.total ? "" : "nought" }, number(player.total)),
        ),
      ),
    ),
  );
}

/** @param {State} state @param {View} view */
export function table(state, view) {
  const across = state.players.length * wide(state);
  const many = across > 4 ? " many" : "";
  const long = rows(state, "upper").length + rows(state, "lower").length > LONG ? " long" : "";
  const title = state.rules_title || "";
  return h(
    "table",
    { class: `sheet${many}${long}`, "data-players": state.players.length, vars: { "--players": across } },
    h("caption.vh", t("page/sheet/caption", { title })),
    header(state, view.room),
    body(state, "upper", view),
    body(state, "lower", view),
    footer(state),
  );
}
