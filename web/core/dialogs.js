// The questions a page asks: correct a die, type a roll, start a game, add a player, be sure.

import { button, byId, failure, h, NAME_MAX, paint } from "./dom.js";
import { die } from "./dice.js";
import { t } from "./words.js";

/** Draws what is open anew, where it shows what stands at the table. */
export let redraw = () => {};

/** @returns {HTMLDialogElement} */
const there = () => byId("dialog");

/** Stands for the one that is open: an answer that comes late neither closes nor draws another. */
let shown = {};

/**
 * `draw` says whether it is shown: else what would stand in it has to be said elsewhere.
 * @param {string} title
 * @param {(draw: () => boolean, close: () => void) => Children} content
 * @param {string} looks: a class of the dialog
 * @param {boolean} follows: it changes with the table
 */
export function open(title, content, looks = "", follows = false) {
  const dialog = there();
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  const mine = {};
  shown = mine;
  const close = () => {
    if (shown === mine) dialog.close();
  };
  dialog.onkeydown = null; // the faces of a roll that was typed
  dialog.className = looks;
  const draw = () => {
    if (shown !== mine) return false;
    paint(dialog, [
      h(
        "div.dialog-head",
        h("h2", { id: "dialog-title" }, title),
        h("button.close", { "aria-label": t("page/dialog/close"), onclick: close }, h("span", { "aria-hidden": "true" }, "×")),
      ),
      h("div.dialog-body", content(draw, close)),
    ]);
    return true;
  };
  redraw = () => follows && dialog.open && draw();
  paint(dialog, []);
  draw();
  // The event of a dialog that was closed to open this one comes late, and is not for this one.
  dialog.onclose = () => {
    if (dialog.open) return;
    shown = {};
    paint(dialog, []);
    if (before?.isConnected) before.focus();
    // What it was opened with may have gone meanwhile, or be switched off: a keyboard goes on at the headline.
    if (before !== document.body && document.activeElement === document.body)
      document.getElementById("waiting")?.focus({ preventScroll: true });
  };
  if (dialog.open)
    dialog.querySelector("button")?.focus(); // what was pressed to open it is gone
  else dialog.showModal();
  dialog.scrollTop = 0; // the one before may have been read to its end
}

/** @param {(face: number) => unknown} choose @param {{ first?: number[], now?: number }} order */
function facePad(choose, { first = [], now } = {}) {
  const order = [...first, ...[1, 2, 3, 4, 5, 6].filter((face) => !first.includes(face))];
  return h(
    "div.face-pad",
    { role: "group", "aria-label": t("page/dialog/faces") },
    order.map((face) =>
      h(
        "button",
        {
          key: face,
          class: `face${face === now ? " chosen" : ""}`,
          "data-face": face,
          "aria-label": String(face),
          onclick: () => choose(face),
        },
        die(face, { label: "" }),
        h("b", { "aria-hidden": "true" }, face),
      ),
    ),
  );
}

// What a face is most often taken for: one pip hidden or one too many, then the look-alikes 2/3, 4/5, 5/6.
/** @type {Record<number, number[]>} */
export const LIKELY = { 1: [2, 3], 2: [3, 1], 3: [2, 5], 4: [5, 6], 5: [4, 3], 6: [5, 4] };

/**
 * Ask for one face, then close the dialog.
 * @param {string} title @param {string | null} lead @param {(face: number) => unknown} choose @param {{ first?: number[], now?: number }} order
 * @param {(close: () => void) => Children} more: below the faces
 */
export function askFace(title, lead, choose, order = {}, more = () => null) {
  open(title, (_, close) => [
    lead ? h("p.lead", lead) : null,
    facePad((face) => {
      close();
      choose(face);
    }, order),
    more(close),
  ]);
}

/** @param {Api.DieView} item @param {(face: number) => void} choose @param {(() => void) | null} none: for what is no die */
export function correctDie({ slot, face: now }, choose, none) {
  const first = LIKELY[now] ? [...LIKELY[now], now] : [];
  askFace(t("page/dialog/correct", { slot }), t("page/dialog/correct_how", { face: now }), choose, { first, now }, (close) =>
    none
      ? h(
          "div.steps",
          button("second wide", t("page/dialog/no_die"), () => {
            close();
            none();
          }),
        )
      : null,
  );
}

/**
 * What is wrong about the dice: one of them, or another way to put it right.
 * @param {Api.DieView[]} dice @param {(item: Api.DieView) => void} correct @param {[string, string, () => unknown][]} ways
 */
export function fixDie(dice, correct, ways) {
  open(t("page/tray/fix"), (_, close) => {
    /** @param {() => unknown} act */
    const then = (act) => () => {
      close();
      act();
    };
    return [
      dice.length
        ? [
            h("p.lead", t("page/dialog/which_die")),
            h(
              "ul",
              { class: `dice typed${dice.length > 5 ? " ten" : ""}` },
              dice.map((item) =>
                h(
                  "li.slot",
                  { key: item.slot },
                  button(
                    "hold",
                    die(item.face, { label: "", kind: `body-${item.colour || "ivory"}` }),
                    then(() => correct(item)),
                    {
                      "aria-label": t("page/tray/correct", { slot: item.slot, face: item.face }),
                    },
                  ),
                ),
              ),
            ),
          ]
        : null,
      h(
        "ul.menu",
        ways.map(([command, label, act]) => h("li", { key: command }, button("", label, then(act)))),
      ),
    ];
  });
}

/** @param {(face: number) => void} choose */
export const missedDie = (choose) => askFace(t("page/dialog/missed"), null, choose);

// The whole roll by hand. `keep` are held faces by slot: they stay; the dialog asks for the others.
/**
 * @param {{ slots: { held: boolean, colour?: string | null }[], faces: (number | undefined)[], title?: string, fault?: string }} roll_: fault: why it was not taken
 * @param {(faces: number[]) => void} done
 */
export function typeRoll({ slots, faces, title, fault = "" }, done) {
  const roll = [...faces];
  const firstFree = Math.max(
    0,
    slots.findIndex((slot) => !slot.held),
  );
  const unknown = slots.findIndex((slot, index) => !roll[index] && !slot.held);
  let place = unknown >= 0 ? unknown : firstFree;
  /** @param {number} face @param {() => void} draw */
  const choose = (face, draw) => {
    roll[place] = face;
    const next = slots.findIndex((slot, index) => !roll[index] && !slot.held);
    place = next < 0 ? Math.min(place + 1, slots.length - 1) : next;
    draw();
  };
  open(title || t("page/common/type"), (draw, close) => {
    there().onkeydown = (event) => {
      if (/^[1-6]$/.test(event.key)) {
        event.preventDefault();
        choose(Number(event.key), draw);
      }
    };
    const complete = slots.every((_, index) => roll[index]);
    const take = () => {
      close();
      done(roll.map(Number));
    };
    return [
      failure(fault),
      h(
        "ol.dice.typed",
        slots.map((slot, index) =>
          h(
            "li",
            { class: `slot${slot.held ? " held" : ""}${index === place ? " at" : ""}`, key: index },
            h(
              "button.hold",
              {
                disabled: slot.held,
                "aria-current": index === place ? "true" : null,
                "aria-label": slot.held
                  ? t("page/dialog/die_held", { slot: index + 1, face: roll[index] || "?" })
                  : roll[index]
                    ? t("page/dialog/die_typed", { slot: index + 1, face: roll[index] })
                    : t("page/dialog/die_untyped", { slot: index + 1 }),
                onclick: () => {
                  place = index;
                  draw();
                },
              },
              die(roll[index], { label: "", kind: slot.colour ? `body-${slot.colour}` : roll[index] ? "" : "blank" }),
            ),
          ),
        ),
      ),
      facePad((face) => choose(face, draw)),
      h(
        "div.steps",
        button("quiet", t("page/dialog/clear"), () => {
          slots.forEach((slot, index) => {
            if (!slot.held) roll[index] = undefined;
          });
          place = firstFree;
          draw();
        }),
        button("first", t("page/dialog/take"), take, { disabled: !complete }),
      ),
    ];
  });
}

// Who presses Enter without looking has said no.
/** @param {string} title @param {Children} text @param {string} yes @param {() => unknown} act */
export function ask(title, text, yes, act) {
  open(title, (_, close) => [
    text ? h("div.lead", text) : null,
    h(
      "div.steps",
      button("quiet", t("page/dialog/cancel"), close, { id: "cancel" }),
      button("first", yes, () => {
        close();
        act();
      }),
    ),
  ]);
  byId("cancel").focus();
}

// `act` gives null once it is done, else why not: that is shown, and what was typed stays.
/** @param {string} title @param {string} label @param {string} yes @param {(text: string, draw: () => boolean) => Promise<string | null>} act */
export function askName(title, label, yes, act) {
  let value = "";
  let fault = "";
  open(title, (draw, close) =>
    h(
      "form.stack",
      {
        onsubmit: async (event) => {
          event.preventDefault();
          fault = (await act(value, draw)) ?? "";
          if (fault) draw();
          else close();
        },
      },
      h("label", { for: "ask-text" }, label),
      failure(fault),
      h("input", {
        id: "ask-text",
        type: "text",
        maxlength: NAME_MAX,
        autocomplete: "off",
        required: true,
        oninput: (event) => {
          value = event.currentTarget.value;
        },
      }),
      h("div.steps", h("button.first", { type: "submit" }, yes)),
    ),
  );
  byId("ask-text").focus();
}

/** @param {string} source */
export function picture(source) {
  open(t("page/common/camera_sees"), () => h("img.big-picture", { src: source, alt: t("page/dialog/picture") }), "wide");
}
