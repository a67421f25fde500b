// A great throw: its call, and its film to download, if the camera saw it.

import { h } from "./dom.js";
import { t } from "./words.js";

/** @type {PagePart} */
export const part = {
  call: ({ great }) => great,
  aids: ({ great, dice }) =>
    great && dice.some((item) => item.colour)
      ? h("a.quiet.button", { key: "film", href: "/api/v1/film.webp", download: "yacht.webp" }, t("page/tray/keep_film"))
      : null,
};
