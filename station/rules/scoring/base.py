"""What every way to score has in common."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import ClassVar, NamedTuple, Self

from messages.message import Message
from station.rules.dice import Dice
from station.rules.toml_table import POINTS_MAX, TomlTable

Setting = str | int | bool
"""A value of a box in house rules."""


class Score(NamedTuple):
    """Points of five dice in a box, and the half sentence that says how they came about."""

    points: int
    why: Message


@dataclass(frozen=True, slots=True)
class Scoring(ABC):
    """One way to turn five dice into points. Values, compared by their settings.

    variants: what house rules call the boxes it scores, with the first fields of each. Further fields are
    `points` and `first_throw`, or `read` and `settings` are the pattern's own. example: dice that score.

    docs/house-rules.md lists every pattern with the first line of its docstring and that of its own `read`.
    """

    variants: ClassVar[Mapping[str, tuple[int | Dice, ...]]]
    example: ClassVar[Dice]

    @abstractmethod
    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> Score:
        """Points of five dice after the given throw (1 is a turn's first).

        `wild`: the dice are a further yacht that stands in for anything (see station.rules.jokers).
        """

    @abstractmethod
    def how(self) -> Message:
        """What the box pays, in words."""

    @classmethod
    def read(cls, table: TomlTable, category: str) -> Self:
        """The pattern as a box of house rules describes it; the table refuses what is missing or wrong."""
        made: Callable[..., Self] = cls
        if any(field.name == "points" for field in fields(cls)):
            return made(*cls.variants[category], *read_points(table))
        table.only("category", "label")
        return made(*cls.variants[category])

    def settings(self) -> dict[str, Setting]:
        """What `read` reads: the category and the other keys of such a box."""
        own = [getattr(self, field.name) for field in fields(self)]
        category = next(name for name, first in self.variants.items() if own[: len(first)] == list(first))
        keys = {"points": "points", "first_throw": "first_throw_points"}
        paid = {key: getattr(self, name, None) for name, key in keys.items()}
        return {"category": category} | {key: value for key, value in paid.items() if value is not None}


def worth(points: int, first_throw: int | None, throw: int) -> Score:
    """Fixed points, with the words for them.

    >>> str(worth(20, 25, 1).why)
    'worth 25 in the first throw'
    """
    if throw == 1 and first_throw is not None:
        return Score(first_throw, Message("pattern/worth-first", points=first_throw))
    return Score(points, Message("pattern/worth", points=points))


def pays(what: Message, first_throw: int | None) -> Message:
    """What a box pays, and what it pays in the first throw where that is another number."""
    return what if first_throw is None else Message("pattern/pays-first", what=what, points=first_throw)


def add_up(dice: Message | str | tuple[str, ...], points: int) -> Score:
    """The sum of these dice."""
    return Score(points, Message("pattern/add-up", dice=dice, points=points))


def nothing(why: Message) -> Score:
    """No points, because of that."""
    return Score(0, why)


def read_points(table: TomlTable, *further_keys: str) -> tuple[int, int | None]:
    """Fixed points, and those for making the box in the first throw."""
    table.only("category", "label", "points", "first_throw_points", *further_keys)
    points = table.whole("points", 0, POINTS_MAX)
    if not table.has("first_throw_points"):
        return points, None
    return points, table.whole("first_throw_points", points, POINTS_MAX)
