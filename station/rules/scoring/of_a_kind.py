"""Two, three, four or five of a kind."""

from dataclasses import dataclass

from station.rules.dice import FACES, Dice, common, dashed
from station.rules.scoring.base import Score, worth

_WORDS = {2: "twice", 3: "three times", 4: "four times", 5: "five times"}


@dataclass(frozen=True, slots=True)
class OfAKind:
    """At least `count` dice of one face.

    They score fixed `points` (`first_throw` points when made in the first throw); without these the sum
    of all five dice, or, with `matching_only`, of just the `count` dice that match. The documents differ
    here: four dice on the Yacht pages, five elsewhere.

    >>> OfAKind(4, matching_only=True).score((2, 6, 6, 6, 6), throw=3)
    Score(points=24, why='6-6-6-6 add up to 24')
    >>> OfAKind(4).score((2, 6, 6, 6, 6), throw=3)
    Score(points=26, why='6 comes up four times, and all dice, 2-6-6-6-6, add up to 26')
    >>> OfAKind(4, points=40, first_throw=45).score((2, 6, 6, 6, 6), throw=1)
    Score(points=45, why='6-6-6-6 are worth 45 in the first throw')
    """

    count: int
    points: int | None = None
    first_throw: int | None = None
    matching_only: bool = False

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> Score:
        """As Scoring.score. A wild yacht is of a kind anyway."""
        del wild
        face, often = common(dice)
        if self.matching_only:
            face = max((face for face in FACES if dice.count(face) >= self.count), default=face)
        if often < self.count:
            return Score(0, f"no face comes up {_WORDS[self.count]}, so 0")
        alike = dashed([face] * self.count)
        if self.points is not None:
            fixed = worth(self.points, self.first_throw, throw)
            return Score(fixed.points, f"{alike} are {fixed.why}")
        if self.matching_only:
            return Score(face * self.count, f"{alike} add up to {face * self.count}")
        total = sum(dice)
        return Score(
            total,
            f"{face} comes up {_WORDS[self.count]}, and all dice, {dashed(sorted(dice))}, add up to {total}",
        )
