"""The possible points of a box: whether any throw scores in it, and how much."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement

from station.rules.dice import FACES, Dice
from station.rules.ruleset import Box
from station.rules.scoring import Scoring

LATER = 2
"""Any throw but the first: no pattern tells later ones apart."""


def reach(box: Box, dice: int, turns: int) -> tuple[int, int]:
    """The fewest and the most points that a throw of that many dice can bring in that box.

    >>> from station.rules import built_in
    >>> reach(built_in("yatzy").box("full-house"), 5, 3), reach(built_in("yatzy").box("choice"), 5, 3)
    ((0, 28), (5, 30))
    """
    found = all_points(box, dice, turns)
    return min(found), max(found)


def can_score(box: Box, dice: int, turns: int) -> bool:
    """Whether any throw of that many dice brings points in that box, or costs any: most soon do."""
    return any(
        box.counted(points, throw)
        for throw in box.throws_told_apart(turns)
        for points in _each(box.scoring, dice, min(throw, LATER))
    )


def all_points(box: Box, dice: int, turns: int) -> frozenset[int]:
    """All points that a throw of that many dice can bring in that box."""
    return frozenset(
        box.counted(points, throw)
        for throw in box.throws_told_apart(turns)
        for points in _natural(box.scoring, dice, min(throw, LATER))
    )


@lru_cache(maxsize=4)
def throws(dice: int) -> tuple[Dice, ...]:
    """All throws of that many dice, sorted."""
    return tuple(combinations_with_replacement(FACES, dice))


@lru_cache(maxsize=256)
def _natural(scoring: Scoring, dice: int, throw: int) -> frozenset[int]:
    """All points of a pattern by itself."""
    return frozenset(_each(scoring, dice, throw))


def _each(scoring: Scoring, dice: int, throw: int) -> Iterator[int]:
    """The points of a pattern by itself, throw by throw."""
    return (scoring.score(each, throw).points for each in throws(dice))
