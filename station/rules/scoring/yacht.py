"""The yacht itself, called general or five of a kind elsewhere."""

from dataclasses import dataclass
from typing import ClassVar

from messages.message import Message
from station.rules.dice import Dice, dashed, is_yacht
from station.rules.scoring.base import (
    Score,
    Scoring,
    nothing,
    pays,
    worth,
)


@dataclass(frozen=True, slots=True)
class Yacht(Scoring):
    """All dice alike, for fixed points.

    >>> str(Yacht(50).score((4, 4, 4, 4, 4), throw=2).why)
    '4-4-4-4-4 is worth 50'
    """

    variants: ClassVar = {"yacht": ()}
    sample: ClassVar = {"points": 50}
    example = (4, 4, 4, 4, 4)

    points: int
    first_throw: int | None = None

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> Score:
        """As Scoring.score."""
        del wild
        if not is_yacht(dice):
            return nothing(Message("pattern/yacht/none"))
        points, words = worth(self.points, self.first_throw, throw)
        return Score(points, Message("pattern/is", dice=dashed(dice), worth=words))

    def how(self) -> Message:
        """As Scoring.how."""
        return pays(Message("pattern/yacht/how", points=self.points), self.first_throw)
