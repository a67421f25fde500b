// Who plays, in which order, by which rules.

import { byId, h, icon, NAME_MAX } from "./dom.js";
import { t } from "./words.js";
import { get } from "./api.js";
import { Question } from "./question.js";
import { choices, list } from "./choices.js";
import { parts } from "./parts.js";

// The form as far as it is filled in; it survives a reload, a change of language and the back button. starter: null while
// the rule set decides. options: the features' fields of the game; columns: their fields of each player, by name. game: the
// number of the game that people and rules come from.
/** @type {{ game: number, players: string[], rules: string | null, starter: string | null, options: NewGame["options"],
 *   columns: Map<string, Column>, known: string[], seen: string[] }} */
const draft = {
  game: 0,
  players: ["", ""],
  rules: null,
  starter: null,
  options: {},
  columns: new Map(),
  known: [],
  seen: [],
  ...history.state,
};

let nameless = false; // whether the form was submitted without a name

const AGAIN_MS = 2000;
const listed = new Question();
/** All rule sets, house rules last; empty until the station has answered. @type {Api.RulesShape[]} */
let ruleSets = [];

const keep = () => history.replaceState(draft, "");

/** Values of `starter` for which people throw dice to decide who starts. */
const THROWN = parts.flatMap(({ starter }) => starter?.word ?? []);
const STARTERS = ["first", ...THROWN, "random", "rotate", "loser"];

const FIRST = 4; // rule sets offered as buttons

/** Rule sets this table played last, then those popular in this language. @type {string[]} */
let favourites = [];

// People who take a seat with their own phone are added to the form, and renamed or removed with their seat.
// After a game the form starts with its players, whichever screen started it.
/** @param {State} state @param {PublicRoom} room @param {() => void} draw */
export function seed(state, { known = [], played = [] }, draw) {
  listed.ask(
    state.rules_version,
    () => get("/api/v1/rules"),
    (/** @type {Api.AllRules} */ { rules }) => {
      ruleSets = rules.sort((a, b) => Number(a.house) - Number(b.house));
      draw();
    },
    () => listed.again(AGAIN_MS, draw),
  );
  if (!ruleSets.length) return;
  draft.known = known;
  const here = state.players.filter((player) => !player.gone).map((player) => player.name);
  if (!draft.rules || (state.finished && draft.game !== state.game)) {
    draft.game = state.game;
    draft.rules = state.rules;
    draft.players = here.length ? [...here] : ["", ""];
    draft.columns.clear();
    for (const player of state.players)
      if (!player.gone)
        note(
          player.name,
          merged((part) => part.seat?.seed?.(player)),
        );
    const rules = ruleSets.find(({ id }) => id === state.rules);
    for (const { game } of parts) game?.seed?.(draft.options, state, rules);
  } else if (state.phase === "lobby") {
    for (const [index, name] of draft.seen.entries()) {
      const at = here.includes(name) ? -1 : draft.players.indexOf(name);
      const renamed = here.length === draft.seen.length && here[index];
      if (at >= 0) draft.players.splice(at, 1, renamed || "");
    }
    for (const name of here.filter((each) => !draft.seen.includes(each) && !draft.players.includes(each))) {
      const free = draft.players.findIndex((each, index) => !each && document.activeElement?.id !== `player-${index}`);
      if (free >= 0) draft.players[free] = name;
      else draft.players.push(name);
    }
  }
  draft.seen = here;
  const there = ruleSets.map(({ id }) => id);
  const wanted = [state.rules ?? "", ...played, ...t("page/lobby/favourites").split(" "), ...there];
  favourites = [...new Set(wanted)].filter((id) => there.includes(id)).slice(0, FIRST);
  if (!there.includes(draft.rules ?? "")) draft.rules = favourites[0] ?? null; // the house rules were deleted
}

/** The id of the chosen rule set. */
export const rules = () => draft.rules;

/** How many players the rules allow, in words. @param {Api.RulesShape} rules */
const numbers = ({ players_min: least, players_max: most }) =>
  least === most ? t("page/lobby/exactly", { count: least }) : t("page/lobby/from_to", { least, most });

/** The choice of rules: the favourites as buttons, all others in a list. @param {(rules: Api.RulesShape) => boolean} fits @param {() => void} draw */
export function whichRules(fits, draw) {
  /** @param {Api.RulesShape} rules @returns {Labelled} */
  const named = (rules) => [
    rules.id,
    fits(rules) ? rules.title : t("page/lobby/rules_for", { title: rules.title, numbers: numbers(rules) }),
  ];
  /** @param {string} id */
  const choose = (id) => {
    draft.rules = id || draft.rules;
    draw();
  };
  const first = favourites.flatMap((id) => ruleSets.filter((rules) => rules.id === id));
  const rest = ruleSets.filter((rules) => !first.includes(rules));
  const other = rest.find(({ id }) => id === draft.rules)?.id ?? "";
  return h(
    "div.rule-sets",
    choices("rules", t("page/lobby/which_rules"), draft.rules, first.map(named), choose),
    rest.length
      ? list(
          { id: "rules", "aria-label": t("page/lobby/more_rules"), class: other ? "chosen" : "" },
          other,
          [["", t("page/lobby/more_rules")], ...rest.map(named)],
          choose,
        )
      : null,
  );
}

/** @param {Api.RulesShape} rules */
const nobodyStarts = (rules) => parts.some(({ game }) => game?.nobodyStarts?.(rules));

/** The choice of who starts; the rule set's own proposal comes first. @param {State} state @param {Api.RulesShape | undefined} rules @param {() => void} draw */
function starters(state, rules, draw) {
  if (!rules || nobodyStarts(rules)) return null;
  return h(
    "fieldset",
    h("legend", t("page/lobby/who_starts")),
    h("label.vh", { for: "starter" }, t("page/lobby/who_starts")),
    list(
      { id: "starter", "aria-describedby": "starter-rule" },
      starter(rules, state),
      offered(state).map((word) => [word, t(`page/lobby/starter/${word}`)]),
      (word) => {
        draft.starter = word;
        draw();
      },
    ),
    h("p.aside", { id: "starter-rule" }, t("page/lobby/as_told", { starts: rules.starts })),
  );
}

/** No loser before the first game, and no throw for the start where a player has no tray. @param {State} state @returns {string[]} */
const offered = (state) =>
  STARTERS.filter((word) => (word !== "loser" || state.finished) && !(THROWN.includes(word) && draft.players.some(drawn)));

/** @param {string} name */
const drawn = (name) => parts.some(({ seat }) => seat?.drawn?.(columnOf(name.trim())));

/** @param {Api.RulesShape} rules @param {State} state */
function starter(rules, state) {
  const there = offered(state);
  const proposed = parts.find((part) => part.starter?.proposed(rules))?.starter?.word;
  return [draft.starter, proposed].find((word) => word && there.includes(word)) ?? "first";
}

/** The key of a column in `draft.columns`: its name, or its index while the name is empty. No name begins with a space. @param {string} name @param {number} index */
const keyOf = (name, index) => name.trim() || ` ${index}`;

/** @param {string} name */
const columnOf = (name) => draft.columns.get(name) ?? {};

/** @param {string} name @param {Column} more */
const note = (name, more) => Object.keys(more).length && draft.columns.set(name, { ...columnOf(name), ...more });

/** Moves a column's fields to its new key, unless that key is in use. @param {string} before @param {string} after */
function rekey(before, after) {
  const column = draft.columns.get(before);
  if (!column || draft.columns.has(after)) return;
  draft.columns.delete(before);
  draft.columns.set(after, column);
}

/** The results of all parts, merged into one object. @template {object} T @param {(part: PagePart) => T | undefined} of @returns {T} */
const merged = (of) => Object.assign({}, ...parts.map(of));

/** @param {string} name @param {number} index @param {() => void} draw @returns {LobbySeat} */
function seatOf(name, index, draw) {
  const key = keyOf(name, index);
  const column = columnOf(key);
  return {
    name: name.trim(),
    index,
    column,
    nobody: parts.some(({ seat }) => seat?.nobody?.(column)),
    say(more) {
      note(key, more);
      draw(); // the next field may belong to another column
    },
  };
}

/** The word, with a number if that name is taken. @param {string} word @param {string[]} names */
function free(word, names) {
  let name = word;
  for (let n = 2; names.includes(name); n += 1) name = `${word} ${n}`;
  return name;
}

/** @param {State} state @param {{ start: (game: object) => void, draw: () => void }} tools */
export function form(state, { start, draw }) {
  if (!ruleSets.length) return null;
  const names = draft.players;
  const playing = names.map((name) => name.trim()).filter(Boolean);
  const count = playing.length;
  /** @param {Api.RulesShape} rules */
  const fits = (rules) => !count || (rules.players_min <= count && count <= rules.players_max);
  const chosen = ruleSets.find((rules) => rules.id === draft.rules);
  /** @type {NewGame} */
  const game = { players: playing, rules: chosen, state, options: draft.options, draw };
  /** @param {number} index @param {number} by */
  const move = (index, by) => {
    const [name] = names.splice(index, 1);
    names.splice(index + by, 0, name);
    draw();
  };
  /** @param {number} index */
  const remove = (index) => {
    draft.columns.delete(keyOf(names[index], index));
    names.splice(index, 1);
    draw();
  };
  const add = (name = "") => {
    names.push(name);
    draw();
    byId(`player-${names.length - 1}`)?.focus();
  };
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    nameless = !count;
    if (nameless) {
      draw();
      byId("player-0")?.focus();
      return;
    }
    const word = chosen && !nobodyStarts(chosen) ? starter(chosen, state) : "first";
    start({
      players: playing.map((name, index) => {
        const seat = seatOf(name, index, draw);
        const fields = merged((part) => part.seat?.fields?.(seat, game));
        return Object.keys(fields).length ? { name, ...fields } : name;
      }),
      rules: draft.rules,
      starter: word === "first" ? null : word,
      ...merged((part) => part.game?.fields?.(game)),
    });
  };
  const room = names.length < Math.max(...ruleSets.map((rules) => rules.players_max));
  /** @param {string} text @param {() => void} act */
  const more = (text, act) => h("button.quiet.add", { key: text, onclick: act }, h("span", { "aria-hidden": "true" }, "+\u00a0"), text);
  return h(
    "form.lobby",
    { onsubmit: submit, oninput: keep, onchange: keep, onclick: keep, autocomplete: "off" },
    h(
      "fieldset",
      h("legend", t("page/lobby/who")),
      h(
        "ol.names",
        names.map((name, index) =>
          h(
            "li",
            { key: `name-${index}` },
            h("label.vh", { for: `player-${index}` }, t("page/lobby/player", { n: index + 1 })),
            h("span.number", { "aria-hidden": "true" }, index + 1),
            h("input", {
              id: `player-${index}`,
              type: "text",
              maxlength: NAME_MAX,
              value: name,
              list: "known-players",
              placeholder: t("page/common/name"),
              enterkeyhint: "next",
              spellcheck: "false",
              oninput: (event) => {
                rekey(keyOf(names[index], index), keyOf(event.currentTarget.value, index));
                names[index] = event.currentTarget.value;
                draw();
              },
            }),
            icon("↑", t("page/lobby/move_up", { n: index + 1 }), () => move(index, -1), index === 0),
            icon("×", t("page/lobby/remove", { n: index + 1 }), () => remove(index), names.length < 2),
            parts.map(({ seat }) => seat?.form?.(seatOf(name, index, draw), game)),
          ),
        ),
      ),
      h(
        "datalist",
        { id: "known-players" },
        draft.known.map((name) => h("option", { value: name, key: name })),
      ),
      room
        ? h(
            "div.adds",
            more(t("page/lobby/another"), () => add()),
          )
        : null,
    ),
    whichRules(fits, draw),
    h(
      "details.more",
      { key: "more" },
      h("summary", t("page/common/more")),
      room
        ? h(
            "div.adds",
            parts.map(
              ({ seat: { column } = {} }) =>
                column &&
                more(column.label, () => {
                  const name = free(column.name, names);
                  draft.columns.set(name, column.fields);
                  add(name);
                }),
            ),
          )
        : null,
      starters(state, chosen, draw),
      parts.map((part) => part.game?.form?.(game)),
    ),
    h(
      "div.start",
      nameless && !count ? h("p.fault", { key: "nameless", role: "alert" }, t("page/lobby/nameless")) : null,
      chosen && !fits(chosen)
        ? h("p.fault", { role: "status" }, t("page/lobby/misfit", { title: chosen.title, count, numbers: numbers(chosen) }))
        : null,
      h(
        "button.first.wide",
        { type: "submit", disabled: (chosen && !fits(chosen)) || parts.some((part) => part.game?.pending?.(game)) },
        t("page/lobby/start"),
      ),
    ),
  );
}
