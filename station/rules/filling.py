"""The points of dice in the boxes of a sheet, the boxes that may be filled, and filling one."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from messages.errors import BadInputError, RefusalError
from messages.message import Message
from station.rules.dice import Dice, checked
from station.rules.jokers import extra_points, is_wild, legal_boxes
from station.rules.ruleset import Box, RuleSet
from station.rules.scoring.base import BoxScore
from station.rules.sheet import Entry, Sheet

LAST = 3
"""The throw after which dice are counted where nobody says."""


def potentials(rules: RuleSet, sheet: Sheet, dice: Iterable[int], throw: int = LAST) -> dict[str, int]:
    """The points in each box that may be filled now, in page order, without bonus and extra.

    Of ten dice (Double Cameroon) each box gets its best. Raises BadInputError for what are no dice.
    """
    faces = checked(dice, *rules.dice_counts)
    hands, legal = groups(faces, rules.group), legal_boxes(rules, sheet, faces)
    return {
        box.category: max(score(rules, sheet, box, group, throw).points for group in hands)
        for box in rules.boxes
        if box.category in legal
    }


def score(rules: RuleSet, sheet: Sheet, box: Box, group: Dice, throw: int) -> BoxScore:
    """Points of the dice of a box, open or not, with the half sentence that says why."""
    if box.after and not sheet.points(box.after):
        return BoxScore(0, Message("pattern/not-yet", box=rules.box(box.after).label))
    wild = group[0] == group[-1] and is_wild(rules, sheet, group, box.column)
    return box.score(group, throw, wild=wild)


def groups(dice: Dice, size: int) -> tuple[Dice, ...]:
    """The different groups of that many among the dice, sorted.

    >>> groups((1, 2, 2, 4, 6), 5)
    ((1, 2, 2, 4, 6),)
    >>> len(groups((1, 1, 1, 1, 1, 2, 2, 2, 2, 2), 5))
    6
    """
    return tuple(sorted(set(combinations(sorted(dice), size))))


def fill(rules: RuleSet, sheet: Sheet, category: str, dice: Iterable[int], throw: int = LAST) -> Sheet:
    """The sheet with one more box filled by its dice.

    Raises RefusalError `box/unknown`, `box/filled` or `box/not_allowed`, and BadInputError for no dice.
    """
    group = checked(dice, rules.group)
    _check(rules, sheet, category, group)
    box = rules.box(category)
    extra = extra_points(rules, sheet, group, box)
    entry = Entry(category, score(rules, sheet, box, group, throw).points, extra)
    return replace(sheet, entries=(*sheet.entries, entry))


def _check(rules: RuleSet, sheet: Sheet, category: str, dice: Dice) -> None:
    """Raise the RefusalError that says why this box cannot be filled, if it cannot."""
    if category not in rules.categories:
        raise RefusalError(rules.no_box(category), code="box/unknown")
    label = rules.box(category).label
    if sheet.points(category) is not None:
        raise RefusalError("rules/filled", code="box/filled", box=label)
    legal = legal_boxes(rules, sheet, dice)
    if category not in legal:
        due, column = rules.next_boxes(sheet.open(rules)), rules.box(category).column
        in_order = category in due
        better = legal if in_order else [each for each in due if rules.box(each).column == column]
        boxes = tuple(rules.box(open_).label for open_ in better)
        why = "rules/not-there" if in_order else "rules/not-in-order"
        raise RefusalError(why, code="box/not_allowed", box=label, boxes=boxes)


class Explanation(NamedTuple):
    """The points of dice in a box, and a sentence that explains them."""

    points: int
    sentence: Message


def explain(
    rules: RuleSet, category: str, dice: Iterable[int], throw: int = LAST, sheet: Sheet | None = None
) -> Explanation:
    """Explain the points of these dice, the best of them, in that box.

    >>> from station.rules import built_in
    >>> str(explain(built_in("world-51"), "full-house", (5, 5, 5, 2, 2)).sentence)
    'Full House: 5-5-5 and 2-2 add up to 19.'
    """
    before, box = Sheet() if sheet is None else sheet, rules.box(category)
    found = [
        (score(rules, before, box, group, throw), group)
        for group in groups(checked(dice, *rules.dice_counts), rules.group)
    ]
    best, group = max(found, key=lambda each: each[0].points)
    extra = extra_points(rules, before, group, box)
    if extra:
        return Explanation(best.points, Message("rules/why-extra", box=box.label, why=best.why, extra=extra))
    return Explanation(best.points, Message("rules/why", box=box.label, why=best.why))


def explain_all(
    rules: RuleSet, dice: Iterable[int], throw: int | None = None, category: str | None = None
) -> dict[str, Explanation]:
    """Explain the points of these dice in every box of an empty sheet, or in one.

    throw: the one of the turn they were made in, from 1; left out, the last. Raises BadInputError for what
    are no dice, no box, or no throw of a turn.

    >>> from station.rules import built_in
    >>> explain_all(built_in("general"), (1, 2, 3, 4, 5), 1, "straight")["straight"].points
    25
    """
    made = rules.throws if throw is None else throw
    if not 1 <= made <= rules.throws:
        raise BadInputError("rules/no-throw", code="input/bad", roll=made, throws=rules.throws)
    boxes = rules.categories if category is None else (rules.box(category).category,)
    faces = tuple(dice)
    return {each: explain(rules, each, faces, made) for each in boxes}
