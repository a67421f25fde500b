"""The boxes of the upper section."""

from dataclasses import dataclass
from typing import ClassVar

from messages.message import Message
from station.rules.dice import Dice, dashed
from station.rules.scoring.base import BoxScore, Scoring, add_up


@dataclass(frozen=True, slots=True)
class Number(Scoring):
    """The sum of the dice that show one face; the others do not matter.

    >>> str(Number(2).score((1, 2, 2, 4, 6), throw=3).why)
    '2-2 add up to 4'
    """

    variants: ClassVar = {
        "ones": (1,),
        "twos": (2,),
        "threes": (3,),
        "fours": (4,),
        "fives": (5,),
        "sixes": (6,),
    }
    example = (1, 2, 3, 4, 6)

    face: int

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> BoxScore:
        """As Scoring.score. A wild yacht has its natural points here."""
        del throw, wild
        count = dice.count(self.face)
        if count > 1:
            return add_up(dashed([self.face] * count), count * self.face)
        key = "pattern/number/one" if count else "pattern/number/none"
        return BoxScore(count * self.face, Message(key, face=self.face))

    def how(self) -> Message:
        """As Scoring.how."""
        return Message("pattern/number/how", face=self.face)
