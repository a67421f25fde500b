// The commands that taps on the dice and on the steps of a turn send.

import * as dialogs from "./dialogs.js";
import * as tray from "./tray.js";
import { rollOf, wayOf } from "./turns.js";

const LONG_PRESS_MS = Number(document.getElementById("buttons")?.dataset.longPressMs); // as for the buttons on the table

/** @param {TablePage} page @param {TapTools} tools @returns {TrayActions} */
export function taps(page, { command, inTurn, dialogCommand, whose, diceOf }) {
  // The current press of confirm; the page may be redrawn under the finger. pressed: the version at which it began.
  let timer = 0;
  let long = false;
  let pressed = {};
  /** @type {TrayActions} */
  const actions = {
    hold(slot) {
      const mine = whose(); // of the copy on screen now: it may be another when the tap is sent
      inTurn(() => command("set_held", { slots: tray.toggled(page.state ? diceOf(page.state, mine.player) : [], slot), ...mine }));
    },
    fix(dice, offered, ways) {
      const answer = dialogCommand();
      dialogs.fixDie(dice, (item) => actions.correct(item, offered, answer), ways);
    },
    correct(item, offered, answer = dialogCommand()) {
      dialogs.correctDie(
        item,
        (face) => answer("correct_die", { slot: item.slot, face }),
        offered && page.state?.commands.includes("not_a_die") ? () => answer("not_a_die", { slot: item.slot }) : null,
      );
    },
    missed() {
      const answer = dialogCommand();
      dialogs.missedDie((face) => answer("missed_die", { face }));
    },
    again: () => command("read_again"),
    accept: () => command("accept_roll"),
    throw() {
      const send = () => command((page.state && tray.throwsBy(page.state)) || "throw");
      page.state?.phase === "holding" ? inTurn(send) : send(); // behind queued holds; outside that, a second tap does not throw again
    },
    undo: () => command("undo"),
    keep: () => command("keep_roll"),
    rematch: (order) => command("rematch", { order }),
    // Confirm is not queued: a hasty second press would write a 0 before anybody has read the warning.
    press: (button, held) => {
      const press = { button, long: held };
      return button === "confirm" ? command("press", { ...press, ...pressed }) : inTurn(() => command("press", press));
    },
    force: () => command("accept_roll", { force: true }),
    type(typed, fault) {
      const { state } = page;
      if (!state) return;
      const answer = dialogCommand();
      const slots = Array.from({ length: state.dice_count }, (_, index) => ({
        held: Boolean(state.dice[index]?.held),
        colour: wayOf(state) ? state.dice[index]?.colour : null,
      }));
      const offer = state.reading.dice;
      const seen = offer.length ? offer.map((item) => item.face) : state.throws_done ? [] : state.reading.faces;
      const faces = slots.map((slot, index) => (slot.held ? state.dice[index].face : (typed || seen)[index]));
      dialogs.typeRoll({ slots, faces, fault }, (roll) =>
        answer("enter_roll", { faces: roll }, ({ message }) => {
          if (document.querySelector("dialog[open]") || rollOf(page.state) !== rollOf(state)) return false;
          actions.type(roll, message);
          return true;
        }),
      );
    },
    longPress() {
      const down = () => {
        long = false;
        pressed = { version: page.state?.version };
        clearTimeout(timer);
        timer = window.setTimeout(() => {
          long = true;
          actions.press("confirm", true);
        }, LONG_PRESS_MS);
      };
      const up = () => clearTimeout(timer);
      return {
        onpointerdown: down,
        onpointerup: up,
        onpointerleave: up,
        oncontextmenu: (/** @type {Event} */ event) => event.preventDefault(),
        onclick: () => {
          if (!long) actions.press("confirm", false);
          long = false;
          pressed = {}; // a key sends no pointer event before its click
        },
      };
    },
  };
  return actions;
}
