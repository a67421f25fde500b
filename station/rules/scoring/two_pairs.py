"""Two pairs, a box of the Scandinavian game."""

from dataclasses import dataclass

from station.rules.dice import FACES, Dice
from station.rules.scoring.base import Score


@dataclass(frozen=True, slots=True)
class TwoPairs:
    """Two dice of one face and two of another; the sum of these four.

    >>> TwoPairs().score((2, 2, 5, 5, 6), throw=3)
    Score(points=14, why='2-2 and 5-5 add up to 14')
    >>> TwoPairs().score((5, 5, 5, 5, 6), throw=3).points
    0
    """

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> Score:
        """As Scoring.score. A wild yacht has its natural points here."""
        del throw, wild
        pairs = [face for face in FACES if dice.count(face) >= 2]  # noqa: PLR2004 - a pair is two
        if len(pairs) < 2:  # noqa: PLR2004 - and two pairs are two of them
            return Score(0, "there are no two different pairs, so 0")
        low, high = pairs
        return Score(2 * (low + high), f"{low}-{low} and {high}-{high} add up to {2 * (low + high)}")
