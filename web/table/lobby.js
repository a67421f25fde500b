// Who plays, in which order, by which rules.

import { byId, h, icon, NAME_MAX } from "./dom.js";
import { t } from "./words.js";
import { get } from "./api.js";
import { Question } from "./question.js";
import { choices, list } from "./choices.js";
import { parts } from "./parts.js";

// starter: null as long as nobody said otherwise than the rule set does. said: what features say of the game; columns: and of
// those who play, by name. game: whose people and rules it began with. A reload, another language and the way back find it
// again.
/** @type {{ game: number, players: string[], rules: string | null, starter: string | null, said: NewGame["said"],
 *   columns: Map<string, Column>, known: string[], seen: string[] }} */
const draft = {
  game: 0,
  players: ["", ""],
  rules: null,
  starter: null,
  said: {},
  columns: new Map(),
  known: [],
  seen: [],
  ...history.state,
};

let nameless = false; // whether it was to begin without anybody

const AGAIN_MS = 2000;
const listed = new Question();
/** What can be played, the house rules last; none until the station has answered. @type {Api.RulesShape[]} */
let ruleSets = [];

const keep = () => history.replaceState(draft, "");

/** Words by which it is thrown for who starts. */
const THROWN = parts.flatMap(({ starter }) => starter?.word ?? []);
const STARTERS = ["first", ...THROWN, "random", "rotate", "loser"];

const FIRST = 4; // rule sets that are offered at once

/** By which rules this table played last, then what people play in this language. @type {string[]} */
let favourites = [];

// People who took a seat with their own phone appear in the form by themselves, and follow what becomes of them.
// After a game the form begins with those who played it, whichever screen began it.
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
          gathered((part) => part.seat?.seed?.(player)),
        );
    const rules = ruleSets.find(({ id }) => id === state.rules);
    for (const { game } of parts) game?.seed?.(draft.said, state, rules);
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
  if (!there.includes(draft.rules ?? "")) draft.rules = favourites[0] ?? null; // house rules that were deleted meanwhile
}

/** The rule set that is chosen. */
export const rules = () => draft.rules;

/** How many may play. @param {Api.RulesShape} rules */
const numbers = ({ players_min: least, players_max: most }) =>
  least === most ? t("page/lobby/exactly", { count: least }) : t("page/lobby/from_to", { least, most });

/** The four that are most likely wanted, and all others. @param {(rules: Api.RulesShape) => boolean} fits @param {() => void} draw */
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

/** Who starts: what the rule set proposes, or people want. @param {State} state @param {Api.RulesShape | undefined} rules @param {() => void} draw */
function starters(state, rules, draw) {
  if (!rules || nobodyStarts(rules)) return null;
  return h(
    "fieldset",
    h("legend", t("page/lobby/who_starts")),
    h("label.vh", { for: "starter" }, t("page/lobby/who_starts")),
    list(
      { id: "starter", "aria-describedby": "starter-told" },
      starter(rules, state),
      offered(state).map((word) => [word, t(`page/lobby/starter/${word}`)]),
      (word) => {
        draft.starter = word;
        draw();
      },
    ),
    h("p.aside", { id: "starter-told" }, t("page/lobby/as_told", { starts: rules.starts })),
  );
}

/** Without a game before nobody has lost one, and who has no tray has no die to throw for it. @param {State} state @returns {string[]} */
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

/** What a column is known by, also while its name is typed anew: no name begins with a space. @param {string} name @param {number} index */
const called = (name, index) => name.trim() || ` ${index}`;

/** @param {string} name */
const columnOf = (name) => draft.columns.get(name) ?? {};

/** @param {string} name @param {Column} more: nothing, for most */
const note = (name, more) => Object.keys(more).length && draft.columns.set(name, { ...columnOf(name), ...more });

/** Who was called that is the same column, unless somebody else is called so already. @param {string} before @param {string} after */
function renamed(before, after) {
  const column = draft.columns.get(before);
  if (!column || draft.columns.has(after)) return;
  draft.columns.delete(before);
  draft.columns.set(after, column);
}

/** What all parts say together. @template {object} T @param {(part: PagePart) => T | undefined} of @returns {T} */
const gathered = (of) => Object.assign({}, ...parts.map(of));

/** @param {string} name @param {number} index @param {() => void} draw @returns {AskedSeat} */
function seatOf(name, index, draw) {
  const key = called(name, index);
  const column = columnOf(key);
  return {
    name: name.trim(),
    index,
    column,
    nobody: parts.some(({ seat }) => seat?.nobody?.(column)),
    say(more) {
      note(key, more);
      draw(); // the field may be another column's next
    },
  };
}

/** A name that nobody has. @param {string} word @param {string[]} names */
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
  const game = { players: playing, rules: chosen, state, said: draft.said, draw };
  /** @param {number} index @param {number} by */
  const move = (index, by) => {
    const [name] = names.splice(index, 1);
    names.splice(index + by, 0, name);
    draw();
  };
  /** @param {number} index */
  const remove = (index) => {
    draft.columns.delete(called(names[index], index));
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
        const asked = gathered((part) => part.seat?.asks?.(seat, game));
        return Object.keys(asked).length ? { name, ...asked } : name;
      }),
      rules: draft.rules,
      starter: word === "first" ? null : word,
      ...gathered((part) => part.game?.asks?.(game)),
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
                renamed(called(names[index], index), called(event.currentTarget.value, index));
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
                  draft.columns.set(name, column.said);
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
