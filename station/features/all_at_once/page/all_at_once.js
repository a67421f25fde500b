// All play at once: one throw for everybody, each player's copy of it, READY, and the players the table waits for.

import { h } from "./dom.js";
import { die } from "./dice.js";
import { percent, t } from "./words.js";
import * as tray from "./tray.js";

/**
 * The seat this screen shows and plays for: the one chosen here, else the screen's own, else the table's active player.
 * @param {State} state @param {Api.You | null} you @param {string | null} looked
 */
function seatOf(state, you, looked) {
  const named = [looked, you?.seat].map((name) => state.players.findIndex((player) => player.name === name && !player.gone));
  return named.find((seat) => seat >= 0) ?? state.active_player ?? 0;
}

/** @param {State} state @param {number} seat */
const waits = (state, seat) => state.waits_for.includes(seat);

// The state from one player's seat: that player's copy instead of the throw, possible points in that column only.
/** @param {State} state @param {number} seat @returns {State} */
function seenBy(state, seat) {
  const mine = state.players[seat];
  const barred = ["correct_die", ...(waits(state, seat) ? [] : ["set_held", "score_box"])];
  return {
    ...state,
    active_player: seat,
    dice: mine.dice,
    choice: mine.chosen ?? (seat === state.active_player ? state.choice : null),
    commands: state.commands.filter((command) => !barred.includes(command)),
    players: state.players.map((player, index) => (index === seat ? player : { ...player, potentials: {} })),
  };
}

/** The throw for everybody; a tap corrects a die. @param {State} state @param {TrayActions} actions */
function common(state, actions) {
  const fix = tray.can(state, "correct_die");
  return h(
    "div.common",
    { key: "common" },
    h("h2", t("page/together/throw")),
    h(
      "ul.dice",
      { "aria-label": t("page/together/throw") },
      state.dice.map((item) =>
        h(
          "li.slot",
          { key: item.slot },
          h(
            "button.hold",
            {
              disabled: !fix,
              "aria-label": t("page/tray/correct", { slot: item.slot, face: item.face }),
              onclick: () => actions.correct(item),
            },
            die(item.face, { label: "", kind: `body-${item.colour || "ivory"}` }),
          ),
        ),
      ),
    ),
  );
}

/** @param {State} state @param {number} seat @param {TrayActions} actions @param {number[] | null | undefined} best */
function roll(state, seat, actions, best) {
  const mine = state.players[seat];
  const parts = [];
  if (tray.offered(state)) parts.push(tray.offeredDice(state, actions));
  else if (state.dice.length && !mine.dice.length)
    parts.push(h("p.aside", { key: "next" }, t("page/together/next_round", { name: mine.name })));
  else if (state.dice.length)
    parts.push(
      h("h2.whose", { key: "whose" }, t("page/together/copy", { name: mine.name })),
      tray.heldDice(seenBy(state, seat), actions, best),
    );
  if (state.dice.length && !tray.offered(state)) parts.push(common(state, actions));
  return parts;
}

/** @param {State} state @param {number} seat @param {(command: string) => unknown} act */
function steps(state, seat, act) {
  const mine = state.players[seat];
  if (!mine.dice.length || !["holding", "choosing"].includes(state.phase)) return null;
  if (mine.ready) return h("button.second", { key: "unready", onclick: () => act("unready") }, t("page/together/unready"));
  const unpicked = state.phase === "choosing" && !mine.chosen;
  return h(
    "button.first",
    { key: "ready", disabled: unpicked, onclick: () => act("ready") },
    unpicked ? t("page/together/pick_first") : t("page/together/ready"),
  );
}

/** @param {State} state @param {number} index */
function standing(state, index) {
  if (waits(state, index)) return t(state.phase === "choosing" ? "page/together/picks" : "page/together/keeps");
  return state.players[index].dice.length ? t("page/together/is_ready") : t("page/together/looks_on");
}

/**
 * The players, ready or waited for. A tap shows that player's copy; on a shared screen it also moves the buttons to it.
 * @type {Way["aids"]}
 */
function aids(state, seat, seated, { command, look }) {
  if (state.phase === "throwing" && !state.throws_done) return null;
  return h(
    "ul.who",
    { key: "who", "aria-label": t("page/together/who") },
    state.players.map(
      ({ name, gone, dice }, index) =>
        !gone &&
        h(
          "li",
          { key: index },
          h(
            "button",
            {
              class: waits(state, index) ? "waited" : "",
              "aria-pressed": index === seat ? "true" : "false",
              "aria-label": `${name}: ${standing(state, index)}`,
              onclick: () => (seated ? look(index) : command("choose_player", { player: index })),
            },
            h("span", { translate: "no" }, name),
            h("span", { "aria-hidden": "true" }, waits(state, index) ? "…" : dice.length ? "✓" : "–"),
          ),
        ),
    ),
  );
}

/** The state with the possible points of the picked boxes only. @param {State} state @returns {State} */
const onTheWall = (state) => ({
  ...state,
  active_player: null,
  players: state.players.map((player) => ({
    ...player,
    potentials: player.chosen ? { [player.chosen]: player.potentials[player.chosen] } : {},
  })),
});

/** All copies, for the television. @type {Way["copies"]} */
function copies(state, chances) {
  if (!state.throws_done) return null;
  const shares = chances();
  const present = state.players.map((player, index) => ({ ...player, index })).filter((player) => !player.gone);
  return h(
    "ul.copies",
    { key: "copies", vars: { "--columns": present.length > 10 ? 6 : present.length > 4 ? 5 : Math.max(present.length, 2) } },
    present.map((player) =>
      h(
        "li",
        { key: player.index, class: waits(state, player.index) ? "waited" : "is-ready" },
        h(
          "p",
          h("span.copy-name", { translate: "no", title: player.name }, player.name),
          h("span", { "aria-hidden": "true" }, waits(state, player.index) ? "…" : player.dice.length ? "✓" : "–"),
          h("span.vh", standing(state, player.index)),
          shares.length ? h("b", percent(shares[player.index])) : null,
        ),
        h(
          "div.copy",
          player.dice.map((item) =>
            h(
              "span",
              { class: item.held ? "held" : "", key: item.slot },
              die(item.face, {
                kind: `body-${item.colour || "ivory"}`,
                label: item.held ? `${t("page/common/die", { face: item.face })}, ${t("page/common/held")}` : undefined,
              }),
            ),
          ),
        ),
      ),
    ),
  );
}

/** @type {Way} */
const way = {
  seatOf,
  waits,
  seenBy,
  faces: ({ players }) => players.map(({ dice }) => dice.map((item) => item.face)),
  onTheWall,
  picked: ({ players }, seat) => players[seat]?.chosen || "",
  note: ({ dice_note: note }) => (note ? h("p.aside", { key: "note" }, note) : null),
  roll,
  steps,
  aids,
  copies,
};

/** @type {PagePart} */
export const part = {
  way: ({ simultaneous }) => (simultaneous ? way : null),
  game: { nobodyStarts: ({ together }) => together },
};
