// What every screen says while one asks to be host: who holds the button should know whose request it answers.

import { h } from "./dom.js";
import { t } from "./words.js";

/** @param {PublicRoom} room @param {Api.You | null} you @returns {Children} */
export function requested(room, you) {
  if (!room.asking) return [];
  return [
    h("b", t("page/common/role_asked")),
    you?.number ? [" · ", h("span.asked-number", t("page/common/type_number", { number: you.number }))] : null,
    you?.button ? [" · ", t("page/common/hold_confirm")] : null,
  ];
}
