// The menu: everything but the next step.

import { button, failure, h } from "./dom.js";
import { t } from "./words.js";
import { changeRoom, faultOf, inOrder } from "./api.js";
import * as dialogs from "./dialogs.js";
import { choices, tick } from "./choices.js";
import * as prefs from "./prefs.js";
import { say } from "./refusal.js";
import * as controls from "./controls.js";

/** @param {() => void} draw */
export const look = (draw) => [
  choices(
    "theme",
    t("page/look/theme"),
    prefs.theme(),
    [
      ["system", t("page/look/system")],
      ["light", t("page/look/light")],
      ["dark", t("page/look/dark")],
    ],
    (value) => {
      prefs.setTheme(value);
      draw();
    },
  ),
  choices("language", t("page/look/language"), document.documentElement.lang, prefs.languages(), prefs.setLanguage),
];

/** The thumb that a phone's buttons are placed for. @param {() => void} draw */
const hand = (draw) =>
  choices(
    "hand",
    t("page/look/hand"),
    prefs.cookie("hand"),
    [
      ["left", t("page/look/left")],
      ["", t("page/look/right")],
    ],
    (side) => {
      prefs.setHand(side);
      draw();
    },
  );

/** How loud this screen is, and when it is quiet. @param {() => void} draw */
const sound = (draw) => [
  choices(
    "volume",
    t("page/voice/volume"),
    prefs.loudness(),
    [
      ["off", t("page/voice/off")],
      ["low", t("page/voice/low")],
      ["", t("page/voice/full")],
    ],
    (value) => {
      prefs.remember("volume", value);
      draw();
    },
  ),
  choices(
    "quiet",
    t("page/voice/quiet"),
    prefs.quietHours(),
    [
      ["", t("page/voice/never")],
      ...["20-7", "21-7", "22-7", "23-8"].map((hours) => /** @type {Labelled} */ ([hours, hours.replace("-", " – ")])),
    ],
    (value) => {
      prefs.remember("quiet", value);
      draw();
    },
  ),
];

/** @typedef {{ command: Command, dialogCommand: () => Command, draw: () => void }} Tools */

let fault = ""; // of the last switch in the menu
let redraw = () => true; // of the open menu

/** @param {TablePage} page @param {string} path @param {object} body */
async function changeSwitch(page, path, body) {
  fault = await faultOf(() => inOrder(() => changeRoom(page, path, body)));
  if (!redraw() && fault) say(fault);
}

/** Opens a dialog whose script is loaded first, unless another was opened meanwhile. @template T @param {Promise<T>} part @param {(part: T) => unknown} use */
const openLoaded = (part, use) =>
  part.then(
    (each) => document.querySelector("dialog[open]") || use(each),
    () => say(t("page/line/not_done")),
  );

/** @param {SheetPage} page @param {State} state @param {Tools} tools */
function show(page, state, tools) {
  /** @param {string} command */
  const can = (command) => state.commands.includes(command);
  fault = "";
  dialogs.open(t("page/common/menu"), (draw, close) => {
    redraw = draw;
    /** @param {string} label @param {() => unknown} act @param {boolean} danger */
    const item = (label, act, danger = false) =>
      h(
        "li",
        button(danger ? "danger" : "", label, () => {
          close();
          act();
        }),
      );
    /** @param {string} href @param {string} label */
    const link = (href, label) => h("li", h("a", { href }, label));
    return [
      h(
        "ul.menu",
        can("add_player") && state.phase !== "lobby"
          ? item(t("page/menu/add_player"), () =>
              dialogs.askName(t("page/menu/add_player"), t("page/common/name"), t("page/first/add"), async (name, there) => {
                let fault = null;
                await tools.command("add_player", { name, version: undefined }, (why) => {
                  fault = why.message;
                  return there();
                });
                return fault;
              }),
            )
          : null,
        can("rename_player")
          ? item(t("page/people/title"), () => openLoaded(import("./people.js"), (people) => people.open(page, tools.command)))
          : null,
        state.players.length && state.phase !== "lobby"
          ? item(t("page/hint/menu"), () => openLoaded(import("./hints_menu.js"), (wishes) => wishes.open(page, tools.draw)))
          : null,
        item(t("page/scorekeeper/title"), () => openLoaded(import("./scorekeeper_menu.js"), (keeping) => keeping.open(page, tools.draw))),
        can("end_game")
          ? item(
              t("page/menu/end_now"),
              () => {
                const answer = tools.dialogCommand();
                /** @type {number[]} */
                let winners = [];
                const there = state.players.flatMap(({ name, gone }, seat) =>
                  gone ? [] : [/** @type {Labelled} */ ([String(seat), name])],
                );
                const who = choices("winner", t("page/menu/who_won"), "", [["", t("page/menu/nobody")], ...there], (seat) => {
                  winners = seat ? [Number(seat)] : [];
                });
                dialogs.ask(t("page/menu/end_sure"), [t("page/menu/end_told"), there.length > 1 && who], t("page/menu/end"), () =>
                  answer("end_game", { winners }),
                );
              },
              true,
            )
          : null,
        link("/join", page.you?.seat ? t("page/menu/belongs", { name: page.you.seat }) : t("page/menu/seat")),
        link("/tv", t("page/menu/tv")),
        link("/history", t("page/common/past")),
        link("/setup", t("page/common/setup")),
        link("/health", t("page/common/health")),
      ),
      failure(fault),
      tick(t("page/common/announces"), Boolean(page.you?.voice), (on) => changeSwitch(page, "voice", { on })),
      tick(t("page/voice/tv"), Boolean(page.room.tv_voice), (on) => changeSwitch(page, "voice", { on, tv: true })),
      page.room.voice
        ? tick(t("page/voice/needs"), Boolean(page.room.needs_aloud), (on) => changeSwitch(page, "needs-aloud", { on }))
        : null,
      ...(page.you?.voice ? sound(draw) : []),
      ...look(draw),
      hand(draw),
    ];
  });
}

/** Opens the menu, as soon as there is a state. @param {SheetPage} page @param {Tools} tools */
export function open(page, tools) {
  if (page.state) show(page, controls.seenBy(page.state, page.refused), tools);
  else setTimeout(() => open(page, tools), 100);
}
