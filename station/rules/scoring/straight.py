"""Straights: any run of that many dice, exactly these faces, or General's with wild aces."""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from messages.message import Message
from station.rules.dice import Dice, dashed, longest_run
from station.rules.scoring.base import Matched, read_faces
from station.rules.toml_table import TomlTable

_LITTLE = (1, 2, 3, 4, 5)
_BIG = (2, 3, 4, 5, 6)


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
    example = _BIG
    joker = "straight"

    length: int

    def matched(self, dice: Dice) -> Dice | None:
        """As Matched.matched."""
        run = longest_run(dice)
        return run if len(run) >= self.length else None

    def wanted(self) -> Message:
        """As Matched.wanted."""
        return Message("pattern/straight/run", count=self.length)


@dataclass(frozen=True, slots=True)
class Exactly(Matched):
    """These faces: the little straight 1-2-3-4-5, the big straight 2-3-4-5-6, or `exactly` any `faces`.

    Of more dice than faces the others do not matter.

    >>> str(Exactly((1, 2, 3, 4, 5), points=30).score((5, 4, 3, 2, 1), throw=3).why)
    '1-2-3-4-5 is worth 30'
    >>> str(Exactly((1, 2, 3, 4, 5), points=30).score((6, 4, 3, 2, 1), throw=3).why)
    'it takes 1-2-3-4-5, so 0'
    """

    variants: ClassVar = {"little-straight": (_LITTLE,), "big-straight": (_BIG,), "exactly": ()}
    sample: ClassVar = {"faces": [1, 2, 4], "points": 20}
    keys: ClassVar = {"faces": read_faces}
    example = _LITTLE
    joker = "straight"
    made = "pattern/is"

    faces: Dice

    def matched(self, dice: Dice) -> Dice | None:
        """As Matched.matched."""
        return None if Counter(self.faces) - Counter(dice) else self.faces

    def wanted(self) -> str:
        """As Matched.wanted."""
        return dashed(self.faces)


@dataclass(frozen=True, slots=True)
class AceStraight(Matched):
    """General's one straight: 1-5 or 2-6, where an ace may stand for a 2 or a 6, or two for both.

    So the aces fill what the other dice leave open of 2-3-4-5-6 at its two ends (dice-play.com, "General").

    >>> str(AceStraight(points=20, first_throw=25).score((1, 1, 3, 4, 5), throw=1).why)
    '1-1-3-4-5, the aces being 2 and 6, is worth 25 in the first throw'
    >>> str(AceStraight(points=20).score((1, 1, 2, 3, 4), throw=2).why)
    'it takes 1-2-3-4-5 or 2-3-4-5-6, where 1s may stand for 2 and 6, so 0'
    """

    variants: ClassVar = {"straight": ()}
    sample: ClassVar = {"points": 20}
    example = (1, 1, 3, 4, 5)
    joker = "straight"
    made = "pattern/is"

    def matched(self, dice: Dice) -> Dice | None:
        """As Matched.matched."""
        missing = _missing(dice)
        aces = set(missing) <= {2, 6} and len(missing) == dice.count(1)
        return dice if aces or dice == _LITTLE else None

    def dice_words(self, found: Dice) -> Message | str:
        """As Matched.dice_words."""
        missing = _missing(found)
        if not missing or found == _LITTLE:
            return dashed(found)
        return Message("pattern/straight/aces", count=len(missing), dice=dashed(found), faces=missing)

    def wanted(self) -> Message:
        """As Matched.wanted."""
        return Message("pattern/straight/with-aces")


def _missing(dice: Dice) -> Dice:
    return tuple(sorted(set(_BIG) - set(dice)))
