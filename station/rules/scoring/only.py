"""All dice odd, even, low or high, or of any faces one names."""

from dataclasses import dataclass
from typing import ClassVar

from messages.message import Message
from station.rules.dice import Dice
from station.rules.scoring.base import Matched, read_faces


@dataclass(frozen=True, slots=True)
class Only(Matched):
    """All dice odd, even, low (1, 2, 3) or high (4, 5, 6), or `only` of the `faces` that are named.

    >>> Only((2, 4, 6)).score((2, 2, 4, 4, 6), throw=3).points
    18
    >>> str(Only((2, 4, 6)).score((1, 2, 4, 4, 6), throw=3).why)
    'it takes only 2, 4 and 6, so 0'
    """

    variants: ClassVar = {
        "odd": ((1, 3, 5),),
        "even": ((2, 4, 6),),
        "low": ((1, 2, 3),),
        "high": ((4, 5, 6),),
        "only": (),
    }
    sample: ClassVar = {"faces": [2, 3, 5], "points": "sum"}
    example = (2, 2, 3, 5, 5)
    keys: ClassVar = {"faces": read_faces}

    faces: Dice

    def matched(self, dice: Dice) -> Dice | None:
        """As Matched.matched."""
        return dice if set(dice) <= set(self.faces) else None

    def wanted(self) -> Message:
        """As Matched.wanted."""
        return Message("pattern/only", faces=self.faces)
