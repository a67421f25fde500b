// The cards beside the calibration steps: checking by throws, the lens, the profiles.

import { h } from "./dom.js";
import { t } from "./words.js";
import { die } from "./dice.js";

const THROWS = 5;

/**
 * The tools that the steps share.
 * @typedef {{ page: import("./calibrate.js").Page, info: Api.CalibrationReport, draw: () => void, fault: (where: string) => Children,
 *   act: (where: string, path: string, body?: object, method?: string) => Promise<boolean>,
 *   button: (where: string, label: string, press: () => unknown, looks?: string) => Described }} Tools
 */

/** @param {Tools} tools */
export function checking({ page, info, act, button, fault, draw }) {
  const { active, check, simulated } = info;
  if (!active) return null;
  const { reading } = check;
  const same = reading && !page.missed.length && reading.dice.every((each, index) => each.face === page.faces[index]);
  // The next face; after the six "no die".
  /** @param {number | null} face */
  const next = (face) => (face === 6 ? null : (face || 0) + 1);
  /** @param {"faces" | "missed"} list @param {number} index */
  const turn = (list, index) => {
    page[list] = page[list].map((face, at) => (at === index ? next(face) : face)).filter((face) => list === "faces" || face);
    draw();
  };
  /** @param {"faces" | "missed"} list @param {number | null} face @param {number} index @param {string} name */
  const one = (list, face, index, name) =>
    h(
      "li.slot",
      { key: `${list}-${index}` },
      h(
        "button.hold",
        { "aria-label": name, onclick: () => turn(list, index) },
        face ? die(face, { label: "" }) : h("span.cal-none", { "aria-hidden": "true" }, "×"),
      ),
    );
  return h(
    "section.card.stack",
    { key: "check", id: "check", "aria-labelledby": "check-title" },
    h("h2", { id: "check-title" }, t("page/check/title")),
    h("p", t("page/check/how")),
    check.throws
      ? h(
          "p",
          { key: "so-far", class: check.wrong ? "fault" : "good" },
          t("page/check/checked", { count: check.throws }),
          " ",
          check.message,
        )
      : null,
    reading
      ? [
          reading.status === "ready" ? null : h("p", { key: "unsure" }, t(`page/check/${reading.status}`)),
          h(
            "ul.dice.typed.cal-dice",
            { key: "faces" },
            page.faces.map((face, index) =>
              one("faces", face, index, face ? t("page/check/die", { n: index + 1, face }) : t("page/check/no_die", { n: index + 1 })),
            ),
            page.missed.map((face, index) => one("missed", face, index, t("page/check/missed", { n: index + 1, face: face || "?" }))),
          ),
          h("p.aside", { key: "how" }, t("page/check/tap")),
          h(
            "p.links",
            { key: "nod" },
            button("check", same ? t("page/check/right") : t("page/check/right_now"), () =>
              act("check", "/check", { faces: page.faces, missed: page.missed }),
            ),
            h(
              "button.quiet",
              {
                key: "missed",
                disabled: page.missed.length > 9,
                onclick: () => {
                  page.missed = [...page.missed, 1];
                  draw();
                },
              },
              t("page/common/missed"),
            ),
          ),
        ]
      : h(
          "p.links",
          { key: "throw" },
          button(
            "check",
            simulated ? t("page/check/throw") : t("page/check/read"),
            () => act("check", "/throw"),
            check.throws >= THROWS ? "second" : "first",
          ),
        ),
    fault("check"),
  );
}

/** @param {Tools} tools */
export function lens({ page, info, act, button, fault, draw }) {
  const status = info.lens;
  const toggle = () => {
    page.watching = !page.watching;
    page.fault = "";
    draw();
  };
  return h(
    "details.card",
    {
      key: "lens",
      ontoggle: (event) => {
        if (!event.currentTarget.open && page.watching) toggle();
      },
    },
    h("summary", h("h2", t("page/lens/title"))),
    h(
      "div.stack",
      h("p", t("page/lens/how")),
      status.known ? h("p.good", { key: "known" }, status.known, " ", info.tray ? "" : t("page/lens/now_find")) : null,
      page.watching || status.views ? h("p", { key: "message", role: "status" }, status.message) : null,
      page.watching ? fault("view") : null,
      h(
        "p.links",
        h(
          "button.second",
          { key: "watch", "aria-pressed": page.watching ? "true" : "false", onclick: toggle },
          page.watching ? t("page/lens/stop") : t("page/lens/look"),
        ),
        status.views
          ? button(
              "lens",
              t("page/lens/solve"),
              () => {
                page.watching = false;
                return act("lens", "/lens");
              },
              status.enough ? "first" : "second",
            )
          : null,
        status.views ? button("lens", t("page/lens/anew"), () => act("lens", "/forget-views"), "quiet") : null,
      ),
      fault("lens"),
    ),
  );
}

/** @param {Tools} tools */
export function profiles({ info, act, button, fault }) {
  const { active, profiles: list } = info;
  if (!active && !list.length) return null;
  /** @param {string | null} made */
  const day = (made) => {
    const date = new Date(made || "");
    // A date in a file edited by hand may be invalid.
    return Number.isNaN(date.getTime()) ? "" : new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "long" }).format(date);
  };
  /** @param {Api.ProfileReport} each */
  const about = (each) =>
    [
      day(each.made),
      each.tray_mm ? `${Math.round(each.tray_mm[0])} × ${Math.round(each.tray_mm[1])} mm` : "",
      each.dice ? t("page/profiles/dice", { count: each.dice }) : "",
    ]
      .filter(Boolean)
      .join(" · ");
  return h(
    "section.card.stack",
    { key: "profiles", "aria-labelledby": "profiles-title" },
    h("h2", { id: "profiles-title" }, t("page/profiles/title")),
    h(
      "ul.cal-profiles",
      list.map((each) =>
        h(
          "li",
          { key: each.key, class: each.active ? "used" : null },
          h("span", h("b", each.name), each.active ? ` · ${t("page/profiles/in_use")}` : "", h("br"), h("span.aside", about(each))),
          each.active
            ? null
            : [
                button("choose", t("page/profiles/use", { name: each.name }), () => act("choose", "/choose", { key: each.key }), "quiet"),
                button(
                  "forget",
                  t("page/profiles/delete", { name: each.name }),
                  () => act("choose", `/profiles/${encodeURIComponent(each.key)}`, {}, "DELETE"),
                  "quiet",
                ),
              ],
        ),
      ),
    ),
    list.length > 1
      ? h(
          "p.links",
          button("choose", t("page/profiles/by_picture"), () => act("choose", "/choose"), "second"),
        )
      : null,
    fault("choose"),
  );
}
