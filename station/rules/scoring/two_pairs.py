"""Two pairs, a box of the Scandinavian game."""

from dataclasses import dataclass
from typing import ClassVar

from messages.message import Message
from station.rules.dice import FACES, Dice, dashed
from station.rules.scoring.base import Score, Scoring, add_up, nothing


@dataclass(frozen=True, slots=True)
class TwoPairs(Scoring):
    """Two dice of one face and two of another; the sum of these four.

    >>> str(TwoPairs().score((2, 2, 5, 5, 6), throw=3).why)
    '2-2 and 5-5 add up to 14'
    >>> TwoPairs().score((5, 5, 5, 5, 6), throw=3).points
    0
    """

    variants: ClassVar = {"two-pairs": ()}
    example = (2, 2, 5, 5, 6)

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> Score:
        """As Scoring.score. A wild yacht has its natural points here."""
        del throw, wild
        pairs = [face for face in FACES if dice.count(face) >= 2]  # noqa: PLR2004 - a pair is two
        if len(pairs) < 2:  # noqa: PLR2004 - and two pairs are two of them
            return nothing(Message("pattern/two-pairs/none"))
        return add_up(tuple(dashed((face, face)) for face in pairs), 2 * sum(pairs))

    def how(self) -> Message:
        """As Scoring.how."""
        return Message("pattern/two-pairs/how")
