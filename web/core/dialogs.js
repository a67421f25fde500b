// The dialogs of a page: correct a die, type a roll, enter a name, confirm.

import { button, byId, failure, h, NAME_MAX, paint } from "./dom.js";
import { die } from "./dice.js";
import { t } from "./words.js";

/** Redraws the open dialog, if it depends on the table. */
export let redraw = () => {};

/** @returns {HTMLDialogElement} */
const there = () => byId("dialog");

/** Identifies the open dialog: a late response must not close or redraw another one. */
let current = {};

/**
 * Opens a dialog. `draw` returns false once it is closed: its caller then shows the message elsewhere.
 * @param {string} title
 * @param {(draw: () => boolean, close: () => void) => Children} content
 * @param {string} looks: a class of the dialog
 * @param {boolean} follows: redraw it when the table changes
 */
export function open(title, content, looks = "", follows = false) {
  const dialog = there();
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  const mine = {};
  current = mine;
  const close = () => {
    if (current === mine) dialog.close();
  };
  dialog.onkeydown = null; // of the dialog for typing a roll
  dialog.className = looks;
  const draw = () => {
    if (current !== mine) return false;
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
  // Closing one dialog to open the next sends a late event, which is not for the new one.
  dialog.onclose = () => {
    if (dialog.open) return;
    current = {};
    paint(dialog, []);
    if (before?.isConnected) before.focus();
    // The opening button may be gone or disabled: the focus then moves to the headline.
    if (before !== document.body && document.activeElement === document.body)
      document.getElementById("waiting")?.focus({ preventScroll: true });
  };
  if (dialog.open)
    dialog.querySelector("button")?.focus(); // the button that opened it is gone
  else dialog.showModal();
  dialog.scrollTop = 0; // the last dialog may have been scrolled
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

// The faces that each face is most often confused with: one pip hidden or one too many, then the look-alikes 2/3, 4/5, 5/6.
/** @type {Record<number, number[]>} */
export const LIKELY = { 1: [2, 3], 2: [3, 1], 3: [2, 5], 4: [5, 6], 5: [4, 3], 6: [5, 4] };

/**
 * Asks for one face, then closes the dialog.
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

/** @param {Api.DieView} item @param {(face: number) => void} choose @param {(() => void) | null} none: for an object that is no die */
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
 * Asks which die is wrong, or offers the other corrections.
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

/**
 * Asks for a whole roll; held dice keep their faces.
 * @param {{ slots: { held: boolean, colour?: string | null }[], faces: (number | undefined)[], title?: string, fault?: string }} roll_: fault: why it was refused before
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

// Asks for a confirmation. Cancel has the focus, so that a careless Enter changes nothing.
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

// Asks for a name. `act` returns null for success, else the message to show; the typed name stays.
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
