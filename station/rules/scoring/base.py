"""What every way to score has in common."""

from typing import NamedTuple, Protocol

from station.rules.dice import Dice


class Score(NamedTuple):
    """Points of five dice in a box, and the half sentence that says how they came about."""

    points: int
    why: str


class Scoring(Protocol):
    """One way to turn five dice into points. Values, compared by their settings."""

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> Score:
        """Points of five dice after the given throw (1 is a turn's first).

        `wild`: the dice are a further yacht that stands in for anything (see station.rules.jokers).
        """


def worth(points: int, first_throw: int | None, throw: int) -> Score:
    """Fixed points, with the words for them.

    >>> worth(20, 25, 1).why
    'worth 25 in the first throw'
    """
    if throw == 1 and first_throw is not None:
        return Score(first_throw, f"worth {first_throw} in the first throw")
    return Score(points, f"worth {points}")
