"""Two, three, four, five or more of a kind."""

from dataclasses import dataclass
from typing import ClassVar

from messages.message import Message
from station.rules.dice import FACES, Dice
from station.rules.scoring.base import Matched
from station.rules.toml_table import TomlTable


@dataclass(frozen=True, slots=True)
class OfAKind(Matched):
    """That many dice of one face, or more.

    They score fixed `points` (`first_throw` points when made in the first throw); without these the sum
    of all dice, or, with `matching_only`, of just the `length` dice that match. The documents differ
    here: four dice on the Yacht pages, five elsewhere.

    >>> str(OfAKind(4, matching_only=True).score((2, 6, 6, 6, 6), throw=3).why)
    '6-6-6-6 add up to 24'
    >>> str(OfAKind(4).score((2, 6, 6, 6, 6), throw=3).why)
    '2-6-6-6-6 add up to 26'
    >>> str(OfAKind(4, points=40, first_throw=45).score((2, 6, 6, 6, 6), throw=1).why)
    '6-6-6-6 are worth 45 in the first throw'
    """

    variants: ClassVar = {"pair": (2,), "three-of-a-kind": (3,), "four-of-a-kind": (4,), "alike": ()}
    sample: ClassVar = {"length": 5, "points": "matching"}
    keys: ClassVar = {"length": lambda table, key: TomlTable.whole(table, key, 1, 10)}
    example = (2, 6, 6, 6, 6)

    length: int

    def matched(self, dice: Dice) -> Dice | None:
        """As Matched.matched."""
        face = max((face for face in FACES if dice.count(face) >= self.length), default=0)
        return (face,) * self.length if face else None

    def wanted(self) -> Message:
        """As Matched.wanted."""
        return Message("pattern/of-a-kind/wanted", count=self.length)
