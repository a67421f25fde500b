// Columns that are no single person: computer players and teams, as they are asked for before a game.

import { h } from "./dom.js";
import { number, t } from "./words.js";

/** @typedef {{ computer: string | null, members: string }} Way */

/** By name, as it stands in the form. @type {Map<string, Way>} */
const ways = new Map();

const STRENGTHS = ["perfect", "to-win", "75", "50", "25", "0"];

/** What they were in the game on the table. @param {State} state */
export function seed(state) {
  ways.clear();
  for (const { name, gone, computer, members } of state.players)
    if (!gone && (computer || members.length)) ways.set(name, { computer, members: members.join(", ") });
}

/** @param {string} before @param {string} after */
export function renamed(before, after) {
  const way = ways.get(before);
  if (!way || after === before || ways.has(after)) return;
  ways.delete(before);
  ways.set(after, way);
}

/** @param {string} name */
export const removed = (name) => ways.delete(name);

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

/** The column as the station is asked for it. @param {string} name */
export function asked(name) {
  const way = ways.get(name);
  if (!way) return name;
  const { computer, members } = way;
  if (computer) return { name, computer: /^\d+$/.test(computer) ? Number(computer) : computer };
  const all = members
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean);
  return all.length ? { name, members: all } : name;
}

/** How strong a computer player is, with what it gives away where that was measured.
 * @param {string} strength @param {Api.RuleSetView | undefined} rules */
function told(strength, rules) {
  const points = rules?.given_away[strength];
  const plain = t(`page/lobby/computer/${strength}`);
  return points === undefined ? plain : t("page/lobby/computer/gives_away", { plain, points: number(points) });
}

/** What there is to say about a column besides its name. @param {string} name @param {number} index
 * @param {Api.RuleSetView | undefined} rules @param {() => void} draw */
export function details(name, index, rules, draw) {
  const way = ways.get(name);
  if (!way) return null;
  if (way.computer === null)
    return h("input", {
      class: "way",
      type: "text",
      value: way.members,
      maxlength: 260,
      placeholder: t("page/lobby/team/members"),
      "aria-label": t("page/lobby/team/members_of", { n: index + 1 }),
      oninput: (event) => {
        way.members = event.currentTarget.value;
      },
    });
  return h(
    "select",
    {
      class: "way",
      "aria-label": t("page/lobby/computer/strength_of", { n: index + 1 }),
      onchange: (event) => {
        way.computer = event.currentTarget.value;
        draw();
      },
    },
    STRENGTHS.map((strength) =>
      h("option", { key: strength, value: strength, selected: strength === way.computer }, told(strength, rules)),
    ),
  );
}
