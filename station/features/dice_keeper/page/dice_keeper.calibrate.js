// The dice keeper, an area of the tray in which dice are held. It is part of the profile in use.

import { h } from "./dom.js";
import { t } from "./words.js";
import { figure, points } from "./calibration_picture.js";
import { toPixels } from "./corners.js";

/** The usual place, along the right side. @type {Point[]} */
const USUAL = [
  [0.7, 0.15],
  [0.8, 0.15],
  [0.8, 0.85],
  [0.7, 0.85],
];

/** @param {import("./calibrated.js").Tools} tools */
function card({ page, info, act, button, fault, draw }) {
  if (!info.active || !info.size_wh) return null;
  const size = info.size_wh;
  const begin = () => {
    const marked = info.keeper?.length === 4 ? info.keeper.map(([x, y]) => [x / size[0], y / size[1]]) : USUAL.map(([x, y]) => [x, y]);
    Object.assign(page, { area: true, edit: { corners: marked, held: null, size_wh: size } });
    draw();
    figure().scrollIntoView({ block: "nearest" });
  };
  const end = () => {
    Object.assign(page, { area: false, edit: null });
    draw();
  };
  /** @param {Point[] | null} corners */
  const mark = async (corners) => {
    if (await act("keeper", "/keeper", { corners })) end();
  };
  const edit = page.area ? page.edit : null;
  return h(
    "section.card",
    { key: "keeper", id: "keeper" },
    h("h2", t("page/calibrate/keeper")),
    h("p", t(edit ? "page/calibrate/keeper_drag" : "page/calibrate/keeper_how")),
    h(
      "p.links",
      edit
        ? [
            button("keeper", t("page/calibrate/keeper_take"), () => mark(toPixels(edit))),
            h("button.quiet", { key: "back", onclick: end }, t("page/dialog/cancel")),
          ]
        : [
            button("keeper", t("page/calibrate/keeper_mark"), begin, "second"),
            info.keeper ? button("keeper", t("page/calibrate/keeper_none"), () => mark(null), "quiet") : null,
          ],
    ),
    fault("keeper"),
  );
}

/** @type {CalibrationPart} */
export const part = {
  card,
  marks: ({ keeper }) => (keeper ? [h("polygon.cal-keeper", { key: "keeper", points: points(keeper) })] : []),
};
