"""The full house."""

from dataclasses import dataclass
from typing import ClassVar

from messages.message import Message
from station.rules.dice import Dice, dashed, is_yacht
from station.rules.scoring.base import BoxScore, Matched
from station.rules.toml_table import TomlTable


@dataclass(frozen=True, slots=True)
class FullHouse(Matched):
    """Three dice of one face and two of another.

    Whether five of a kind is one (`five_of_a_kind`) is the oldest quarrel of the family.

    >>> str(FullHouse().score((2, 2, 2, 5, 5), throw=2).why)
    '2-2-2 and 5-5 add up to 16'
    >>> str(FullHouse().score((3, 3, 3, 3, 3), throw=2).why)
    'five of a kind is no full house here, so 0'
    >>> str(FullHouse(points=25).score((3, 3, 3, 3, 3), throw=2, wild=True).why)
    'a further yacht may stand for a full house, worth 25'
    """

    variants: ClassVar = {"full-house": ()}
    sample: ClassVar = {"points": 25, "five_of_a_kind": False}
    keys: ClassVar = {"five_of_a_kind": TomlTable.truth}
    example = (2, 2, 5, 5, 5)

    five_of_a_kind: bool = False

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> BoxScore:
        """As Scoring.score."""
        if not is_yacht(dice):
            return Matched.score(self, dice, throw)
        if not (wild or self.five_of_a_kind):
            return BoxScore(0, Message("pattern/full-house/no-yacht"))
        points, words = self.worth(dice, throw)
        key = "pattern/full-house/yacht" if self.five_of_a_kind else "pattern/full-house/wild"
        return BoxScore(points, Message(key, dice=dashed(dice), worth=words))

    def matched(self, dice: Dice) -> Dice | None:
        """As Matched.matched."""
        return dice if sorted(map(dice.count, set(dice))) == [2, 3] else None

    def dice_words(self, found: Dice) -> tuple[str, ...]:
        """As Matched.dice_words: the three first."""
        return tuple(dashed([face] * found.count(face)) for face in sorted(set(found), key=found.count)[::-1])

    def wanted(self) -> Message:
        """As Matched.wanted."""
        key = "wanted-or-yacht" if self.five_of_a_kind else "wanted"
        return Message(f"pattern/full-house/{key}")
