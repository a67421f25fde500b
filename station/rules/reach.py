"""What a box can bring at all: whether any throw scores in it, and how much."""

from functools import lru_cache
from itertools import combinations_with_replacement

from station.rules.dice import FACES, Dice
from station.rules.ruleset import Box


def reach(box: Box, dice: int, turns: int) -> tuple[int, int]:
    """The fewest and the most points that a throw of so many dice can bring in that box.

    >>> from station.rules import built_in
    >>> reach(built_in("yatzy").box("full-house"), 5, 3), reach(built_in("yatzy").box("choice"), 5, 3)
    ((0, 28), (5, 30))
    """
    return _reach(box.worth, dice, frozenset({1, turns}))


def can_score(box: Box, dice: int, turns: int) -> bool:
    """Whether any throw of so many dice brings points in that box, or costs any."""
    return any(box.score(each, throw).points for each in throws(dice) for throw in {1, turns})


@lru_cache(maxsize=4)
def throws(dice: int) -> tuple[Dice, ...]:
    """All throws of so many dice, sorted."""
    return tuple(combinations_with_replacement(FACES, dice))


@lru_cache(maxsize=256)
def _reach(box: Box, dice: int, turns: frozenset[int]) -> tuple[int, int]:
    found = {box.score(each, throw).points for each in throws(dice) for throw in turns}
    return min(found), max(found)
