"""The yacht itself, called general or five of a kind elsewhere."""

from dataclasses import dataclass
from typing import ClassVar

from messages.message import Message
from station.rules.dice import Dice, is_yacht
from station.rules.scoring.base import Matched


@dataclass(frozen=True, slots=True)
class Yacht(Matched):
    """All dice alike.

    >>> str(Yacht(points=50).score((4, 4, 4, 4, 4), throw=2).why)
    '4-4-4-4-4 is worth 50'
    """

    variants: ClassVar = {"yacht": ()}
    sample: ClassVar = {"points": 50}
    example = (4, 4, 4, 4, 4)
    made = "pattern/is"

    def matched(self, dice: Dice) -> Dice | None:
        """As Matched.matched."""
        return dice if is_yacht(dice) else None

    def wanted(self) -> Message:
        """As Matched.wanted."""
        return Message("pattern/yacht/wanted")
