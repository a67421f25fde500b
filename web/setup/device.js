// The status line of one of the station's devices, and the picture of the tray.

import { h } from "./dom.js";
import { t } from "./words.js";

/** A sentence begins with a capital; a path or an address stays as it is. @param {Api.DeviceView} device */
export const device = ({ name, message }) =>
  h("p", { class: /^(?!https?:)\p{L}/u.test(name) ? "begins" : "" }, name, message ? `: ${message}` : "");

/** @param {boolean} hidden @returns {(event: Event) => void} */
const hide = (hidden) => (event) => {
  /** @type {HTMLElement} */ (event.currentTarget).hidden = hidden;
};

/** The picture of the tray, if there is one. @param {number} time: of the request, in milliseconds */
export const trayPicture = (time) =>
  h("img.picture", { src: `/api/v1/frame.jpg?width=640&at=${time}`, alt: t("page/common/tray"), onload: hide(false), onerror: hide(true) });
