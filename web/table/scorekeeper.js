// Who keeps the score has the controls alone: everybody may see who that is.

import { h } from "./dom.js";
import { t } from "./words.js";

/** Whether this screen only looks on, since another keeps the score. @param {PublicRoom} room @param {Api.You | null} you */
const looksOn = (room, you) => Boolean(room.scorekeeper) && !["scorekeeper", "host"].includes(you?.role || "");

// Where somebody else has the controls, there are none. On copies of a common throw everybody decides.
/** @param {State} state @param {PublicRoom} room @param {Api.You | null} you @returns {State} */
export function seenBy(state, room, you) {
  if (!looksOn(room, you)) return state;
  const own = state.simultaneous ? ["set_held", "score_box", "ready", "unready"] : [];
  return { ...state, commands: state.commands.filter((command) => own.includes(command)) };
}

/** Who keeps the score, and what was announced. @param {State} state @param {PublicRoom} room */
export function line({ announced }, { scorekeeper: name }) {
  if (!name) return null;
  return [
    h("p", { key: "keeper" }, t("page/scorekeeper/keeps", { name })),
    announced ? h("p.announced", { key: "announced" }, h("b", t("page/scorekeeper/announces"), " "), announced) : null,
  ];
}
