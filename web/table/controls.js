// Who has the controls: all screens, those with a seat, or who keeps the score alone. Everybody may see who that is.

import { h } from "./dom.js";
import { boxesOf } from "./turns.js";
import { t } from "./words.js";

/** Whether a seat is needed for anything, and this screen has none. @param {PublicRoom} room @param {Api.You | null} you */
const looksOn = (room, you) => Boolean(room.only_seated || room.roles) && you?.role === "viewer";

// What the station would refuse this screen, it does not offer: station/screens/permissions.py says what that is.
/** @param {State} state @param {string[]} refused @returns {State} */
export const seenBy = (state, refused) => offered({ ...state, commands: state.commands.filter((command) => !refused.includes(command)) });

/** While a sure throw waits, the boxes show what it would bring, and a tap on one confirms it. @param {State} state @returns {State} */
function offered(state) {
  const { offer, active_player, commands, players } = state;
  if (!offer || boxesOf(state) > 1 || !commands.includes("accept_roll")) return { ...state, offer: null };
  const { potentials } = offer;
  return {
    ...state,
    commands: [...commands, "score_box"],
    players: players.map((player, index) => (index === active_player ? { ...player, potentials } : player)),
  };
}

/** Who keeps the score, and what was announced. @param {State} state @param {PublicRoom} room */
export function scorekeeper({ announced }, { scorekeeper: name }) {
  if (!name) return null;
  return [
    h("p", { key: "scorekeeper" }, t("page/scorekeeper/keeps", { name })),
    announced ? h("p.announced", { key: "announced" }, h("b", t("page/scorekeeper/announces"), " "), announced) : null,
  ];
}

/** What a screen needs that has no controls. @param {PublicRoom} room @param {Api.You | null} you */
export const seat = (room, you) =>
  looksOn(room, you) && h("p.aside", { key: "seat" }, t("page/table/looks_on"), " ", h("a", { href: "/join" }, t("page/menu/seat")));

/** What every screen says while one asks to be host: who holds the button should know whose request it answers.
 * @param {PublicRoom} room @param {Api.You | null} you @returns {Children} */
export function requested(room, you) {
  if (!room.asking) return [];
  return [
    h("b", t("page/common/role_asked")),
    you?.number ? [" · ", h("span.request-number", t("page/common/type_number", { number: you.number }))] : null,
    you?.button ? [" · ", t("page/common/hold_confirm")] : null,
  ];
}
