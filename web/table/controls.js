// Who has the controls: all screens, those with a seat, or who keeps the score alone. Everybody may see who that is.

import { h } from "./dom.js";
import { t } from "./words.js";

/** Whether another keeps the score. @param {PublicRoom} room @param {Api.You | null} you */
const kept = (room, you) => Boolean(room.scorekeeper) && !["scorekeeper", "host"].includes(you?.role || "");

/** Whether a seat is needed for anything, and this screen has none. @param {PublicRoom} room @param {Api.You | null} you */
const looksOn = (room, you) => Boolean(room.only_seated || room.roles) && you?.role === "viewer";

// Where a screen has no controls, it shows none. On copies of a common throw everybody with a seat decides.
/** @param {State} state @param {PublicRoom} room @param {Api.You | null} you @returns {State} */
export function seenBy(state, room, you) {
  if (looksOn(room, you)) return { ...state, commands: [] };
  if (!kept(room, you)) return state;
  const own = state.simultaneous ? ["set_held", "score_box", "ready", "unready"] : [];
  return { ...state, commands: state.commands.filter((command) => own.includes(command)) };
}

/** Who keeps the score, and what was announced. @param {State} state @param {PublicRoom} room */
export function keeper({ announced }, { scorekeeper: name }) {
  if (!name) return null;
  return [
    h("p", { key: "keeper" }, t("page/scorekeeper/keeps", { name })),
    announced ? h("p.announced", { key: "announced" }, h("b", t("page/scorekeeper/announces"), " "), announced) : null,
  ];
}

/** What a screen needs that has no controls. @param {PublicRoom} room @param {Api.You | null} you */
export const seat = (room, you) =>
  looksOn(room, you) && h("p.aside", { key: "seat" }, t("page/table/looks_on"), " ", h("a", { href: "/join" }, t("page/menu/seat")));
