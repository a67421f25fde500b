// What changed, in a sentence: for the live region, and for the voice where one is wanted.

import { t } from "./words.js";

const filled = (player, before) => Object.entries(player.boxes || {}).find(([category, points]) => points !== null && points !== undefined && (before?.boxes?.[category] ?? null) === null);

function scored(state, before) {
  for (const [index, player] of state.players.entries()) {
    const entry = filled(player, before.players[index]);
    if (entry) {
      const label = state.categories.find((row) => row.category === entry[0])?.label || entry[0];
      return { player, label, points: entry[1], key: `${entry[0]}/${index}` };
    }
  }
  return null;
}

function lead(state) {
  if (state.players.length < 2) return "";
  const order = [...state.players].sort((one, other) => other.total - one.total);
  const ahead = order[0].total - order[1].total;
  const told = ahead ? t("page/news/leads", { name: order[0].name, n: ahead }) : t("page/news/tie");
  return ` ${told}`;
}

// {text, kind, key} or null. kind: roll, score, turn, end, back.
export function change(state, before) {
  if (!before) return null;
  if (before.game !== state.game) return before.phase === "lobby" ? null : { kind: "turn", text: state.waiting_for };
  if (state.finished && !before.finished) return { kind: "end", text: state.waiting_for };
  if (before.players.length > state.players.length || state.players.some((player, index) => Object.entries(before.players[index]?.boxes || {}).some(([category, points]) => points !== null && points !== undefined && player.boxes[category] === null))) {
    return { kind: "back", text: t("page/news/taken_back", { waiting: state.waiting_for }) };
  }
  const box = scored(state, before);
  if (box) {
    return { kind: "score", key: box.key, points: box.points, category: box.key.split("/")[0], short: t("page/news/scored", box), text: `${t("page/news/scored", box)}${lead(state)}`,
      yacht: box.points > 0 && ["yacht", "general", "five-of-a-kind"].includes(box.key.split("/")[0]), next: state.waiting_for };
  }
  const faces = state.dice.map((item) => item.face).join(" ");
  const facesBefore = before.dice.map((item) => item.face).join(" ");
  if (state.throws_done > before.throws_done && faces) return { kind: "roll", text: t("page/news/throw", { n: state.throws_done, faces }) };
  if (faces && faces !== facesBefore && state.throws_done === before.throws_done) return { kind: "corrected", text: t("page/news/corrected", { faces }) };
  if (state.waiting_for !== before.waiting_for) return { kind: "turn", text: state.waiting_for };
  return null;
}
