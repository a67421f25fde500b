// The switches for hints, of each player and on the big screen.

import { failure, h } from "./dom.js";
import { t } from "./words.js";
import { changeRoom, faultOf, inOrder } from "./api.js";
import { tick } from "./choices.js";
import { say } from "./refusal.js";
import * as dialogs from "./dialogs.js";

/** @param {TablePage} page @param {() => void} redraw */
export function open(page, redraw) {
  let fault = "";
  let draw = () => true;
  /** @param {object} body */
  const wish = async (body) => {
    fault = await faultOf(() => inOrder(() => changeRoom(page, "hints", body)));
    redraw();
    if (fault && !draw()) say(fault);
  };
  /** Whether this screen may switch hints for others: with roles, host and scorekeeper may. */
  const leads = () => Boolean(page.room.roles) && ["host", "scorekeeper"].includes(page.you?.role ?? "");
  /** Whether this screen lists a player: one with a seat lists its own player only, a shared one lists all. @param {string} name */
  const listed = (name) => leads() || !page.you?.seat || page.you.seat === name;
  /** @param {string} name */
  const ticks = (name) => [
    tick(t("page/hint/mine"), page.room.hints?.includes(name), (on) => wish({ name, on })),
    tick(t("page/hint/on_tv"), page.room.tv_hints?.includes(name), (on) => wish({ name, on, tv: true })),
  ];
  /** @param {() => boolean} drawn */
  const content = (drawn) => {
    draw = drawn;
    return contents();
  };
  const contents = () => [
    h("p.aside", t("page/hint/how")),
    failure(fault),
    page.state?.players.map(
      ({ name, gone }) =>
        !gone &&
        listed(name) &&
        h(
          "fieldset.choices",
          { key: name, disabled: page.room.roles && !page.you?.seat && !leads() },
          h("legend", { translate: "no" }, name),
          ticks(name),
        ),
    ),
  ];
  dialogs.open(t("page/hint/menu"), content, "", true);
}
