"""Straights: any run of so many dice, exactly these faces, or General's with wild aces."""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from messages.message import Message
from station.rules.dice import Dice, dashed, longest_run
from station.rules.scoring.base import (
    Matched,
    Score,
    Scoring,
    nothing,
    pays,
    read_faces,
    worth,
)
from station.rules.toml_table import TomlTable

_LITTLE = (1, 2, 3, 4, 5)
_BIG = (2, 3, 4, 5, 6)


def _made(dice: Dice, worth_: Score) -> Score:
    return Score(worth_.points, Message("pattern/is", dice=dashed(dice), worth=worth_.why))


def _stood_for(worth_: Score) -> Score:
    return Score(worth_.points, Message("pattern/straight/wild", worth=worth_.why))


@dataclass(frozen=True, slots=True)
class Run(Matched):
    """Any faces in a row: four are the small straight, five the large one, `length` a `run`.

    >>> str(Run(4, points=30).score((1, 3, 4, 5, 6), throw=3).why)
    '3-4-5-6 are worth 30'
    >>> str(Run(5, points=40).score((1, 3, 4, 5, 6), throw=3).why)
    'it takes five in a row, so 0'
    """

    variants: ClassVar = {"small-straight": (4,), "large-straight": (5,), "run": ()}
    sample: ClassVar = {"length": 3, "points": 10}
    keys: ClassVar = {"length": lambda table, key: TomlTable.whole(table, key, 2, 6)}
    example = (2, 3, 4, 5, 6)

    length: int

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> Score:
        """As Scoring.score."""
        if wild and self.points is not None:
            return _stood_for(worth(self.points, self.first_throw, throw))
        return Matched.score(self, dice, throw)

    def matched(self, dice: Dice) -> Dice | None:
        """As Matched.matched."""
        run = longest_run(dice)
        return run if len(run) >= self.length else None

    def wanted(self) -> Message:
        """As Matched.wanted."""
        return Message("pattern/straight/run", count=self.length)


@dataclass(frozen=True, slots=True)
class Exactly(Scoring):
    """These faces: the little straight 1-2-3-4-5, the big straight 2-3-4-5-6, or `exactly` any `faces`.

    Of more dice than faces the others do not matter.

    >>> str(Exactly((1, 2, 3, 4, 5), points=30).score((5, 4, 3, 2, 1), throw=3).why)
    '1-2-3-4-5 is worth 30'
    >>> str(Exactly((1, 2, 3, 4, 5), points=30).score((6, 4, 3, 2, 1), throw=3).why)
    '1-2-3-4-5 is needed, so 0'
    """

    variants: ClassVar = {"little-straight": (_LITTLE,), "big-straight": (_BIG,), "exactly": ()}
    sample: ClassVar = {"faces": [1, 2, 4], "points": 20}
    keys: ClassVar = {"faces": read_faces}
    example = _LITTLE

    faces: Dice
    points: int
    first_throw: int | None = None

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> Score:
        """As Scoring.score."""
        fixed = worth(self.points, self.first_throw, throw)
        if wild:
            return _stood_for(fixed)
        if Counter(self.faces) - Counter(dice):
            return nothing(Message("pattern/straight/needed", dice=dashed(self.faces)))
        return _made(self.faces, fixed)

    def how(self) -> Message:
        """As Scoring.how."""
        faces = Message("pattern/straight/exactly", dice=dashed(self.faces), points=self.points)
        return pays(faces, self.first_throw)


@dataclass(frozen=True, slots=True)
class AceStraight(Scoring):
    """General's one straight: 1-5 or 2-6, where an ace may stand for a 2 or a 6, or two for both.

    So the aces fill what the other dice leave open of 2-3-4-5-6 at its two ends (dice-play.com, "General").

    >>> str(AceStraight(points=20, first_throw=25).score((1, 1, 3, 4, 5), throw=1).why)
    '1-1-3-4-5, the aces being 2 and 6, is worth 25 in the first throw'
    >>> str(AceStraight(points=20).score((1, 1, 2, 3, 4), throw=2).why)
    'neither 1-2-3-4-5 nor 2-3-4-5-6 is there, even with aces as 2 or 6, so 0'
    """

    variants: ClassVar = {"straight": ()}
    sample: ClassVar = {"points": 20}
    example = (1, 1, 3, 4, 5)

    points: int
    first_throw: int | None = None

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> Score:
        """As Scoring.score."""
        fixed = worth(self.points, self.first_throw, throw)
        if wild:
            return _stood_for(fixed)
        faces = tuple(sorted(dice))
        if faces in {_LITTLE, _BIG}:
            return _made(faces, fixed)
        missing = tuple(sorted(set(_BIG) - set(faces)))
        if set(missing) <= {2, 6} and len(missing) == faces.count(1):
            why = Message(
                "pattern/straight/aces",
                count=len(missing),
                dice=dashed(faces),
                faces=missing,
                worth=fixed.why,
            )
            return Score(fixed.points, why)
        return nothing(Message("pattern/straight/not-even-with-aces"))

    def how(self) -> Message:
        """As Scoring.how."""
        return pays(Message("pattern/straight/with-aces", points=self.points), self.first_throw)
