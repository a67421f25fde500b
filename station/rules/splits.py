"""Double Cameroon: ten dice become two groups of five, each scored in a box of its own."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from messages.errors import RefusalError
from station.rules.dice import Dice, checked
from station.rules.filling import fill, groups, score
from station.rules.ruleset import RuleSet
from station.rules.sheet import Sheet


class Split(NamedTuple):
    """Two boxes, the five dice that go to each, and the points each gets."""

    categories: tuple[str, str]
    groups: tuple[Dice, Dice]
    points: tuple[int, int]


def best_split(
    rules: RuleSet, sheet: Sheet, categories: tuple[str, str], dice: Iterable[int], throw: int = 3
) -> Split:
    """The division of the dice that brings the most points in these two boxes.

    >>> from station.rules import built_in
    >>> rules = built_in("double-cameroon")
    >>> best_split(rules, Sheet(), ("fives", "five-of-a-kind"), (2, 2, 2, 2, 2, 2, 5, 5, 5, 5))
    Split(categories=('fives', 'five-of-a-kind'), groups=((2, 5, 5, 5, 5), (2, 2, 2, 2, 2)), points=(20, 50))
    """
    faces = checked(dice, rules.dice)
    first, second = categories
    best: Split | None = None
    for group in groups(faces):
        other = tuple(sorted((Counter(faces) - Counter(group)).elements()))
        points = (
            score(rules, sheet, first, group, throw).points,
            score(rules, sheet, second, other, throw).points,
        )
        if best is None or sum(points) > sum(best.points):
            best = Split(categories, (group, other), points)
    assert best is not None  # noqa: S101 - ten dice always have a group of five
    return best


def splits(rules: RuleSet, sheet: Sheet, dice: Iterable[int], throw: int = 3) -> tuple[Split, ...]:
    """For every two open boxes their best split, in page order."""
    faces = checked(dice, rules.dice)
    return tuple(best_split(rules, sheet, pair, faces, throw) for pair in combinations(sheet.open(rules), 2))


def fill_two(
    rules: RuleSet, sheet: Sheet, categories: tuple[str, str], dice: Iterable[int], throw: int = 3
) -> Sheet:
    """The sheet with two boxes filled by the best split of the ten dice.

    Raises RefusalError as `fill` does, and `box/filled` for the same box twice.
    """
    first, second = categories
    if first == second:
        raise RefusalError("rules/two-boxes", code="box/filled")
    for category in categories:
        fill(rules, sheet, category, groups(checked(dice, rules.dice))[0], throw)  # refuses what cannot be
    split = best_split(rules, sheet, categories, dice, throw)
    return fill(rules, fill(rules, sheet, first, split.groups[0], throw), second, split.groups[1], throw)
