"""The faces still needed beside the held dice ("a 5", "a 1 or a 6", "two 3s"), and how often it comes."""

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
"""Dice still to be thrown; with more of them nobody waits for one face."""
SELDOM = 1 / 3
"""Up to this chance it is a feat to get it with the last throw: one of two faces on one die still is."""
AS_GOOD = 0.8
"""A throw that brings this share of what the best one brings is waited for as well."""


class Need(NamedTuple):
    """Faces that are waited for: any one of them, or where `together`, all. chance: 0-1, of getting there."""

    faces: Dice
    together: bool
    chance: float


@lru_cache(maxsize=8)  # called with every picture of the camera
def need(rules: RuleSet, sheet: Sheet, held: Dice, rolls_left: int) -> Need | None:
    """The faces needed by the open boxes that not every throw fills; None if it is no particular face.

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


def brought(rules: RuleSet, sheet: Sheet, held: Dice, thrown: Dice) -> Box | None:
    """The box for which the last throw of a turn brought just what was needed, and that seldom comes.

    >>> from station.rules import built_in
    >>> box = brought(built_in("yacht-1938"), Sheet(), (2, 2, 6, 6), (6,))
    >>> str(box.label), brought(built_in("yacht-1938"), Sheet(), (2, 2, 6, 6), (5,))
    ('Full House', None)
    """
    found = need(rules, sheet, held, 1)
    if found is None or found.chance > SELDOM:
        return None
    came = tuple(sorted(thrown)) == found.faces if found.together else thrown[0] in found.faces
    return _best(rules, sheet, (*held, *thrown))[1] if came else None


def _worth(rules: RuleSet, sheet: Sheet, dice: Sequence[int]) -> int:
    """The most that such dice bring in an open box that not every throw fills; 0 where they only cost."""
    return _best(rules, sheet, dice)[0]


def _best(rules: RuleSet, sheet: Sheet, dice: Sequence[int]) -> tuple[int, Box | None]:
    """The most that `_worth` returns, and the box that brings it.

    A box that waits for another brings nothing until that one holds points.
    """
    faces = tuple(sorted(dice))
    best: tuple[int, Box | None] = 0, None
    for box in map(rules.box, sheet.open(rules)):
        if (not box.after or sheet.points(box.after)) and _asks_for_much(rules, box):
            points = box.score(faces, rules.throws).points
            best = (points, box) if points > best[0] else best
    return best


def _asks_for_much(rules: RuleSet, box: Box) -> bool:
    return box.section is not Section.UPPER and reach(box, rules.dice, rules.throws)[0] <= 0


@cache
def _chance(missing: Dice, rolls_left: int) -> float:
    """The probability that these dice all come within that many throws, each held as soon as it comes."""
    if not missing:
        return 1.0
    if not rolls_left:
        return 0.0
    found = 0.0
    for thrown in product(FACES, repeat=len(missing)):
        left = tuple(sorted((Counter(missing) - Counter(thrown)).elements()))
        found += _chance(left, rolls_left - 1)
    return float(found / len(FACES) ** len(missing))
