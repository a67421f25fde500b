"""Straights: any run of so many dice, exactly these faces, or General's with wild aces."""

from dataclasses import dataclass

from station.rules.dice import Dice, dashed, longest_run
from station.rules.scoring.base import Score, worth

_LITTLE = (1, 2, 3, 4, 5)
_BIG = (2, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True)
class Run:
    """Any `length` faces in a row: the small straight of four, the large one of five.

    >>> Run(4, points=30).score((1, 3, 4, 5, 6), throw=3)
    Score(points=30, why='3-4-5-6 is worth 30')
    >>> Run(5, points=40).score((1, 3, 4, 5, 6), throw=3)
    Score(points=0, why='no five faces follow each other, so 0')
    """

    length: int
    points: int
    first_throw: int | None = None

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> Score:
        """As Scoring.score."""
        fixed = worth(self.points, self.first_throw, throw)
        if wild:
            return Score(fixed.points, f"a further yacht may stand for a straight, {fixed.why}")
        run = longest_run(dice)
        if len(run) < self.length:
            words = {4: "four", 5: "five"}[self.length]
            return Score(0, f"no {words} faces follow each other, so 0")
        return Score(fixed.points, f"{dashed(run)} is {fixed.why}")


@dataclass(frozen=True, slots=True)
class Exactly:
    """These five faces and no others: the little straight 1-2-3-4-5, the big straight 2-3-4-5-6.

    >>> Exactly((1, 2, 3, 4, 5), points=30).score((5, 4, 3, 2, 1), throw=3)
    Score(points=30, why='1-2-3-4-5 is worth 30')
    >>> Exactly((1, 2, 3, 4, 5), points=30).score((6, 4, 3, 2, 1), throw=3)
    Score(points=0, why='1-2-3-4-5 is needed, so 0')
    """

    faces: Dice
    points: int
    first_throw: int | None = None

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> Score:
        """As Scoring.score."""
        fixed = worth(self.points, self.first_throw, throw)
        if wild:
            return Score(fixed.points, f"a further yacht may stand for a straight, {fixed.why}")
        if tuple(sorted(dice)) != self.faces:
            return Score(0, f"{dashed(self.faces)} is needed, so 0")
        return Score(fixed.points, f"{dashed(self.faces)} is {fixed.why}")


@dataclass(frozen=True, slots=True)
class AceStraight:
    """General's one straight: 1-5 or 2-6, where an ace may stand for a 2 or a 6, or two for both.

    So the aces fill what the other dice leave open of 2-3-4-5-6 at its two ends (document 000, page 2).

    >>> AceStraight(points=20, first_throw=25).score((1, 1, 3, 4, 5), throw=1)
    Score(points=25, why='1-1-3-4-5, the aces being 2 and 6, is worth 25 in the first throw')
    >>> AceStraight(points=20).score((1, 1, 2, 3, 4), throw=2)
    Score(points=0, why='neither 1-2-3-4-5 nor 2-3-4-5-6 is there, even with aces as 2 or 6, so 0')
    """

    points: int
    first_throw: int | None = None

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> Score:
        """As Scoring.score."""
        fixed = worth(self.points, self.first_throw, throw)
        if wild:
            return Score(fixed.points, f"a further yacht may stand for a straight, {fixed.why}")
        faces = tuple(sorted(dice))
        shown = dashed(faces)
        if faces in {_LITTLE, _BIG}:
            return Score(fixed.points, f"{shown} is {fixed.why}")
        missing = tuple(sorted(set(_BIG) - set(faces)))
        if set(missing) <= {2, 6} and len(missing) == faces.count(1):
            as_what = " and ".join(str(face) for face in missing)
            aces = "ace" if len(missing) == 1 else "aces"
            return Score(fixed.points, f"{shown}, the {aces} being {as_what}, is {fixed.why}")
        return Score(0, "neither 1-2-3-4-5 nor 2-3-4-5-6 is there, even with aces as 2 or 6, so 0")
