// Columns that are no single person: computer players and teams, as they are asked for before a game.

import { h } from "./dom.js";
import { number, t } from "./words.js";
import { list } from "./choices.js";

/** @typedef {{ computer: string | null, members: string }} Way */

/** By name, as it stands in the form. @type {Map<string, Way>} */
export const ways = history.state?.ways ?? new Map();

/** Who throws in another home, by name: the station there, with a slash behind it where there is no tray. @type {Map<string, string>} */
export const places = history.state?.places ?? new Map();

/** @type {`${NonNullable<Api.PlayerAsked["computer"]>}`[]} */
const STRENGTHS = ["perfect", "to-win", "75", "50", "25", "0"];

/** What they were in the game on the table. @param {State} state */
export function seed(state) {
  ways.clear();
  places.clear();
  for (const { name, gone, computer, members, home, without_tray } of state.players) {
    if (gone) continue;
    if (computer || members.length) ways.set(name, { computer, members: members.join(", ") });
    if (home) places.set(name, without_tray ? `${home}/` : home);
  }
}

/** @param {string} before @param {string} after */
export function renamed(before, after) {
  follow(ways, before, after);
  follow(places, before, after);
}

/** @template T @param {Map<string, T>} said @param {string} before @param {string} after */
function follow(said, before, after) {
  const each = said.get(before);
  if (each === undefined || after === before || said.has(after)) return;
  said.delete(before);
  said.set(after, each);
}

/** @param {string} name */
export function removed(name) {
  ways.delete(name);
  places.delete(name);
}

/** A name that nobody has. @param {string} word @param {string[]} names */
function free(word, names) {
  let name = word;
  for (let n = 2; names.includes(name); n += 1) name = `${word} ${n}`;
  return name;
}

/** @param {string[]} names @returns {string} the name of the new column */
export function addComputer(names) {
  const name = free(t("page/lobby/computer/name"), names);
  ways.set(name, { computer: "75", members: "" });
  return name;
}

/** @param {string[]} names @returns {string} the name of the new column */
export function addTeam(names) {
  const name = free(t("page/lobby/team/name"), names);
  ways.set(name, { computer: null, members: "" });
  return name;
}

/**
 * The column as the station is asked for it.
 * @param {string} name @param {string[]} homes: stations that play along @param {number} handicap
 */
export function asked(name, homes, handicap) {
  const seat = column(name, homes);
  return handicap ? { ...(typeof seat === "string" ? { name } : seat), handicap } : seat;
}

/** @param {string} name @param {string[]} homes */
function column(name, homes) {
  const { computer, members } = ways.get(name) || { computer: null, members: "" };
  if (computer) return { name, computer: /^\d+$/.test(computer) ? Number(computer) : computer };
  const all = members
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean);
  const [home, ...drawn] = (places.get(name) || "").split("/");
  const away = homes.includes(home) ? { home, ...(drawn.length ? { without_tray: true } : {}) } : {};
  return all.length || "home" in away ? { name, ...(all.length ? { members: all } : {}), ...away } : name;
}

/** How strong a computer player is, with what it gives away where that was measured.
 * @param {string} strength @param {Api.RulesShape | undefined} rules */
function told(strength, rules) {
  const points = rules?.given_away[strength];
  const plain = t(`page/lobby/computer/${strength}`);
  return points === undefined ? plain : t("page/lobby/computer/gives_away", { plain, points: number(points) });
}

/** Whether both stations draw the dice of one of them. @param {string[]} names */
export const drawn = (names) => names.some((name) => places.get(name.trim())?.endsWith("/"));

/** Before which station somebody throws. @param {string} name @param {number} index @param {string[]} homes @param {() => void} draw */
export function place(name, index, homes, draw) {
  if (!name || !homes.length || ways.get(name)?.computer) return null;
  /** @type {(home: string) => Labelled[]} */
  const there = (home) => [
    [home, t("page/lobby/home/there", { home })],
    [`${home}/`, t("page/lobby/home/drawn", { home })],
  ];
  return list(
    { class: "way home", "aria-label": t("page/lobby/home/of", { n: index + 1 }) },
    places.get(name) || "",
    [["", t("page/lobby/home/here")], ...homes.flatMap(there)],
    (place) => {
      places.set(name, place);
      draw();
    },
  );
}

/** What there is to say about a column besides its name. @param {string} name @param {number} index
 * @param {Api.RulesShape | undefined} rules @param {() => void} draw */
export function details(name, index, rules, draw) {
  const way = ways.get(name);
  if (!way) return null;
  if (way.computer === null)
    return h("input.way", {
      type: "text",
      value: way.members,
      maxlength: 260,
      placeholder: t("page/lobby/team/members"),
      "aria-label": t("page/lobby/team/members_of", { n: index + 1 }),
      oninput: (event) => {
        way.members = event.currentTarget.value;
        draw(); // the field may be another team's next
      },
    });
  return list(
    { class: "way", "aria-label": t("page/lobby/computer/strength_of", { n: index + 1 }) },
    way.computer,
    STRENGTHS.map((strength) => [strength, told(strength, rules)]),
    (strength) => {
      way.computer = strength;
      draw();
    },
  );
}
