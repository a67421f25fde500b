"""The box that takes any dice."""

from dataclasses import dataclass

from station.rules.dice import Dice, dashed
from station.rules.scoring.base import Score


@dataclass(frozen=True, slots=True)
class Choice:
    """The sum of all five dice, whatever they show.

    >>> Choice().score((6, 6, 5, 4, 3), throw=3)
    Score(points=24, why='3-4-5-6-6 add up to 24')
    """

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> Score:
        """As Scoring.score. A wild yacht has its natural points here."""
        del throw, wild
        return Score(sum(dice), f"{dashed(sorted(dice))} add up to {sum(dice)}")
