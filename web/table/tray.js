// The tray on screen: the reading, the dice, and the steps of the turn.

import { button, h } from "./dom.js";
import { die } from "./dice.js";
import { parts } from "./parts.js";
import { t } from "./words.js";

/** @param {State} state @param {string} command */
export const can = (state, command) => state.commands.includes(command);

/** @param {Api.ReadingView} reading */
function readingWords(reading) {
  if (untouched(reading)) return t("page/tray/lying");
  switch (reading.status) {
    case "ready":
      return t("page/tray/read", { faces: (reading.dice.length ? reading.dice.map((item) => item.face) : reading.faces).join(" ") });
    case "moving":
      return t("page/tray/moving");
    case "covered":
      return t("page/tray/covered");
    case "empty":
      return t("page/common/tray_empty");
    default:
      return reading.reasons.length
        ? t("page/tray/unsure", { reasons: reading.reasons.map((reason) => t(`reason/${reason}`)) })
        : t("page/tray/unsure_what");
  }
}

// Whether the dice are still those of the last roll, which is no news.
/** @param {Api.ReadingView} reading */
const untouched = (reading) => !reading.fresh && reading.faces.length > 0 && (reading.status === "ready" || reading.status === "unsure");

const SIGNS = { lying: "…", ready: "✓", moving: "≈", covered: "✋\uFE0E", empty: "○", unsure: "?" };

/** The camera's reading, while the table waits for a throw and the camera works. @param {State} state */
export function readingChip(state) {
  const { reading, camera } = state;
  if (!beginning(state) || elsewhere(state) || !camera.ok) return null;
  const status = untouched(reading) ? "lying" : reading.status;
  const words = readingWords(reading);
  return h("p", { class: `chip is-${status}`, title: words }, h("span", { "aria-hidden": "true" }, SIGNS[status]), " ", words);
}

/** The throws of this turn, once the game has turns. @param {State} state */
export function throwCount(state) {
  if (state.phase !== "throwing" && beginning(state)) return null;
  const { throws_done: done, throws_allowed: allowed, rolls_left: left } = state;
  const words = done
    ? left
      ? t("page/tray/throws_left", { count: left })
      : t("page/tray/no_throw")
    : t("page/tray/throws", { count: left });
  const dots = Array.from({ length: allowed }, (_, index) => h("i", { class: index < done ? "dot done" : "dot" }));
  return h("p.throws", h("span.dots", { "aria-hidden": "true" }, dots), h("span", words));
}

/** Whether this tray does not count in this turn. @param {State} state */
const elsewhere = (state) => parts.some((part) => part.elsewhere?.(state));

/** The command that throws the dice without a hand: drawn or simulated; null where people throw. @param {State} state */
export const throwsBy = (state) =>
  parts.map((part) => part.throwsBy?.(state)).find(Boolean) ?? (state.simulated && can(state, "throw") ? "throw" : null);

// Whether the dice are rolling, so that the last roll no longer holds. Under a hand it may still lie there.
/** @param {State} state */
const rolling = (state) => state.turn === "rolling" && state.reading.status === "moving";

/** The slots held after a tap on one of them. @param {State["dice"]} dice @param {number} slot */
export const toggled = (dice, slot) => dice.filter((item) => (item.slot === slot ? !item.held : item.held)).map((item) => item.slot);

/** An empty place, as large as a die. @param {number} slot */
const noDie = (slot) => h("li.slot", { key: slot }, h("span.hold", die(null, { label: "", kind: "blank" }), h("span.hold-word", "\u00a0")));

/** Empty places for the dice, so that nothing moves when they come. @param {State} state */
export const noDice = ({ dice_count: count }) =>
  h(
    "ul",
    { class: `dice none${count > 5 ? " ten" : ""}`, key: "none", "aria-hidden": "true" },
    Array.from({ length: count }, (_, index) => noDie(index + 1)),
  );

/** @param {State} state @param {TrayActions} actions @param {number[] | null} best: slots that a hint would hold */
export function heldDice(state, actions, best = null) {
  const holding = can(state, "set_held");
  if (!state.dice.length) return null;
  return h(
    "ul",
    { class: `dice${state.dice.length > 5 ? " ten" : ""}${state.turn === "rolling" ? " older" : ""}`, "aria-label": t("page/tray/roll") },
    state.dice.map((item) => {
      if (rolling(state) && !item.held) return noDie(item.slot);
      return h(
        "li",
        { class: `slot${item.held ? " held" : ""}${best?.includes(item.slot) ? " hinted" : ""}`, key: item.slot },
        h(
          "button.hold",
          {
            "aria-pressed": item.held ? "true" : "false",
            disabled: !holding,
            "data-slot": item.slot,
            "aria-label": `${t("page/common/die_shows", { slot: item.slot, face: item.face })}, ${item.held ? t("page/common/held") : t("page/tray/hold")}`,
            onclick: () => actions.hold(item.slot),
          },
          die(item.face, { label: "", kind: `body-${item.colour || "ivory"}` }),
          h("span.hold-word", { "aria-hidden": "true" }, item.held ? t("page/common/held") : holding ? t("page/tray/hold") : "\u00a0"),
        ),
      );
    }),
  );
}

/** The word under an offered die. @param {Api.OfferedDieView} item */
const note = ({ held, corrected, unsure }) =>
  held ? t("page/common/held") : corrected ? t("page/tray/corrected") : unsure ? t("page/common/unsure") : "";

// The unconfirmed dice in the tray, which would be the next roll; a tap corrects a die.
/** @param {State} state @param {TrayActions} actions */
export function offeredDice(state, actions) {
  const { reading } = state;
  if (reading.status === "moving" || reading.status === "covered" || !reading.fresh) return null;
  if (!reading.dice.length) {
    if (!reading.faces.length || !can(state, "enter_roll")) return null;
    return h(
      "ul.dice.seen",
      { "aria-label": t("page/common/camera_sees") },
      reading.faces.map((face, index) =>
        h(
          "li.slot",
          { key: index },
          button("hold", [die(face, { label: "" }), h("span.hold-word", { "aria-hidden": "true" }, " ")], () => actions.type(), {
            "aria-label": t("page/tray/type_instead", { face }),
          }),
        ),
      ),
    );
  }
  const fix = can(state, "correct_die");
  return h(
    "ul",
    { class: `dice seen${reading.dice.length > 5 ? " ten" : ""}`, "aria-label": t("page/common/camera_sees") },
    reading.dice.map((item) =>
      h(
        "li",
        { class: `slot${item.held ? " held" : ""}${item.unsure ? " unsure" : ""}`, key: item.slot },
        h(
          "button.hold",
          {
            disabled: !fix || item.held,
            "data-slot": item.slot,
            "aria-label": item.held
              ? `${t("page/common/die_shows", { slot: item.slot, face: item.face })}, ${t("page/common/held")}`
              : `${note(item)} ${t("page/tray/correct", { slot: item.slot, face: item.face })}`.trim(),
            onclick: () => actions.correct(item, true),
          },
          die(item.face, { label: "", kind: `body-${item.colour || "ivory"}` }),
          h("span.hold-word", { "aria-hidden": "true" }, note(item) || "\u00a0"),
        ),
      ),
    ),
  );
}

/** Whether the table waits for a first throw: of a turn, or for who starts. @param {State} state */
export const beginning = ({ phase }) => !["lobby", "holding", "choosing", "finished"].includes(phase);

// Whether to show the tray's unconfirmed dice: a throw waits for its confirmation, or the turn has none yet.
/** @param {State} state */
export const offered = (state) => state.turn === "unconfirmed" || (beginning(state) && !state.dice.length);

// With hyphens that do not wrap, so that 6-2-6-6-1 stays on one line.
/** @param {string} text */
const unbroken = (text) => text.replace(/(\d)-(?=\d)/g, "$1\u2011");

/** @param {{ face: number }[]} dice */
const faces = (dice) => unbroken(dice.map((item) => item.face).join("-"));

/**
 * @param {State} state @param {TrayActions} actions @param {boolean} tiled: for the thumb, with undo as a sign beside the step
 * @param {string | null | undefined} box: the box that a hint would score now @param {Children} more: further buttons
 */
export function steps(state, actions, tiled, box = null, more = null) {
  const ready = state.reading.status === "ready";
  const held = state.dice.filter((item) => item.held).length;
  const free = state.dice_count - held;
  const keeps = can(state, "keep_roll");
  const buttons = [more];
  const decided = can(state, "accept_roll") || parts.some((part) => part.goesOn?.(state)) || box;
  const again = throwsBy(state)
    ? button(
        decided ? "second" : "first",
        state.throws_done || state.phase !== "throwing" ? t("page/tray/throw_some", { count: free }) : t("page/tray/throw"),
        actions.throw,
        { key: "throw" },
      )
    : null;
  if (!keeps) buttons.push(again);
  const unmoved = beginning(state) && !state.reading.fresh && !state.simulated;
  if (ready && (state.problem || unmoved) && can(state, "enter_roll")) {
    buttons.push(h("button.second", { key: "force", onclick: actions.force }, t("page/tray/force")));
  } else if (can(state, "accept_roll") || (beginning(state) && !state.simulated && !elsewhere(state))) {
    buttons.push(
      h(
        "button",
        { key: "accept", class: ready ? "first" : "second", disabled: !ready || !can(state, "accept_roll"), onclick: actions.accept },
        keeps && state.reading.dice.length ? t("page/tray/confirm_roll", { faces: faces(state.reading.dice) }) : t("page/tray/confirm"),
      ),
    );
  }
  if (bumped(state)) buttons.push(h("button.second", { key: "keep", onclick: actions.keep }, t("page/tray/keep")));
  else if (keeps) buttons.push(again);
  if (tiled) buttons.push(pencil(state, actions, true), undoButton(state, actions, true));
  return h("div.steps", buttons);
}

/** The faces in sorted order, for comparison. @param {{ face: number }[]} dice */
const facesOf = (dice) =>
  dice
    .map((item) => item.face)
    .sort()
    .join();

/** Whether the dice moved but show the same faces: probably nobody has thrown them. @param {State} state */
const bumped = (state) => can(state, "keep_roll") && facesOf(state.reading.dice) === facesOf(state.dice);

/** The other corrections of the dice. @param {TrayActions} actions @returns {[string, string, () => unknown][]} */
const fixes = (actions) => [
  ["missed_die", t("page/common/missed"), actions.missed],
  ["read_again", t("page/tray/read_again"), actions.again],
  ["keep_roll", t("page/tray/keep"), actions.keep],
  ["enter_roll", t("page/common/type"), () => actions.type()],
];

/** One button for all corrections of the dice. @param {State} state @param {TrayActions} actions @param {boolean} small */
function pencil(state, actions, small) {
  const read = offered(state) ? state.reading.dice.filter((item) => !item.held) : state.dice;
  const dice = can(state, "correct_die") ? read : [];
  if (!dice.length && !["missed_die", "read_again", "keep_roll"].some((command) => can(state, command))) return null;
  const ways = fixes(actions).filter(([command]) => can(state, command));
  return button(
    `undo type${small ? " small" : ""}`,
    [
      h("svg.pencil", { viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: "M5 19l1-4L16 5l3 3L9 18zM14 7l3 3" })),
      h("span", { class: small ? "vh" : "" }, t("page/tray/fix")),
    ],
    () => actions.fix(dice, offered(state), ways),
    { key: "fix" },
  );
}

/** @param {State} state @param {TrayActions} actions @param {boolean} small: its words are for screen readers only */
function undoButton(state, actions, small) {
  if (!can(state, "undo") || !state.undo) return null;
  const sign = h("span.undo-sign", { "aria-hidden": "true" }, "↶");
  const words = [h("b", t("page/tray/undo")), " ", unbroken(state.undo)];
  return button(`undo${small ? " small" : ""}`, [sign, h("span", { class: small ? "vh" : "" }, words)], actions.undo, { key: "undo" });
}

/** @param {State} state @param {TrayActions} actions @param {boolean} tiled: undo stands beside the step @param {Children} more */
export function undo(state, actions, tiled, more) {
  const back = tiled ? null : undoButton(state, actions, false);
  const fix = tiled ? null : pencil(state, actions, false);
  const type = can(state, "enter_roll");
  if (!back && !fix && !type && !more) return null;
  return h(
    "div.aids",
    more,
    back,
    fix,
    type ? h("button.undo.type", { key: "type", onclick: () => actions.type() }, h("span", t("page/common/type"))) : null,
  );
}

// The five hold buttons and confirm, as on the real table: same lamps, same long press. Not after a game, when they have no
// meaning of their own.
/** @param {State} state @param {TrayActions} actions @param {PartTools} tools */
export function tableButtons(state, actions, tools) {
  if (!can(state, "press") || state.phase === "lobby" || state.finished) return null;
  const first = Math.max(1, ...parts.map((part) => part.buttonsFrom?.(state) ?? 1)) - 1;
  const lamps = state.dice.slice(first, first + 5);
  return h(
    "div.table-buttons",
    Array.from({ length: 5 }, (_, index) => {
      const lit = lamps[index]?.held;
      return h(
        "button",
        {
          key: index,
          class: `hold-button${lit ? " lit" : ""}`,
          "aria-pressed": lit ? "true" : "false",
          "aria-label": t("page/tray/button", { n: first + index + 1 }),
          onclick: () => actions.press(`hold-${index + 1}`, false),
        },
        h("span", { "aria-hidden": "true" }, first + index + 1),
      );
    }),
    parts.map((part) => part.buttons?.(state, tools)),
    h(
      "button.confirm-button",
      {
        key: "confirm",
        "aria-label": t("page/tray/button_confirm"),
        ...actions.longPress(),
      },
      h("span", { "aria-hidden": "true" }, "✓"),
    ),
  );
}
