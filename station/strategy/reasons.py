"""Why a hold is good, in words: what the turn then ends in, and how often."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from messages.message import Message, Value
from station.contract.reviewed import Choice
from station.rules import RuleSet
from station.rules.dice import Dice, dashed
from station.strategy.forward.flow import spread, stops
from station.strategy.model.model import Model
from station.strategy.model.multisets import Floats
from station.strategy.model.position import Position, thrown
from station.strategy.values.decisions import Decision, Values
from station.strategy.values.hints import BoxValue, HoldValue, name_of

NAMED_MAX = 2
"""Boxes that a sentence names."""
RARE = 0.005
"""Chances below this are left out: they would read 0 %."""


class TurnOutcome(NamedTuple):
    """A box (or two, "a+b") the turn ends in under best play, how often, and whether it brings points."""

    category: str
    chance: float
    scores: bool


def outcomes(
    solution: Values, where: Position, dice: Dice, rolls_left: int, hold: Dice
) -> tuple[TurnOutcome, ...]:
    """What the turn ends in when these dice are held, the most frequent first; the chances add up to 1.

    Holding all dice is to stop. Raises BadInputError as `hint` does.
    """
    model = solution.model
    faces = thrown(model.rules, dice, rolls_left, where.saved)
    end = solution.decision(where)
    if len(hold) == len(faces) or rolls_left == 0:
        now = np.zeros((len(model.dice.rolls), 1))
        now[model.place(faces)] = 1.0
        return _outcomes(model, end, [(rolls_left, now)])
    held: list[Floats] = [np.zeros((len(holds), 1)) for holds in model.dice.held[:-1]]
    held[len(hold)][model.place(tuple(sorted(hold)))] = 1.0
    first = end.best(first=True) if model.throw_matters else None
    return _outcomes(model, end, stops(model, end.stops(), first, spread(model.dice, held), rolls_left - 1))


def _outcomes(model: Model, end: Decision, ends: Iterable[tuple[int, Floats]]) -> tuple[TurnOutcome, ...]:
    """The ends of a turn by the box that is best then, with so many throws left."""
    chances = np.zeros((len(end.actions), 2))
    for left, rolls in ends:
        best = end.at(left).argmax(axis=0)
        for index, action in enumerate(end.actions):
            points, _ = action.scored(first=left == end.throws - 1, left=left)
            for scores in (False, True):
                chances[index, int(scores)] += _share(rolls, (best == index) & ((points > 0) == scores))
    found = [
        TurnOutcome(name_of(model, end.actions[index]), float(chances[index, scores]), bool(scores))
        for index, scores in np.argwhere(chances > 0).tolist()
    ]
    return tuple(sorted(found, key=lambda each: -each.chance))


def _share(chances: Floats, rolls: Floats) -> float:
    """The chance of these rolls."""
    return float(chances[rolls, 0].sum())


def reason(solution: Values, where: Position, dice: Dice, rolls_left: int, best: HoldValue) -> Message:
    """A sentence about a hold: "keep 4-4; most likely Four of a Kind 38%, Fours 21%".

    The box to announce, if there is one, comes before it.
    """
    rules, hold = solution.model.rules, best.hold
    if best.announce:
        called = replace(where, called=best.announce)
        why = reason(solution, called, dice, rolls_left, HoldValue(hold, best.value))
        return announcing(rules, best.announce, why)
    found = outcomes(solution, where, dice, rolls_left, hold)
    if len(hold) == len(dice):
        return Message("hint/keep_all", box=_named(rules, found[0]))
    listed = tuple(
        Message("hint/chance", share=each.chance, box=_named(rules, each))
        for each in found[:NAMED_MAX]
        if each.chance >= RARE
    )
    return Message("hint/chances", what=keep(hold), chances=listed)


def keep(hold: Dice) -> Message:
    """Dice to keep, in words."""
    return Message("hint/keep", dice=dashed(hold)) if hold else Message("hint/throw_all")


def announcing(rules: RuleSet, category: str, why: Message) -> Message:
    """A box to announce, and what is held for it, in words."""
    return Message("hint/announce", box=labels_of(rules, category), why=why)


def score(rules: RuleSet, category: str) -> Message:
    """A box to fill, or two ("a+b"), in words."""
    return Message("hint/score", box=labels_of(rules, category))


def points_now(rules: RuleSet, box: BoxValue, extra: int) -> Message:
    """The points when this box is filled now; `extra` is the bonus of a further yacht."""
    labels, count = labels_of(rules, box.category), box.points + extra
    if not extra:
        return Message("hint/now", box=labels, count=count)
    return Message("hint/now_extra", box=labels, count=count, points=box.points, extra=extra)


def score_both(rules: RuleSet, boxes: Sequence[str], groups: Sequence[Dice]) -> Message:
    """Boxes to fill, each with the five dice that go there, in words."""
    listed = tuple(
        Message("hint/with", box=rules.box(each).label, dice=dashed(dice))
        for each, dice in zip(boxes, groups, strict=True)
    )
    return Message("hint/score", box=listed)


def chosen(rules: RuleSet, choice: Choice) -> Message:
    """A decision in words: dice to keep, or boxes to fill."""
    if choice.hold is not None:
        what = keep(choice.hold)
        return announcing(rules, choice.announced, what) if choice.announced else what
    if choice.groups:
        return score_both(rules, choice.boxes, choice.groups)
    return score(rules, choice.boxes[0])


def _named(rules: RuleSet, outcome: TurnOutcome) -> Value:
    """The box by the label its page gives it."""
    labels = labels_of(rules, outcome.category)
    return labels if outcome.scores else Message("hint/nothing_in", box=labels)


def labels_of(rules: RuleSet, category: str) -> tuple[Value, ...]:
    """What the page calls a box, or two ("a+b")."""
    return tuple(rules.box(each).label for each in category.split("+"))
