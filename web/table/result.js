// The end of a game: the winner, the rematch, and other steps.

import { button, h } from "./dom.js";
import { t } from "./words.js";
import { parts } from "./parts.js";
import * as tray from "./tray.js";

/** The headline; the winner's own phone has a personal one. @param {State} state @param {Api.You | null} you */
export function headline(state, you) {
  const mine = state.winners.some((seat) => state.players[seat].name === you?.seat);
  if (!mine || state.players.length < 2) return state.waiting_for;
  return t(state.winners.length > 1 ? "page/table/you_share" : "page/table/you_win");
}

/** @param {State} state @param {TrayActions} actions */
export const steps = (state, actions) => [
  tray.can(state, "rematch") ? button("first wide", t("page/tray/rematch"), () => actions.rematch("keep"), { key: "rematch" }) : null,
  state.players.some(({ boxes }) => Object.values(boxes).some((points) => points !== null))
    ? [
        h("a.second.wide.button", { key: "again", href: `/history/${state.game}` }, t("page/common/game_again")),
        button("quiet wide", t("page/table/share"), () => import("./share.js").then(({ share }) => share()), { key: "share" }),
      ]
    : null,
];

/** @param {State} state @param {TrayActions} actions @param {PartTools} tools @param {() => unknown} another: opens the form for another game */
export function more(state, actions, tools, another) {
  const several = tray.can(state, "rematch") && state.players.filter((player) => !player.gone).length > 1;
  return h(
    "details.more",
    { key: "more" },
    h("summary", t("page/common/more")),
    several && [
      button("quiet", t("page/tray/rematch_rotate"), () => actions.rematch("rotate")),
      button("quiet", t("page/tray/rematch_shuffle"), () => actions.rematch("shuffle")),
    ],
    tray.can(state, "start_game") ? button("quiet", t("page/table/another_game"), another) : null,
    parts.map((part) => part.aids?.(state, tools)),
  );
}
