"""Two, three, four or five of a kind."""

from dataclasses import dataclass
from typing import ClassVar, Self

from messages.message import Message
from station.rules.dice import FACES, Dice, common, dashed
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
class OfAKind(Scoring):
    """That many dice of one face, or more.

    They score fixed `points` (`first_throw` points when made in the first throw); without these the sum
    of all five dice, or, with `matching_only`, of just the `count` dice that match. The documents differ
    here: four dice on the Yacht pages, five elsewhere.

    >>> str(OfAKind(4, matching_only=True).score((2, 6, 6, 6, 6), throw=3).why)
    '6-6-6-6 add up to 24'
    >>> str(OfAKind(4).score((2, 6, 6, 6, 6), throw=3).why)
    '6 comes up four times, and all dice, 2-6-6-6-6, add up to 26'
    >>> str(OfAKind(4, points=40, first_throw=45).score((2, 6, 6, 6, 6), throw=1).why)
    '6-6-6-6 are worth 45 in the first throw'
    """

    variants: ClassVar = {"pair": (2,), "three-of-a-kind": (3,), "four-of-a-kind": (4,)}
    example = (2, 6, 6, 6, 6)

    count: int
    points: int | None = None
    first_throw: int | None = None
    matching_only: bool = False

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> Score:
        """As Scoring.score. A wild yacht is of a kind anyway."""
        del wild
        face, often = common(dice)
        if self.matching_only:
            face = max((face for face in FACES if dice.count(face) >= self.count), default=face)
        if often < self.count:
            return nothing(Message("pattern/of-a-kind/none", count=self.count))
        alike = dashed([face] * self.count)
        if self.points is not None:
            points, words = worth(self.points, self.first_throw, throw)
            return Score(points, Message("pattern/are", dice=alike, worth=words))
        if self.matching_only:
            return add_up(alike, face * self.count)
        why = Message(
            "pattern/of-a-kind/all",
            count=self.count,
            face=face,
            dice=dashed(sorted(dice)),
            points=sum(dice),
        )
        return Score(sum(dice), why)

    def how(self) -> Message:
        """As Scoring.how."""
        if self.points is not None:
            fixed = Message("pattern/of-a-kind/fixed", count=self.count, points=self.points)
            return pays(fixed, self.first_throw)
        if self.matching_only:
            return Message("pattern/of-a-kind/sum-of-these", count=self.count)
        return Message("pattern/of-a-kind/sum-of-all", count=self.count)

    @classmethod
    def read(cls, table: TomlTable, category: str) -> Self:
        """`points`: `"sum"` of all dice, `"matching"` for the sum of the alike ones only, or a number."""
        count = tuple(cls.variants).index(category) + 2
        if not isinstance(table.value("points"), str):
            return cls(count, *read_points(table))
        matching = table.one_of("points", "sum", "matching") == "matching"
        table.only("category", "label", "points")
        return cls(count, matching_only=matching)

    def settings(self) -> dict[str, Setting]:
        """As Scoring.settings."""
        return {"points": "matching" if self.matching_only else "sum"} | Scoring.settings(self)
