// Who wants hints, and who agrees to them on the big screen.

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
  // Where roles are given, others' wishes are theirs to change.
  /** @param {string} name */
  const mine = (name) => !page.room.roles || page.you?.seat === name || ["host", "scorekeeper"].includes(page.you?.role ?? "");
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
        !gone && h("fieldset.choices", { key: name, disabled: !mine(name) }, h("legend", { translate: "no" }, name), ticks(name)),
    ),
  ];
  dialogs.open(t("page/hint/menu"), content, "", true);
}
