// The dice on the big screen: cut out of the camera's picture where there is one, with a small drawn die for the face that
// was read; else drawn large. When a box is filled they fly into it.

import { h } from "./dom.js";
import { t } from "./words.js";
import { die, photo } from "./dice.js";
import * as hints from "./hints.js";
import { parts } from "./parts.js";
import * as tray from "./tray.js";
import { boxesOf, turnOf } from "./turns.js";

const FLIGHT_MS = 700;
const ONE_ROW = 6; // dice in one row, at most

/** The throw on screen, and the name its pictures are requested with. */
const current = { throw: "", name: "" };

/** Whether the dice in the tray are the throw that the table waits for. @param {State} state */
const offered = (state) => tray.offered(state) && state.reading.fresh;

/** The player whose first throw the table waits for, while the dice of the last turn still lie there; else null. @param {State} state */
export function awaited({ phase, turn, reading, players, active_player: seat }) {
  const begun = reading.fresh || reading.status === "moving" || reading.status === "covered";
  return begun || phase !== "throwing" || turn !== "nothing_thrown" ? null : (players[seat ?? -1]?.name ?? null);
}

/** @param {State} state */
function nameOf(state) {
  const offer = offered(state);
  const dice = offer ? state.reading.dice : state.dice;
  const faces = dice.map(({ slot, face, colour }) => [slot, face, colour]);
  const key = JSON.stringify([turnOf(state), state.throws_done + Number(offer), faces]);
  if (current.throw !== key) Object.assign(current, { throw: key, name: String(state.version) });
  return current.name;
}

/**
 * One die: drawn, with its picture over it as soon as that has loaded.
 * @param {{ slot: number, face: number, colour: string | null }} item
 * @param {string} src: of its picture
 */
const photographed = (item, src) => [
  die(item.face, { kind: `body-${item.colour || "ivory"}` }),
  item.colour ? photo(src, "img.tv-photo") : null,
];

const blank = () => die(0, { label: "", kind: "blank" });

/** @param {number | string} key @param {string} looks @param {Children} inside @param {boolean} held @param {boolean} unsure: of its face */
const place = (key, looks, inside, held = false, unsure = false) =>
  h(
    "div",
    { class: `tv-die${looks}${held ? " held" : ""}${unsure ? " unsure" : ""}`, key },
    h("span.tv-face", inside),
    h("b", held ? t("page/common/held") : unsure ? t("page/common/unsure") : ""),
  );

/** @param {State} state @param {PublicRoom} room */
function dice(state, room) {
  const name = nameOf(state);
  const offer = offered(state) ? state.reading.dice : [];
  /** @param {number} slot */
  const own = (slot) => `/api/v1/die.jpg?slot=${slot}&roll=${name}`;
  if (offer.length) return offer.map((item) => place(item.slot, " seen", photographed(item, own(item.slot)), item.held, item.unsure));
  const hint = hints.wantedOnTv(state, room) ? hints.current(state) : null;
  const hinted = hints.keeps(state, hint);
  /** @param {number} slot */
  const picture = (slot) => parts.map((part) => part.picture?.(state, slot)).find(Boolean) ?? own(slot);
  if (state.dice.length)
    return state.dice.map((item) => {
      const there = state.turn !== "rolling" || item.held;
      const looks = `${there ? "" : " seen none"}${hinted?.includes(item.slot) ? " hinted" : ""}`;
      return place(item.slot, looks, there ? photographed(item, picture(item.slot)) : blank(), item.held);
    });
  const faces = state.reading.status === "moving" || !state.reading.fresh ? [] : state.reading.faces;
  return (faces.length ? faces : Array(state.dice_count).fill(0)).map((face, index) =>
    place(index, ` seen${face ? "" : " none"}`, face ? die(face) : blank()),
  );
}

/** @param {State} state @param {PublicRoom} room @param {boolean} small: beside all players' copies */
export function board(state, room, small) {
  const size = small ? " small" : state.dice_count > ONE_ROW ? " ten" : "";
  const vars = { "--half": Math.ceil(state.dice_count / 2), "--dice": state.dice_count };
  return h("div", { class: `tv-dice${size}`, key: "dice", vars }, dice(state, room));
}

/**
 * Copies of the dice on screen, with their places: they fly from there once the filled box is drawn. None where the screen
 * missed the throw, since the dice on it are older. Where a turn fills several boxes, the points need not match: the
 * player chose which dice go into the box.
 * @param {State} before @param {State} state @param {string} key: the box, and the index of its player
 */
export function lift(before, { players }, key) {
  const [category, seat] = key.split("/");
  const player = Number(seat);
  const worth = boxesOf(before) > 1 || before.players[player]?.potentials[category] === players[player].boxes[category];
  if (before.active_player !== player || !before.dice.length || !worth) return [];
  const faces = [...document.querySelectorAll(".tv-dice:not(.small) .tv-face")];
  return faces.map((face) => ({ copy: /** @type {HTMLElement} */ (face.cloneNode(true)), from: face.getBoundingClientRect() }));
}

/** Animates the dice into the filled box. @param {ReturnType<typeof lift>} lifted */
export function fly(lifted) {
  if (!lifted.length || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const box = document.querySelector(".tv-sheets .fresh")?.getBoundingClientRect();
  if (!box) return;
  lifted.forEach(({ copy, from }, index) => {
    copy.classList.add("flying");
    copy.setAttribute("aria-hidden", "true");
    Object.assign(copy.style, { left: `${from.left}px`, top: `${from.top}px`, width: `${from.width}px` });
    document.body.append(copy);
    const [x, y] = [box.left + box.width / 2 - from.left - from.width / 2, box.top + box.height / 2 - from.top - from.height / 2];
    const small = Math.min(1, box.height / from.height);
    const way = copy.animate(
      [
        { transform: "none", opacity: 1 },
        { transform: `translate(${x * 0.55}px, ${y * 0.4}px) scale(.8) rotate(-8deg)`, opacity: 1, offset: 0.55 },
        { transform: `translate(${x}px, ${y}px) scale(${small * 0.5}) rotate(6deg)`, opacity: 0 },
      ],
      { duration: FLIGHT_MS, delay: index * 70, easing: "cubic-bezier(.4, 0, .5, 1)", fill: "both" },
    );
    way.onfinish = () => copy.remove();
    way.oncancel = () => copy.remove();
  });
}
