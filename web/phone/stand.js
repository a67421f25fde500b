// The height of a phone's stand, from the size of a bank card or a die in its picture: people drag its two ends on the
// station's picture. Without a picture, from the part of a ruler that is visible.

import { byId, failure, h, paint } from "./dom.js";
import { get, failureOf } from "./api.js";
import { figure, live, renew } from "./calibration_picture.js";
import { handles, loupe } from "./corners.js";

const form = /** @type {HTMLFormElement} */ (/** @type {HTMLElement} */ (byId("stand")));
const NAMES = [form.dataset.left || "", form.dataset.right || ""];

/** edit: the two ends, once there is a picture. @type {{ picture: string, edit: import("./corners.js").Edit | null }} */
const page = { picture: "", edit: null };

const known = () => String(new FormData(form).get("known"));

function draw() {
  const { edit, picture } = page;
  const typed = known() === "ruler";
  byId("stand-ruler").hidden = !typed;
  byId("stand-take").hidden = typed;
  paint(byId("stand-view"), [
    edit && !typed
      ? h(
          "div.cal-picture",
          { vars: { "--ratio": edit.size_wh[0] / edit.size_wh[1] } },
          h("img", { src: picture, alt: "", draggable: "false" }),
          handles(edit, figure, draw, NAMES),
          loupe(edit, figure, picture),
        )
      : null,
  ]);
}

/** @param {unknown} error */
const showError = (error) => paint(byId("stand-result"), [failure(failureOf(error).message)]);

async function take() {
  try {
    renew(page, await live());
    const image = new Image();
    image.src = page.picture;
    await image.decode();
    page.edit = { corners: [[0.3, 0.5], [0.7, 0.5]], held: null, size_wh: [image.naturalWidth, image.naturalHeight] }; // biome-ignore format: two points
    draw();
  } catch (error) {
    showError(error);
  }
}

/** The part of the picture's longer side that lies between the ends. @param {import("./corners.js").Edit} edit */
export function share({ corners: [[x, y], [to_x, to_y]], size_wh: [width, height] }) {
  return Math.hypot((to_x - x) * width, (to_y - y) * height) / Math.max(width, height);
}

/** @param {Event} event */
async function workOut(event) {
  event.preventDefault();
  if (known() !== "ruler" && !page.edit) return showError(form.dataset.first);
  const fields = new FormData(form);
  /** @param {string} name */
  const mm = (name) => String(10 * Number(fields.get(name)));
  const query = new URLSearchParams({
    known: known(),
    at_mm: mm("at"),
    ruler_mm: mm("ruler"),
    die_mm: String(fields.get("die_mm")),
    long_mm: mm("long"),
    short_mm: mm("short"),
  });
  if (known() !== "ruler" && page.edit) {
    const [width, height] = page.edit.size_wh;
    query.set("share", String(Math.min(1, share(page.edit))));
    query.set("ratio", String(Math.min(width, height) / Math.max(width, height)));
  }
  try {
    /** @type {Api.BookStand} */
    const stand = await get(`/api/v1/mounting/stand?${query}`);
    paint(
      byId("stand-result"),
      stand.messages.map((words, index) => h(index ? "p" : "p.lead", { key: index }, words)),
    );
  } catch (error) {
    showError(error);
  }
}

form.addEventListener("submit", workOut);
form.addEventListener("change", draw);
byId("stand-take").addEventListener("click", take);
draw();
