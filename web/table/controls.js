// Who has the controls: all screens, those with a seat, or the scorekeeper alone. Every screen shows who that is.

import { h } from "./dom.js";
import { boxesOf } from "./turns.js";
import { t } from "./words.js";

/** Whether the controls need a seat and this screen has none. @param {PublicRoom} room @param {Api.You | null} you */
const looksOn = (room, you) => Boolean(room.only_seated || room.roles) && you?.role === "viewer";

// The state without commands that the station would refuse from this screen (station/screens/permissions.py).
/** @param {State} state @param {string[]} refused @returns {State} */
export const seenBy = (state, refused) => offered({ ...state, commands: state.commands.filter((command) => !refused.includes(command)) });

/** While a sure throw waits for its confirmation, boxes show its points, and a tap on one confirms it. @param {State} state @returns {State} */
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

/** The scorekeeper, and the latest announcement. @param {State} state @param {PublicRoom} room */
export function scorekeeper({ announced }, { scorekeeper: name }) {
  if (!name) return null;
  return [
    h("p", { key: "scorekeeper" }, t("page/scorekeeper/keeps", { name })),
    announced ? h("p.announced", { key: "announced" }, h("b", t("page/scorekeeper/announces"), " "), announced) : null,
  ];
}

/** The link to a seat, for a screen without controls. @param {PublicRoom} room @param {Api.You | null} you */
export const seat = (room, you) =>
  looksOn(room, you) && h("p.aside", { key: "seat" }, t("page/table/looks_on"), " ", h("a", { href: "/join" }, t("page/menu/seat")));

/** A notice on every screen while one requests to be host, so that people at the button know whose request they confirm.
 * @param {PublicRoom} room @param {Api.You | null} you @returns {Children} */
export function requested(room, you) {
  if (!room.asking) return [];
  return [
    h("b", t("page/common/role_asked")),
    you?.number ? [" · ", h("span.request-number", t("page/common/type_number", { number: you.number }))] : null,
    you?.button ? [" · ", t("page/common/hold_confirm")] : null,
  ];
}
