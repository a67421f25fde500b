"""The full house."""

from dataclasses import dataclass

from station.rules.dice import Dice, dashed, is_yacht
from station.rules.scoring.base import Score, worth


@dataclass(frozen=True, slots=True)
class FullHouse:
    """Three dice of one face and two of another.

    They score the sum of all five, or fixed `points` (`first_throw` when made in the first throw).
    Whether five of a kind is one (`yacht_counts`) is the oldest quarrel of the family.

    >>> FullHouse().score((2, 2, 5, 5, 5), throw=2)
    Score(points=19, why='5-5-5 and 2-2 add up to 19')
    >>> FullHouse().score((3, 3, 3, 3, 3), throw=2)
    Score(points=0, why='five of a kind is no full house here, so 0')
    >>> FullHouse(points=25).score((3, 3, 3, 3, 3), throw=2, wild=True)
    Score(points=25, why='a further yacht may stand for a full house, worth 25')
    """

    points: int | None = None
    first_throw: int | None = None
    yacht_counts: bool = False

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> Score:
        """As Scoring.score."""
        if is_yacht(dice):
            return self._yacht(dice, throw, wild=wild)
        low, *_, high = sorted(dice, key=lambda face: (dice.count(face), face))
        if (dice.count(low), dice.count(high)) != (2, 3):
            return Score(0, "there are no three of one face with two of another, so 0")
        house = f"{high}-{high}-{high} and {low}-{low}"
        if self.points is None:
            return Score(sum(dice), f"{house} add up to {sum(dice)}")
        fixed = worth(self.points, self.first_throw, throw)
        return Score(fixed.points, f"{house} are {fixed.why}")

    def _yacht(self, dice: Dice, throw: int, *, wild: bool) -> Score:
        if not (wild or self.yacht_counts):
            return Score(0, "five of a kind is no full house here, so 0")
        if self.points is None:
            why = f"{dashed(dice)} counts as a full house here: {sum(dice)}"
            return Score(sum(dice), why)
        fixed = worth(self.points, self.first_throw, throw)
        if self.yacht_counts:
            return Score(fixed.points, f"{dashed(dice)} counts as a full house here, {fixed.why}")
        return Score(fixed.points, f"a further yacht may stand for a full house, {fixed.why}")
