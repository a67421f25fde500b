"""The boxes of the upper section."""

from dataclasses import dataclass

from station.rules.dice import Dice
from station.rules.scoring.base import Score


@dataclass(frozen=True, slots=True)
class Number:
    """The sum of the dice that show one face; the others do not matter.

    >>> Number(2).score((1, 2, 2, 4, 6), throw=3)
    Score(points=4, why='2-2 add up to 4')
    """

    face: int

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> Score:
        """As Scoring.score. A wild yacht has its natural points here."""
        del throw, wild
        count = dice.count(self.face)
        points = count * self.face
        if count == 0:
            return Score(0, f"no die shows a {self.face}, so 0")
        if count == 1:
            return Score(points, f"one die shows a {self.face}")
        return Score(points, f"{'-'.join([str(self.face)] * count)} add up to {points}")
