// What taps on the dice and on the steps of a turn ask the station for.

import * as dialogs from "./dialogs.js";
import * as tray from "./tray.js";

/** @typedef {{ timer: number, long: boolean, meant: { version?: number } }} Press: one of a button; meant: for which state */

const LONG_PRESS_MS = 700; // as on the real table: long enough not to happen by chance

/** @param {TablePage} page @param {TapTools} tools @returns {tray.Actions} */
export function taps(page, { command, inTurn, asked, whose, shownDice }) {
  /** Presses by their buttons: the page is drawn anew while a finger is down. @type {Record<string, Press>} */
  const presses = {};
  /** @type {tray.Actions} */
  const actions = {
    hold: (slot) => inTurn(() => command("set_held", { slots: tray.toggled(page.state ? shownDice(page.state) : [], slot), ...whose() })),
    correct(item, offered) {
      const answer = asked();
      dialogs.correctDie(
        item,
        (face) => answer("correct_die", { slot: item.slot, face }),
        offered && page.state?.commands.includes("not_a_die") ? () => answer("not_a_die", { slot: item.slot }) : null,
      );
    },
    missed() {
      const answer = asked();
      dialogs.missedDie((face) => answer("missed_die", { face }));
    },
    again: () => command("read_again"),
    accept: () => command("accept_roll"),
    throw: () => command(page.state && tray.can(page.state, "draw_roll") ? "draw_roll" : "throw"),
    undo: () => command("undo"),
    keep: () => command("keep_roll"),
    bank: () => inTurn(() => command("change_bank")),
    rematch: (order) => command("rematch", { order }),
    // Confirm is not kept: a second one in haste would take a box worth nothing before the warning is read.
    press: (button, long, meant = {}) =>
      button === "confirm" ? command("press", { button, long, ...meant }) : inTurn(() => command("press", { button, long })),
    force: () => command("accept_roll", { force: true }),
    type() {
      const { state } = page;
      if (!state) return;
      const answer = asked();
      const slots = Array.from({ length: state.dice_count }, (_, index) => ({
        held: Boolean(state.dice[index]?.held),
        colour: state.simultaneous ? state.dice[index]?.colour : null,
      }));
      const offer = state.reading.dice;
      const seen = offer.length ? offer.map((item) => item.face) : state.throws_done ? [] : state.reading.faces;
      const faces = slots.map((slot, index) => (slot.held ? state.dice[index].face : seen[index]));
      dialogs.typeRoll({ slots, faces }, (roll) => answer("enter_roll", { faces: roll }));
    },
    longPress(button) {
      presses[button] = presses[button] ?? { timer: 0, long: false, meant: {} };
      const press = presses[button];
      const down = () => {
        clearTimeout(press.timer);
        // It is meant for what stands there when the finger goes down.
        Object.assign(press, { long: false, meant: page.state ? { version: page.state.version } : {} });
        press.timer = window.setTimeout(() => {
          press.long = true;
          actions.press(button, true, press.meant);
        }, LONG_PRESS_MS);
      };
      const up = () => clearTimeout(press.timer);
      return {
        onpointerdown: down,
        onpointerup: up,
        onpointerleave: up,
        oncontextmenu: (/** @type {Event} */ event) => event.preventDefault(),
        onclick: () => {
          if (!press.long) actions.press(button, false, press.meant);
          Object.assign(press, { long: false, meant: {} }); // a key that is pressed goes down with the click
        },
      };
    },
  };
  return actions;
}
