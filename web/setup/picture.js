// The camera's picture settings on the setup page.

import { button, h, links } from "./dom.js";
import { t } from "./words.js";
import { ask, get, inOrder, post, failureOf } from "./api.js";

/** @param {string[]} values @param {(value: string) => string} text @returns {Labelled[]} */
const labelled = (values, text = String) => values.map((value) => [value, text(value)]);

const PATH = "/api/v1/picture";
const SIZES = ["640x360", "960x540", "1280x720", "1920x1080"];
const EXPOSURES = ["2", "5", "10", "20", "30"];
const NUMBERS = ["0", "1", "2", "3"];
const RATES = ["10", "15", "20", "30"];
/** How long a camera takes to apply new settings. */
const SHOWN_MS = 3000;

/** @param {{ picture: Api.PictureReport, fault: string, good: string }} page @param {() => void} draw @param {() => void} look */
export function pictureForm(page, draw, look) {
  /** @param {() => Promise<Api.PictureReport>} act */
  async function attempt(act) {
    try {
      page.picture = await inOrder(act);
      Object.assign(page, { fault: "", good: t("page/picture/taken") });
      setTimeout(look, SHOWN_MS);
    } catch (error) {
      Object.assign(page, { fault: failureOf(error).message, good: "" });
    }
    draw();
  }

  /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
  function save(event) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    /** @param {string} name */
    const field = (name) => String(form.get(name) || "");
    const size = field("size") ? field("size").split("x").map(Number) : null;
    /** @type {Record<string, unknown>} */
    const wanted = {
      size,
      fps: field("fps") ? Number(field("fps")) : null,
      rotation: Number(field("rotation")),
      mirrored: field("mirrored") === "yes",
      flicker_hz: Number(field("flicker_hz")),
      hdr: field("hdr") === "yes",
      exposure: field("exposure"),
      exposure_ms: field("exposure_ms") ? Number(field("exposure_ms")) : null,
      number: field("number") ? Number(field("number")) : null,
    };
    // Fields that were not changed here keep their current value: another screen may have changed it.
    const rendered = Object.entries(page.picture);
    const same = rendered.filter(([name, value]) => JSON.stringify(value) === JSON.stringify(wanted[name])).map(([name]) => name);
    attempt(async () => {
      const now = Object.entries(await get(PATH)).filter(([name]) => same.includes(name));
      return post(PATH, { ...wanted, ...Object.fromEntries(now) });
    });
  }

  /** @param {string} name @param {string} now @param {Labelled[]} options */
  function field(name, now, options) {
    // the settings file may have another value
    const all = options.some(([value]) => value === now) ? options : [...options, ...labelled([now])];
    const id = `picture-${name}`;
    return h(
      "p",
      { key: name },
      h("label", { for: id }, t(`page/picture/${name}`)),
      h(
        "select",
        { id, name, value: now },
        all.map(([value, text]) => h("option", { key: value, value }, text)),
      ),
    );
  }

  return () => {
    const now = page.picture;
    if (!now.available) return h("p.aside", t("page/picture/none"));
    /** @type {Labelled} */
    const usual = ["", t("page/picture/usual")];
    /** @type {Labelled[]} */
    const yesNo = [
      ["no", t("page/picture/no")],
      ["yes", t("page/picture/yes")],
    ];
    return h(
      "details.more",
      h("summary", t("page/picture/title")),
      now.refused.length ? h("p.fault", { key: "refused" }, t("page/picture/refused", { settings: now.refused.join(", ") })) : null,
      h(
        "form.stack",
        { onsubmit: save },
        field("number", now.number === null ? "" : String(now.number), [["", t("page/picture/as_settings")], ...labelled(NUMBERS)]),
        field(
          "rotation",
          String(now.rotation),
          labelled(["0", "90", "180", "270"], (degrees) => `${degrees}°`),
        ),
        field("mirrored", now.mirrored ? "yes" : "no", yesNo),
        field("size", now.size ? now.size.join("x") : "", [usual, ...labelled(SIZES, (size) => size.replace("x", " × "))]),
        field("fps", now.fps ? String(now.fps) : "", [usual, ...labelled(RATES)]),
        field("flicker_hz", String(now.flicker_hz), [
          ["0", t("page/picture/usual")],
          ["50", "50 Hz"],
          ["60", "60 Hz"],
        ]),
        field("exposure", now.exposure, [
          ["normal", t("page/picture/usual")],
          ["short", t("page/picture/short")],
        ]),
        field("exposure_ms", now.exposure_ms ? String(now.exposure_ms) : "", [usual, ...labelled(EXPOSURES, (each) => `${each} ms`)]),
        field("hdr", now.hdr ? "yes" : "no", yesNo),
        h("p.aside", t("page/picture/again")),
        h("button.second", { type: "submit" }, t("page/picture/take")),
      ),
      now.chosen ? links(button("quiet", t("page/picture/forget"), () => attempt(() => ask(PATH, { method: "DELETE" })))) : null,
    );
  };
}
