// The steps of calibration: find the tray, learn the empty tray, check the light, learn the dice, use the profile.

import { h } from "./dom.js";
import { number, t } from "./words.js";
import { START, toPixels } from "./corners.js";
import { field } from "./choices.js";
import { lightMap } from "./lightmap.js";

/** @typedef {import("./calibrated.js").Tools} Tools */

/** @param {number} number @param {string} title @param {{ done: boolean, now: boolean, children: Children }} about */
function step(number, title, { done, now, children }) {
  return h(
    "li",
    { key: `step-${number}`, class: `card cal-step${now ? " now" : ""}${done ? " done" : ""}`, "aria-current": now ? "step" : null },
    h(
      "h2",
      h("span.cal-number", { "aria-hidden": "true" }, done ? "✓" : number),
      h("span", title),
      done ? h("span.vh", ` (${t("page/calibrate/done")})`) : null,
    ),
    children,
  );
}

/** The button of a step; less prominent once the step is done. @param {Tools} tools @param {string} where @param {boolean} done @param {string} again @param {string} first */
const go = ({ act, button }, where, done, again, first) =>
  button(where, done ? again : first, () => act(where, `/${where}`), done ? "quiet" : "first");

/** @param {Tools["page"]} page @param {string} where @param {string} label */
const submit = (page, where, label) =>
  h("button.first", { key: "take", type: "submit", disabled: Boolean(page.busy) }, page.busy === where ? t("page/common/moment") : label);

/** @param {Tools} tools @param {import("./corners.js").Edit} edit */
function byHand({ page, act, fault, draw }, edit) {
  /** @param {Event} event */
  const take = async (event) => {
    event.preventDefault();
    if (await act("tray", "/tray", { corners: toPixels(edit), width_mm: Number(page.width) })) {
      page.edit = null;
      draw();
    }
  };
  return h(
    "form.stack",
    { key: "hand", onsubmit: take },
    h("p", t("page/calibrate/drag")),
    field("width", t("page/calibrate/width"), {
      type: "number",
      inputmode: "decimal",
      min: 30,
      max: 5000,
      step: "any",
      required: true,
      value: page.width,
      oninput: (event) => {
        page.width = event.currentTarget.value;
      },
    }),
    h(
      "p.links",
      submit(page, "tray", t("page/calibrate/take_corners")),
      h(
        "button.quiet",
        {
          key: "back",
          onclick: () => {
            page.edit = null;
            draw();
          },
        },
        t("page/calibrate/use_markers"),
      ),
    ),
    fault("tray"),
  );
}

/** @param {Tools} tools @param {boolean} now */
function findTray(tools, now) {
  const { page, info, fault, draw } = tools;
  const { tray, size_wh: size } = info;
  const hand = () => {
    /** @type {Point[]} */
    const corners = tray && size ? tray.outline.map(([x, y]) => [x / size[0], y / size[1]]) : START.map(([x, y]) => [x, y]);
    Object.assign(page, { area: false, edit: { corners, held: null, size_wh: size || [1280, 720] } });
    draw();
  };
  return step(1, t("page/calibrate/find"), {
    done: Boolean(tray),
    now,
    children:
      page.edit && !page.area
        ? byHand(tools, page.edit)
        : [
            tray
              ? h("p", { key: "message" }, tray.message)
              : [
                  h("p", { key: "how" }, t("page/calibrate/find_how")),
                  h(
                    "p.links",
                    { key: "print" },
                    h("a.second.button", { href: "/api/v1/calibration/page.pdf", target: "_blank" }, t("page/calibrate/print")),
                    h("a.quiet.button", { href: "/api/v1/calibration/page.svg", target: "_blank" }, t("page/calibrate/as_svg")),
                  ),
                ],
            h(
              "p.links",
              { key: "go" },
              go(tools, "tray", Boolean(tray), t("page/calibrate/find_again"), t("page/calibrate/find")),
              h("button.quiet", { key: "hand", onclick: hand }, t("page/calibrate/by_hand")),
            ),
            fault("tray"),
          ],
  });
}

/** @param {Tools} tools @param {boolean} now */
function emptyTray(tools, now) {
  const { page, info, act, button, fault } = tools;
  const { empty } = info;
  const pattern = page.faultAt === "empty" && page.code === "calibration/empty" && info.tray;
  return step(2, t("page/calibrate/empty"), {
    done: empty,
    now,
    children:
      now || empty
        ? [
            h("p", { key: "how" }, empty ? t("page/calibrate/empty_learnt") : t("page/calibrate/empty_how")),
            h(
              "p.links",
              { key: "go" },
              go(tools, "empty", empty, t("page/calibrate/learn_again"), t("page/common/tray_empty")),
              pattern ? button("empty", t("page/calibrate/pattern"), () => act("empty", "/empty", { surely_empty: true }), "second") : null,
            ),
            fault("empty"),
          ]
        : null,
  });
}

/** @param {Tools} tools */
function light({ page, info, act, button }) {
  const verdict = info.light;
  return step(3, t("page/calibrate/light"), {
    done: Boolean(verdict?.good),
    now: false,
    children: !verdict
      ? null
      : [
          verdict.good
            ? h("p", { key: "good" }, t("page/calibrate/light_good"))
            : h(
                "ul.cal-light",
                { key: "bad" },
                verdict.complaints.map((each) => h("li", { key: each.id }, h("b", each.what), " ", each.advice)),
              ),
          verdict.dim.length ? h("p.aside", { key: "where" }, t("page/calibrate/light_dim")) : null,
          lightMap(page.empty, info),
          verdict.held ? h("p.aside", { key: "held" }, verdict.held) : null,
          verdict.good
            ? null
            : h(
                "p.links",
                { key: "again" },
                button("light", t("page/calibrate/light_again"), () => act("empty", "/empty"), "second"),
              ),
        ],
  });
}

/** @param {NonNullable<Api.CalibrationReport["dice"]>} dice */
function diceWords({ count, edge_mm: [least, most], colours }) {
  const size = least === most ? number(least, 1) : `${number(least, 1)}–${number(most, 1)}`;
  return t("page/calibrate/dice_of", { count, size, colours: colours.map((colour) => t(`page/colour/${colour}`)) });
}

/** @param {Tools} tools @param {boolean} now */
function dice(tools, now) {
  const verdict = tools.info.dice;
  return step(4, t("page/calibrate/dice"), {
    done: Boolean(verdict),
    now,
    children:
      now || verdict
        ? [
            h("p", { key: "how" }, verdict ? diceWords(verdict) : t("page/calibrate/dice_how")),
            h(
              "p.links",
              { key: "go" },
              go(tools, "dice", Boolean(verdict), t("page/calibrate/dice_again"), t("page/calibrate/dice_these")),
            ),
            tools.fault("dice"),
          ]
        : null,
  });
}

/** @param {Tools} tools @param {boolean} now */
function use({ page, info, act, fault }, now) {
  /** @param {Event} event */
  const save = async (event) => {
    event.preventDefault();
    if (await act("save", "/save", { name: page.name.trim() || t("page/calibrate/default_name") }))
      document.getElementById("check")?.scrollIntoView({ block: "nearest" });
  };
  if (info.saved)
    return h(
      "li.card.cal-step.done",
      { key: "saved" },
      h("h2", h("span.cal-number", { "aria-hidden": "true" }, "✓"), h("span", t("page/calibrate/in_use"))),
      h("p", t("page/calibrate/reads_with", { name: info.active?.name || "" })),
    );
  return h(
    "li",
    { key: "use", class: `card cal-step${now ? " now" : ""}`, "aria-current": now ? "step" : null },
    h("h2", h("span.cal-number", { "aria-hidden": "true" }, "→"), h("span", t("page/calibrate/use"))),
    now
      ? h(
          "form.stack",
          { onsubmit: save },
          field("name", t("page/calibrate/place"), {
            maxlength: 40,
            value: page.name,
            oninput: (event) => {
              page.name = event.currentTarget.value;
            },
          }),
          h("p.links", submit(page, "save", t("page/calibrate/use"))),
          fault("save"),
        )
      : null,
  );
}

/** All steps. @param {Tools} tools @param {number} at: the number of the current step; 5: use the profile, 0: none */
export const steps = (tools, at) => [
  findTray(tools, at === 1),
  emptyTray(tools, at === 2),
  light(tools),
  dice(tools, at === 4),
  use(tools, at === 5),
];
