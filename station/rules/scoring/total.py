"""A required total of the dice, such as the thirteen of Crag."""

from dataclasses import dataclass
from typing import ClassVar

from messages.message import Message
from station.rules.dice import Dice
from station.rules.scoring.base import Matched
from station.rules.toml_table import TomlTable


@dataclass(frozen=True, slots=True)
class Total(Matched):
    """Dice that add up to `least` or more and `most` or less, at least `length` of them alike.

    Crag is a total of 13 with a pair, in three dice (Wood and Goddard, The Complete Book of Games, 1940).

    >>> Total(13, 13, 2, points=50).score((1, 6, 6), throw=2).points
    50
    >>> str(Total(13, 13, 2, points=50).score((3, 4, 6), throw=2).why)
    'it takes a total of 13 with 2 alike, so 0'
    """

    variants: ClassVar = {"total": ()}
    sample: ClassVar = {"least": 13, "most": 13, "length": 2, "points": 50}
    example = (1, 6, 6)
    keys: ClassVar = {
        "least": lambda table, key: TomlTable.whole(table, key, 1, 60),
        "most": lambda table, key: TomlTable.whole(table, key, 1, 60),
        "length": lambda table, key: TomlTable.whole(table, key, 1, 10) if table.has(key) else 1,
    }

    least: int
    most: int
    length: int = 1

    def matched(self, dice: Dice) -> Dice | None:
        """As Matched.matched."""
        return (
            dice
            if self.least <= sum(dice) <= self.most and max(map(dice.count, dice)) >= self.length
            else None
        )

    def wanted(self) -> Message:
        """As Matched.wanted."""
        if self.least == self.most:
            total = Message("pattern/total/exactly", total=self.least)
        else:
            total = Message("pattern/total/between", least=self.least, most=self.most)
        return Message("pattern/total/alike", what=total, alike=self.length) if self.length > 1 else total
