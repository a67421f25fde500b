// The score sheet: a real table, a column for each player, potentials in the open boxes.

import { h } from "./dom.js";
import { number, t } from "./words.js";

/**
 * What only concerns how the sheet is shown: the box marked by the buttons, the one just scored, advice, and what taps do.
 * @typedef {{ choice?: string | null, fresh?: string[], best?: string | null, given?: Record<string, number>, picks?: boolean,
 *   onWhy?: (row: Row) => void, onScore?: ((row: Row) => void) | null }} View
 */

/** @param {State} state @param {number} index */
const active = (state, index) => index === state.active_player && !state.finished;

// A row label of the rule set's own page; long names may break, so that a phone can show four players.
/** @param {Row} row @param {View} view */
function rowHead(row, view) {
  return h(
    "th",
    { scope: "row", class: "row-head" },
    view.onWhy
      ? h(
          "button",
          {
            class: "row-why",
            type: "button",
            onclick: () => view.onWhy?.(row),
            "aria-label": t("page/sheet/what_pays", { label: row.label }),
          },
          row.label,
        )
      : row.label,
  );
}

/** @param {State} state @param {Row} row @param {Player} player @param {number} index @param {View} view */
function cell(state, row, player, index, view) {
  const points = player.boxes[row.category];
  const potential = player.potentials[row.category];
  const key = `${row.category}/${index}`;
  const classes = ["box", active(state, index) ? "of-active" : "", player.gone ? "gone" : ""];
  if (points !== null && points !== undefined) {
    if (view.fresh?.includes(key)) classes.push("fresh");
    return h("td", { class: classes.join(" "), key }, h("span", { class: "score" }, number(points)));
  }
  if (potential === null || potential === undefined) {
    return h(
      "td",
      { class: classes.join(" "), key },
      h("span", { class: "open", "aria-hidden": "true" }),
      h("span", { class: "vh" }, t("page/sheet/open")),
    );
  }
  const marked = view.choice === row.category && active(state, index);
  const best = active(state, index) && view.best?.split("+").includes(row.category); // two boxes at once: "twos+full-house"
  const star = best ? h("span", { class: "star", "aria-hidden": "true" }, "★") : null;
  if (!view.onScore) {
    return h(
      "td",
      { class: [...classes, "has-potential", marked ? "marked" : ""].join(" "), key },
      h("span", { class: "potential" }, star, number(potential)),
      h("span", { class: "vh" }, t("page/common/possible")),
    );
  }
  const lost = active(state, index) && !best ? view.given?.[row.category] : 0;
  const given = lost ? number(lost, lost < 0.1 ? 2 : 1) : "";
  const label = t("page/sheet/score", { points: potential, label: row.label, name: player.name });
  const told = best ? t("page/sheet/best") : given ? t("page/sheet/gives_away", { points: given }) : "";
  const hint = told && `, ${told}`;
  return h(
    "td",
    { class: [...classes, "has-potential"].join(" "), key },
    h(
      "button",
      {
        type: "button",
        class: `potential${marked ? " marked" : ""}${potential ? "" : " nought"}${best ? " best" : ""}`,
        "data-category": row.category,
        "data-given": given ? `−${given}` : null,
        "aria-label": label + hint,
        "aria-pressed": view.picks ? String(marked) : null,
        onclick: () => view.onScore?.(row),
      },
      star,
      number(potential),
    ),
  );
}

// Upper total and bonus in one row: "43" and what is missing, or the bonus it brought.
/** @param {State} state */
function sumRow(state) {
  const pays = state.players.some((player) => player.bonus || player.missing_for_bonus);
  const [subtotal, earned] = state.sums;
  if (!pays && !subtotal) return null;
  /** @param {string} label @param {(player: Player) => Children} cells */
  const row = (label, cells) =>
    h(
      "tr",
      { class: "sum", key: label },
      h("th", { scope: "row" }, label),
      state.players.map((player, index) => h("td", { class: active(state, index) ? "of-active" : "", key: index }, cells(player))),
    );
  /** @param {Player} player */
  const sum = (player) => h("b", {}, number(player.upper));
  /** @param {Player} player */
  const full = ({ boxes }) => state.categories.every(({ category, section }) => section !== "upper" || boxes[category] !== null);
  /** @param {Player} player */
  const pay = (player) => bonus(player, full(player));
  if (subtotal) return [row(subtotal, sum), row(earned, pay)];
  return row(t("page/sheet/upper_bonus"), (player) => [sum(player), " ", pay(player)]);
}

/** What the upper section has earned, or what is missing while it has open boxes. @param {Player} player @param {boolean} full */
function bonus({ bonus: points, missing_for_bonus: missing }, full) {
  if (points || full) return h("span", { class: "got" }, `+${number(points)}`);
  return h(
    "span",
    { class: "missing" },
    h("span", { class: "vh" }, `, ${t("page/sheet/missing", { count: missing })}`),
    h("span", { "aria-hidden": "true" }, `−${number(missing)}`),
  );
}

/** @param {State} state */
export function header(state) {
  return h(
    "thead",
    {},
    h(
      "tr",
      {},
      h("th", { scope: "col", class: "corner" }, h("span", { class: "vh" }, t("page/common/box"))),
      state.players.map((player, index) =>
        h(
          "th",
          { scope: "col", class: `player${active(state, index) ? " of-active" : ""}${player.gone ? " gone" : ""}`, key: index },
          active(state, index) ? h("span", { class: "turn-mark", "aria-hidden": "true" }, "▾") : null,
          h(
            "span",
            { class: "name", translate: "no" },
            state.winners.includes(index)
              ? h(
                  "span",
                  { class: "won" },
                  h("span", { "aria-hidden": "true" }, "★ "),
                  h("span", { class: "vh" }, `${t("page/common/won")}: `),
                )
              : null,
            player.name,
          ),
          player.gone ? h("span", { class: "vh" }, `, ${t("page/common/gone")}`) : null,
          active(state, index) ? h("span", { class: "vh" }, `, ${t("page/sheet/turn")}`) : null,
        ),
      ),
    ),
  );
}

/** @param {State} state @param {Row["section"]} section @param {View} view */
export function body(state, section, view) {
  const rows = state.categories.filter((row) => row.section === section);
  return h(
    "tbody",
    { class: section, key: section },
    rows.map((row) =>
      h(
        "tr",
        { key: row.category },
        rowHead(row, view),
        state.players.map((player, index) => cell(state, row, player, index, view)),
      ),
    ),
    section === "upper" ? sumRow(state) : null,
  );
}

/** @param {State} state */
export function footer(state) {
  const extra = state.players.some((player) => player.extra);
  return h(
    "tfoot",
    {},
    extra
      ? h(
          "tr",
          { class: "sum" },
          h("th", { scope: "row" }, t("page/common/extra")),
          state.players.map((player) => h("td", {}, player.extra ? `+${number(player.extra)}` : "–")),
        )
      : null,
    h(
      "tr",
      { class: "total" },
      h("th", { scope: "row" }, t("page/common/total")),
      state.players.map((player, index) =>
        h("td", { class: `${active(state, index) ? "of-active" : ""}${player.gone ? "gone" : ""}` }, h("strong", {}, number(player.total))),
      ),
    ),
  );
}

/** @param {State} state @param {View} view */
export function table(state, view) {
  const many = state.players.length > 4 ? " many" : "";
  const title = state.rules_title || "";
  return h(
    "table",
    { class: `sheet${many}`, "data-players": state.players.length, vars: { "--players": state.players.length } },
    h("caption", { class: "vh" }, t("page/sheet/caption", { title })),
    header(state),
    body(state, "upper", view),
    body(state, "lower", view),
    footer(state),
  );
}
