"""Double Cameroon: ten dice become two groups of five, each scored in a box of its own."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from station.rules.dice import Dice, checked
from station.rules.filling import LAST, groups, score
from station.rules.ruleset import RuleSet
from station.rules.sheet import Sheet


class Split(NamedTuple):
    """Two boxes, the five dice that go to each, and the points each gets."""

    categories: tuple[str, str]
    groups: tuple[Dice, Dice]
    points: tuple[int, int]


def best_split(
    rules: RuleSet, sheet: Sheet, categories: tuple[str, str], dice: Iterable[int], throw: int = LAST
) -> Split:
    """The division of the dice that brings the most points in these two boxes.

    >>> from station.rules import built_in
    >>> rules = built_in("double-cameroon")
    >>> best_split(rules, Sheet(), ("fives", "five-of-a-kind"), (2, 2, 2, 2, 2, 2, 5, 5, 5, 5))
    Split(categories=('fives', 'five-of-a-kind'), groups=((2, 5, 5, 5, 5), (2, 2, 2, 2, 2)), points=(20, 50))
    """
    faces = checked(dice, rules.dice)
    first, second = map(rules.box, categories)

    def divided(group: Dice) -> Split:
        other = tuple(sorted((Counter(faces) - Counter(group)).elements()))
        points = (
            score(rules, sheet, first, group, throw).points,
            score(rules, sheet, second, other, throw).points,
        )
        return Split(categories, (group, other), points)

    return max(map(divided, groups(faces, rules.group)), key=lambda split: sum(split.points))
