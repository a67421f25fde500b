"""What is still needed beside the held dice ("a 5", "a 1 or a 6", "two 3s"), and how often it comes."""

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from station.rules.dice import FACES, Dice
from station.rules.reach import reach
from station.rules.ruleset import Box, RuleSet, Section
from station.rules.sheet import Sheet

FREE_MOST = 2
"""With more dice still to be thrown nobody waits for one face."""
AS_GOOD = 0.8
"""A throw that brings this share of what the best one brings is waited for as well."""


class Need(NamedTuple):
    """Faces that are waited for: any one of them, or where `together`, all. chance: 0-1, of getting there."""

    faces: Dice
    together: bool
    chance: float


@lru_cache(maxsize=8)  # asked anew with every picture of the camera
def need(rules: RuleSet, sheet: Sheet, held: Dice, rolls_left: int) -> Need | None:
    """What the open boxes need that not every throw fills; None where that is no face in particular.

    The held dice stay held, and of two missing dice the first that comes is kept.

    >>> from station.rules import built_in
    >>> found = need(built_in("yacht-1938"), Sheet(), (5, 5, 5, 5), 2)
    >>> found.faces, round(found.chance, 3)
    ((5,), 0.306)
    """
    free = rules.dice - len(held)
    if not 1 <= free <= FREE_MOST or rolls_left < 1 or rules.boxes_per_turn > 1:
        return None
    worth = {
        each: _worth(rules, sheet, (*held, *each)) for each in combinations_with_replacement(FACES, free)
    }
    most = max(worth.values())
    wanted = [each for each, points in worth.items() if points >= AS_GOOD * most]
    if (free > 1 and len(wanted) > 1) or len(wanted) > len(FACES) // 2:
        return None
    if free > 1:
        return Need(wanted[0], together=True, chance=_chance(wanted[0], rolls_left))
    faces = tuple(sorted(face for (face,) in wanted))
    return Need(faces, together=False, chance=1 - (1 - len(faces) / len(FACES)) ** rolls_left)


def _worth(rules: RuleSet, sheet: Sheet, dice: Sequence[int]) -> int:
    """The most that such dice bring in an open box that not every throw fills; 0 where they only cost.

    A box that waits for another brings nothing until that one holds points.
    """
    faces = tuple(sorted(dice))
    open_ = (rules.box(category) for category in sheet.open(rules))
    due = (box for box in open_ if not box.after or sheet.points(box.after))
    return max([0, *(box.score(faces, rules.throws).points for box in due if _asks_for_much(rules, box))])


def _asks_for_much(rules: RuleSet, box: Box) -> bool:
    return box.section is not Section.UPPER and reach(box, rules.dice, rules.throws)[0] <= 0


@cache
def _chance(missing: Dice, rolls_left: int) -> float:
    """How often these dice all come within that many throws, each kept as soon as it is there."""
    if not missing:
        return 1.0
    if not rolls_left:
        return 0.0
    found = 0.0
    for thrown in product(FACES, repeat=len(missing)):
        left = tuple(sorted((Counter(missing) - Counter(thrown)).elements()))
        found += _chance(left, rolls_left - 1)
    return float(found / len(FACES) ** len(missing))
