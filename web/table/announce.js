// What changed, in a sentence: for the live region, and for the voice where one is wanted.

import { t } from "./words.js";

const FIVE_ALIKE = ["yacht", "general", "five-of-a-kind"];

/** The box that has points now and had none: category and points. @param {Player} player @param {Player | undefined} before */
const filled = (player, before) =>
  Object.entries(player.boxes).find(([category, points]) => points !== null && (before?.boxes[category] ?? null) === null);

/**
 * The same player before: by name, for people change places in a game, and by the place where the name is another one.
 * @param {State} state @param {State} before @param {number} index @returns {Player | undefined}
 */
function earlier(state, before, index) {
  const same = before.players.find(({ name }) => name === state.players[index].name);
  const there = before.players[index];
  return same || (state.players.some(({ name }) => name === there?.name) ? undefined : there);
}

/** The boxes that were filled: one, or where all play at once, one of each. @param {State} state @param {State} before */
const scored = (state, before) =>
  state.players.flatMap((player, index) => {
    const [category, points] = filled(player, earlier(state, before, index)) || [];
    if (!category) return [];
    return [{ category, points: Number(points), key: `${category}/${index}` }];
  });

/** Whether a filled box has other points. @param {State} state @param {State} before */
const rewritten = (state, before) =>
  state.players.some((player, index) => {
    const was = earlier(state, before, index)?.boxes || {};
    return Object.entries(player.boxes).some(([category, points]) => points !== (was[category] ?? points));
  });

/** @param {State} state */
function lead(state) {
  const players = state.players.filter((player) => !player.gone);
  if (players.length < 2) return "";
  const [first, second] = players.sort((one, other) => other.total - one.total);
  const ahead = first.total - second.total;
  return ahead ? ` ${t("page/news/leads", { name: first.name, n: ahead })}` : ` ${t("page/news/tie")}`;
}

/** How many boxes are filled. @param {State} state */
const count = (state) => state.players.flatMap(({ boxes }) => Object.values(boxes).filter((points) => points !== null)).length;

/** A throw is not there any more, though nobody's turn has ended. @param {State} state @param {State} before */
const fewer = (state, before) =>
  state.throws_done < before.throws_done &&
  count(state) === count(before) &&
  state.players.every(({ gone }, index) => gone === before.players[index]?.gone);

// The loudspeaker breaks off then (station/integrations/loudspeaker.py).
/** Whether a box is open again, a throw or a player is not there any more, the game goes on again. @param {State} state @param {State} before */
const undone = (state, before) =>
  (before.finished && !state.finished) ||
  before.players.length > state.players.length ||
  fewer(state, before) ||
  state.players.some((player, index) => {
    const was = earlier(state, before, index);
    return was && filled(was, player);
  });

/** @param {State} state @param {State} before @returns {News | null} */
export function change(state, before) {
  const waiting = state.waiting_for;
  if (before.game !== state.game) return before.phase === "lobby" ? null : { kind: "turn", text: waiting };
  if (state.finished && !before.finished) return { kind: "end", text: waiting };
  if (undone(state, before)) return { kind: "back", text: t("page/news/taken_back", { waiting }) };
  if (before.phase === "starting" && state.phase === "throwing") {
    const name = state.players.find((player) => player.starts)?.name || "";
    return { kind: "turn", text: `${t("page/news/starts", { name })} ${waiting}` };
  }
  const boxes = scored(state, before);
  if (boxes.length) {
    const short = state.announced || "";
    const yacht = boxes.some((box) => box.points > 0 && FIVE_ALIKE.includes(box.category));
    return { kind: "score", keys: boxes.map((box) => box.key), short, text: `${short}${lead(state)}`, yacht, next: waiting };
  }
  if (state.announced && state.announced !== before.announced && rewritten(state, before))
    return { kind: "corrected", text: state.announced };
  const faces = state.dice.map((item) => item.face).join(" ");
  const changed = faces !== before.dice.map((item) => item.face).join(" ");
  if (faces && state.throws_done > before.throws_done) return { kind: "roll", text: t("page/news/throw", { n: state.throws_done, faces }) };
  if (faces && changed && state.throws_done === before.throws_done) return { kind: "corrected", text: t("page/news/corrected", { faces }) };
  // Where all play at once, who is waited for changes with every tap.
  if (state.simultaneous && state.phase === before.phase && state.phase !== "throwing") return null;
  return waiting === before.waiting_for ? null : { kind: "turn", text: waiting };
}
