// The status line of one of the station's devices.

import { h } from "./dom.js";

/** A sentence begins with a capital; a path or an address stays as it is. @param {Api.DeviceView} device */
export const device = ({ name, message }) =>
  h("p", { class: /^(?!https?:)\p{L}/u.test(name) ? "begins" : "" }, name, message ? `: ${message}` : "");
