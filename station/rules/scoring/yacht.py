"""The yacht itself, called general or five of a kind elsewhere."""

from dataclasses import dataclass

from station.rules.dice import Dice, dashed, is_yacht
from station.rules.scoring.base import Score, worth


@dataclass(frozen=True, slots=True)
class Yacht:
    """All five dice alike, for fixed points.

    >>> Yacht(50).score((4, 4, 4, 4, 4), throw=2)
    Score(points=50, why='4-4-4-4-4 is worth 50')
    """

    points: int
    first_throw: int | None = None

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> Score:
        """As Scoring.score."""
        del wild
        if not is_yacht(dice):
            return Score(0, "the five dice are not all alike, so 0")
        fixed = worth(self.points, self.first_throw, throw)
        return Score(fixed.points, f"{dashed(dice)} is {fixed.why}")
