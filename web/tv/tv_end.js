// The end of a game that this screen showed: all places, the winner's best throw, the evening's card; then the sheet and
// the card alternate, so that nothing burns in.

import { h } from "./dom.js";
import { number, t } from "./words.js";
import { get } from "./api.js";
import { die } from "./dice.js";
import { fitted } from "./fitted.js";

/** How long each scene takes. */
const SCENES_MS = { podium: 3000, throw: 5000, card: 7000, sheet: 7000 };
/** @type {(keyof SCENES_MS)[]} */
const ORDER = ["podium", "throw", "card", "sheet"];

const FEW = 4; // players that fit side by side above the sheet, in large letters

/** @typedef {{ words: string, luck: string, dice: number[], photo: string }} Best */
/** @type {{ scene: keyof SCENES_MS, timer: number, game: number, best: Best | null, card: string }} */
const end = { scene: "sheet", timer: 0, game: 0, best: null, card: "" };

/** The address of a picture once it has loaded; "" where there is none. @param {string} src */
async function loaded(src) {
  const image = new Image();
  image.src = src;
  return image.decode().then(
    () => src,
    () => "",
  );
}

/** The winner's luckiest throw, and the points won by luck and lost by decisions. @param {State} state @returns {Promise<Best | null>} */
async function best({ game, winners }) {
  const review = /** @type {Api.GameReview} */ (await get(`/api/v1/history/${game}/review`));
  const player = review.players.find(({ seat }) => seat === winners[0]);
  const throws = (player?.turns ?? []).flatMap(({ throws }, turn) => throws.map((each, at) => ({ ...each, turn: turn + 1, at: at + 1 })));
  if (!player || !throws.length) return null;
  const { dice, turn, at } = throws.reduce((one, other) => (other.luck > one.luck ? other : one));
  const { name, luck, given_away: given } = player;
  return {
    words: t("page/tv/best_throw", { name, faces: dice.join("\u2011") }),
    luck: t(luck < 0 ? "page/tv/unlucky" : "page/tv/lucky", { name, luck: Math.abs(luck), given }),
    dice,
    photo: await loaded(`/history/${game}/${player.seat}-${turn}-${at}.jpg`),
  };
}

/** @param {number} game */
async function fetchCard(game) {
  const card = await loaded(`/evening.png?at=${Date.now()}`);
  if (end.game === game) end.card = card;
}

/** Whether a scene has what it shows. @param {keyof SCENES_MS} scene */
const ready = (scene) => (scene === "throw" ? end.best !== null : scene === "card" ? end.card !== "" : true);

/** @param {State} state @param {() => void} draw */
function next(state, draw) {
  const rest = ORDER.slice(ORDER.indexOf(end.scene) + 1);
  const [scene] = [...rest, /** @type {const} */ ("card"), /** @type {const} */ ("sheet")].filter(ready);
  end.scene = scene;
  if (scene === "sheet") fetchCard(state.game); // by now more of it is computed
  draw();
  if (scene === "sheet" && matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  end.timer = window.setTimeout(() => next(state, draw), SCENES_MS[scene]);
}

/** A game goes on, or another begins. */
export function stop() {
  clearTimeout(end.timer);
  end.scene = "sheet";
}

/** A game ended. @param {State} state @param {() => void} draw */
export function begin(state, draw) {
  clearTimeout(end.timer);
  Object.assign(end, { scene: "podium", game: state.game, best: null, card: "" });
  end.timer = window.setTimeout(() => next(state, draw), SCENES_MS.podium);
  best(state).then(
    (lucky) => end.game === state.game && Object.assign(end, { best: lucky }),
    () => {}, // not computed yet: the scene is skipped
  );
  fetchCard(state.game);
}

/** Players with their places: winners, then the others by points; all on place 1 where nobody has won. @param {State} state */
function ranking(state) {
  const players = state.players
    .map((player, index) => ({ ...player, won: state.winners.includes(index) }))
    .filter((player) => !player.gone);
  /** @param {typeof players[0]} one @param {typeof players[0]} other */
  const ahead = (one, other) => (one.won === other.won ? state.winners.length > 0 && !one.won && one.total > other.total : one.won);
  return players
    .map((player) => ({ ...player, place: 1 + players.filter((other) => ahead(other, player)).length }))
    .sort((one, other) => one.place - other.place);
}

/** All players, winners first, which need not be those with most points. @param {State} state @param {boolean} steps: drawn as a podium */
export function podium(state, steps = false) {
  const order = ranking(state);
  const looks = steps ? "tv-steps" : `tv-top podium${order.length > FEW ? " several" : ""}`;
  return h(
    "ol",
    { key: "podium", class: looks, vars: { "--columns": steps ? order.length : Math.ceil(order.length / 2) } },
    order.map((player, index) =>
      h(
        "li",
        {
          key: player.name,
          class: player.won ? "won" : "",
          vars: steps ? { "--place": Math.min(player.place, 4), "--after": order.length - index } : {},
        },
        h("span.place", { "aria-hidden": "true" }, player.won ? "★" : state.winners.length ? `${player.place}.` : null),
        player.won ? h("span.vh", t("page/common/won")) : null,
        fitted(player.name, { class: "podium-name", own: true }),
        h("b", number(player.total)),
      ),
    ),
  );
}

/** The current scene of the end; null for the sheet. @param {State} state */
export function scene(state) {
  const { scene: current, best: lucky, card } = end;
  if (current === "sheet") return null;
  return h(
    "div.tv-ending",
    { key: current, "data-scene": current },
    current === "podium" ? podium(state, true) : null,
    current === "card" ? h("img.tv-card", { src: card, alt: t("page/tv/card") }) : null,
    current === "throw" && lucky
      ? [
          lucky.photo
            ? h("span.best-photo", h("img", { src: lucky.photo, alt: "" }))
            : h(
                "span.best-dice",
                lucky.dice.map((face, index) => h("span", { key: index }, die(face, { kind: "body-ivory" }))),
              ),
          h("div.best-text", h("p", lucky.words), h("p", lucky.luck)),
        ]
      : null,
  );
}
