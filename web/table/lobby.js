// Who plays, in which order, by which rules.

import { byId, h, icon, NAME_MAX } from "./dom.js";
import { number, t } from "./words.js";
import { get } from "./api.js";
import { Question } from "./question.js";
import { choices, field, list } from "./choices.js";
import * as handicaps from "./handicaps.js";
import * as seats from "./seats_form.js";

/** @typedef {{ per_point: string, big_general: string, currency: string }} Stakes */
/** @typedef {{ players: ReturnType<typeof seats.asked>[], rules: string | null, starter: string | null, stakes: Partial<Stakes> | null }} Game */

/** @type {Stakes} */
const NOTHING = { per_point: "", big_general: "", currency: "" };

// starter: null as long as nobody said otherwise than the rule set does. stakes: as they are typed. game: whose
// people and rules it began with. A reload, another language and the way back find it again.
/** @type {{ game: number, players: string[], rules: string | null, starter: string | null, stakes: Stakes, known: string[], seen: string[] }} */
const draft = {
  game: 0,
  players: ["", ""],
  rules: null,
  starter: null,
  stakes: { ...NOTHING },
  known: [],
  seen: [],
  ...history.state,
};

let nameless = false; // whether it was to begin without anybody

const AGAIN_MS = 2000;
const listed = new Question();
/** What can be played, the house rules last; none until the station has answered. @type {Api.RulesShape[]} */
let ruleSets = [];

const keep = () => history.replaceState({ ...draft, ways: seats.ways, places: seats.places, level: handicaps.wanted() }, "");

/** @type {EachOf<"first" | Exclude<Api.StartGame["starter"], number | null | undefined>>} */
const STARTERS = ["first", "throw", "random", "rotate", "loser"];

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
    seats.seed(state);
    // Played for nothing, it leaves no stakes of a game before; one that knows none leaves them alone.
    if (state.stakes || ruleSets.find(({ id }) => id === state.rules)?.big_general) draft.stakes = { ...NOTHING, ...state.stakes };
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

/** Who starts: what the rule set proposes, or people want. @param {State} state @param {Api.RulesShape | undefined} rules @param {() => void} draw */
function starters(state, rules, draw) {
  if (!rules || rules.together) return null;
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

/** What is played for, where the rule set tells of it. @param {Api.RulesShape | undefined} rules */
function stakes(rules) {
  if (!rules?.big_general) return null;
  /** @param {keyof Stakes} name @param {Props} props */
  const stake = (name, props) =>
    field(`stakes-${name}`, t(`page/lobby/stakes/${name}`), {
      value: draft.stakes[name],
      ...props,
      oninput: (event) => {
        draft.stakes[name] = event.currentTarget.value;
      },
    });
  const amount = { inputmode: "decimal", maxlength: 11, placeholder: number(0.05, 2) };
  return h(
    "fieldset.stakes",
    h("legend", t("page/lobby/stakes/title")),
    h("p.aside", t("page/lobby/stakes/aside")),
    h(
      "div.fields",
      stake("per_point", amount),
      stake("big_general", { ...amount, placeholder: "5" }),
      stake("currency", { maxlength: 4, placeholder: "€" }),
    ),
  );
}

// Decimals are typed with a comma or a point; the station takes points.
/** @param {Api.RulesShape | undefined} rules */
function agreed(rules) {
  const { per_point, big_general, currency } = draft.stakes;
  if (!rules?.big_general || !(per_point.trim() || big_general.trim())) return null;
  /** @param {string} text */
  const exact = (text) => text.trim().replace(",", ".");
  return {
    per_point: exact(per_point) || "0",
    ...(big_general.trim() ? { big_general: exact(big_general) } : {}),
    currency: currency.trim(),
  };
}

/** Without a game before nobody has lost one, and who has no tray has no die to throw for it. @param {State} state @returns {string[]} */
const offered = (state) =>
  STARTERS.filter((word) => (word !== "loser" || state.finished) && (word !== "throw" || !seats.drawn(draft.players)));

/** @param {Api.RulesShape} rules @param {State} state */
function starter(rules, state) {
  const there = offered(state);
  return [draft.starter, rules.throws_for_start ? "throw" : null].find((word) => word && there.includes(word)) ?? "first";
}

/** What a column is known by, also while its name is typed anew: no name begins with a space. @param {string} name @param {number} index */
const called = (name, index) => name.trim() || ` ${index}`;

/** @param {State} state @param {{ start: (game: Game) => void, draw: () => void }} tools */
export function form(state, { start, draw }) {
  if (!ruleSets.length) return null;
  const names = draft.players;
  const playing = names.map((name) => name.trim()).filter(Boolean);
  const count = playing.length;
  /** @param {Api.RulesShape} rules */
  const fits = (rules) => !count || (rules.players_min <= count && count <= rules.players_max);
  const chosen = ruleSets.find((rules) => rules.id === draft.rules);
  /** @param {number} index @param {number} by */
  const move = (index, by) => {
    const [name] = names.splice(index, 1);
    names.splice(index + by, 0, name);
    draw();
  };
  /** @param {number} index */
  const remove = (index) => {
    seats.removed(called(names[index], index));
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
    const word = chosen && !chosen.together ? starter(chosen, state) : "first";
    const homes = chosen?.together ? [] : state.homes;
    start({
      players: playing.map((name, seat) => seats.asked(name, homes, handicaps.of(playing, seat))),
      rules: draft.rules,
      starter: word === "first" ? null : word,
      stakes: agreed(chosen),
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
                seats.renamed(called(names[index], index), called(event.currentTarget.value, index));
                names[index] = event.currentTarget.value;
                draw();
              },
            }),
            icon("↑", t("page/lobby/move_up", { n: index + 1 }), () => move(index, -1), index === 0),
            icon("×", t("page/lobby/remove", { n: index + 1 }), () => remove(index), names.length < 2),
            seats.details(called(name, index), index, chosen, draw),
            chosen?.together ? null : seats.place(name.trim(), index, state.homes, draw),
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
            more(t("page/lobby/computer/add"), () => add(seats.addComputer(names))),
            more(t("page/lobby/team/add"), () => add(seats.addTeam(names))),
          )
        : null,
      starters(state, chosen, draw),
      handicaps.choice(playing, draft.rules, draw),
      stakes(chosen),
    ),
    h(
      "div.start",
      nameless && !count ? h("p.fault", { key: "nameless", role: "alert" }, t("page/lobby/nameless")) : null,
      chosen && !fits(chosen)
        ? h("p.fault", { role: "status" }, t("page/lobby/misfit", { title: chosen.title, count, numbers: numbers(chosen) }))
        : null,
      h("button.first.wide", { type: "submit", disabled: (chosen && !fits(chosen)) || handicaps.pending(playing) }, t("page/lobby/start")),
    ),
  );
}
