"""The box that takes any dice."""

from dataclasses import dataclass
from typing import ClassVar

from messages.message import Message
from station.rules.dice import Dice, dashed
from station.rules.scoring.base import BoxScore, Scoring, add_up


@dataclass(frozen=True, slots=True)
class Choice(Scoring):
    """The sum of all dice, whatever they show.

    >>> str(Choice().score((6, 6, 5, 4, 3), throw=3).why)
    '3-4-5-6-6 add up to 24'
    """

    variants: ClassVar = {"choice": ()}
    example = (3, 4, 5, 6, 6)

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> BoxScore:
        """As Scoring.score. A wild yacht has its natural points here."""
        del throw, wild
        return add_up(dashed(sorted(dice)), sum(dice))

    def how(self) -> Message:
        """As Scoring.how."""
        return Message("pattern/choice/how")
