"""The full house."""

from dataclasses import dataclass
from typing import Any, ClassVar

from messages.message import Message
from station.rules.dice import Dice, dashed, is_yacht
from station.rules.scoring.base import (
    Score,
    Scoring,
    Setting,
    add_up,
    nothing,
    pays,
    read_points,
    worth,
)
from station.rules.toml_table import TomlTable


@dataclass(frozen=True, slots=True)
class FullHouse(Scoring):
    """Three dice of one face and two of another.

    They score the sum of all five, or fixed `points` (`first_throw` when made in the first throw).
    Whether five of a kind is one (`five_of_a_kind`) is the oldest quarrel of the family.

    >>> str(FullHouse().score((2, 2, 5, 5, 5), throw=2).why)
    '5-5-5 and 2-2 add up to 19'
    >>> str(FullHouse().score((3, 3, 3, 3, 3), throw=2).why)
    'five of a kind is no full house here, so 0'
    >>> str(FullHouse(points=25).score((3, 3, 3, 3, 3), throw=2, wild=True).why)
    'a further yacht may stand for a full house, worth 25'
    """

    variants: ClassVar = {"full-house": ()}
    sample: ClassVar = {"points": 25, "five_of_a_kind": False}
    keys: ClassVar = {"five_of_a_kind": TomlTable.truth}
    example = (2, 2, 5, 5, 5)

    points: int | None = None
    first_throw: int | None = None
    five_of_a_kind: bool = False

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> Score:
        """As Scoring.score."""
        if is_yacht(dice):
            return self._yacht(dice, throw, wild=wild)
        low, *_, high = sorted(dice, key=lambda face: (dice.count(face), face))
        if (dice.count(low), dice.count(high)) != (2, 3):
            return nothing(Message("pattern/full-house/none"))
        house = (dashed([high] * 3), dashed([low] * 2))
        if self.points is None:
            return add_up(house, sum(dice))
        points, words = worth(self.points, self.first_throw, throw)
        return Score(points, Message("pattern/are", dice=house, worth=words))

    def _yacht(self, dice: Dice, throw: int, *, wild: bool) -> Score:
        if not (wild or self.five_of_a_kind):
            return nothing(Message("pattern/full-house/no-yacht"))
        if self.points is None:
            total = sum(dice)
            return Score(total, Message("pattern/full-house/yacht-sum", dice=dashed(dice), points=total))
        points, words = worth(self.points, self.first_throw, throw)
        if self.five_of_a_kind:
            return Score(points, Message("pattern/full-house/yacht", dice=dashed(dice), worth=words))
        return Score(points, Message("pattern/full-house/wild", worth=words))

    def how(self) -> Message:
        """As Scoring.how."""
        points = Message("pattern/choice/how") if self.points is None else self.points
        if self.five_of_a_kind:
            return pays(Message("pattern/full-house/how-with-yacht", points=points), self.first_throw)
        return pays(Message("pattern/full-house/how", points=points), self.first_throw)

    @classmethod
    def read_paid(cls, table: TomlTable) -> dict[str, Any]:
        """`points`: `"sum"` or a number."""
        if isinstance(table.value("points"), str):
            table.one_of("points", "sum")
            return {}
        return read_points(table)

    def settings(self) -> dict[str, Setting]:
        """As Scoring.settings."""
        return {"points": "sum"} | Scoring.settings(self)
