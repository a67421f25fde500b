// What taps on the dice and on the steps of a turn ask the station for.

import * as dialogs from "./dialogs.js";
import * as tray from "./tray.js";
import { rollOf, wayOf } from "./turns.js";

const LONG_PRESS_MS = Number(document.getElementById("buttons")?.dataset.longPressMs); // as on the real table

/** @param {TablePage} page @param {TapTools} tools @returns {TrayActions} */
export function taps(page, { command, inTurn, asked, whose, shownDice }) {
  // Of the press of confirm under way: the page is drawn anew under the finger. meant: for the state it began at.
  let timer = 0;
  let long = false;
  let meant = {};
  /** @type {TrayActions} */
  const actions = {
    hold(slot) {
      const mine = whose(); // also if another copy is looked up before it is sent
      inTurn(() => command("set_held", { slots: tray.toggled(page.state ? shownDice(page.state, mine.player) : [], slot), ...mine }));
    },
    fix(dice, offered, ways) {
      const answer = asked();
      dialogs.fixDie(dice, (item) => actions.correct(item, offered, answer), ways);
    },
    correct(item, offered, answer = asked()) {
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
    throw() {
      const send = () => command((page.state && tray.throwsBy(page.state)) || "throw");
      page.state?.phase === "holding" ? inTurn(send) : send(); // dice may just have been held; a second tap throws once
    },
    undo: () => command("undo"),
    keep: () => command("keep_roll"),
    rematch: (order) => command("rematch", { order }),
    // Confirm is not kept: a second one in haste would take a box worth nothing before the warning is read.
    press: (button, held) => {
      const asked = { button, long: held };
      return button === "confirm" ? command("press", { ...asked, ...meant }) : inTurn(() => command("press", asked));
    },
    force: () => command("accept_roll", { force: true }),
    type(typed, fault) {
      const { state } = page;
      if (!state) return;
      const answer = asked();
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
        meant = { version: page.state?.version };
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
          meant = {}; // a key goes down with its click
        },
      };
    },
  };
  return actions;
}
