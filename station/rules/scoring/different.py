"""Dice that are all different."""

from dataclasses import dataclass
from typing import ClassVar

from messages.message import Message
from station.rules.dice import Dice
from station.rules.scoring.base import Matched
from station.rules.toml_table import TomlTable


@dataclass(frozen=True, slots=True)
class Different(Matched):
    """At least `faces` faces that differ, in any order.

    >>> str(Different(5, points=20).score((6, 1, 3, 4, 5), throw=3).why)
    '1-3-4-5-6 are worth 20'
    >>> Different(4, points=20).score((1, 1, 3, 4, 4), throw=3).points
    0
    """

    variants: ClassVar = {"different": ()}
    sample: ClassVar = {"faces": 5, "points": 20}
    keys: ClassVar = {"faces": lambda table, key: TomlTable.whole(table, key, 2, 6)}
    example = (1, 3, 4, 5, 6)

    faces: int

    def matched(self, dice: Dice) -> Dice | None:
        """As Matched.matched."""
        found = tuple(sorted(set(dice)))
        return found if len(found) >= self.faces else None

    def wanted(self) -> Message:
        """As Matched.wanted."""
        return Message("pattern/different", count=self.faces)
