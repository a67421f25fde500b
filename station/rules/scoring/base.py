"""What every way to score has in common."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Self

from messages.message import Message
from station.rules.dice import FACES, Dice, dashed
from station.rules.toml_table import POINTS_MAX, TomlTable

Setting = str | int | bool | tuple[int, ...]
"""A value of a box in a rule file."""

BOX_KEYS = ("category", "label", "pattern", "count", "factor", "plus", "served", "after", "optional")
"""Keys of every box, whatever its pattern."""


class Score(NamedTuple):
    """Points of dice in a box, and the half sentence that says how they came about."""

    points: int
    why: Message


@dataclass(frozen=True, slots=True)
class Scoring(ABC):
    """One way to turn the dice of a box into points. Values, compared by their settings.

    variants: what rule files call it, with the first fields of each name; a name without any, which comes
    last, takes them from the file by `keys`, which says how each is read. example: dice that score; sample:
    the keys of a box of that last name.

    docs/house-rules.md lists every pattern with the first line of its docstring, its keys and a box.
    """

    variants: ClassVar[Mapping[str, tuple[int | Dice, ...]]]
    keys: ClassVar[Mapping[str, Callable[[TomlTable, str], Any]]] = MappingProxyType({})
    example: ClassVar[Dice]
    sample: ClassVar[Mapping[str, Any]] = MappingProxyType({})

    @abstractmethod
    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> Score:
        """Points of the dice after the given throw (1 is a turn's first).

        `wild`: the dice are a further yacht that stands in for anything (see station.rules.jokers).
        """

    @abstractmethod
    def how(self) -> Message:
        """What the box pays, in words."""

    @classmethod
    def read(cls, table: TomlTable, name: str) -> Self:
        """The pattern as a box of a rule file describes it; the table refuses what is missing or wrong."""
        made: Callable[..., Self] = cls
        first, keys = cls.variants[name], cls.keys_of(name)
        paid = any(field.name == "points" for field in fields(cls))
        table.only(*BOX_KEYS, *keys, *(("points", "first_throw_points") if paid else ()))
        own = {key: cls.keys[key](table, key) for key in keys}
        return made(*first, **own, **(cls.read_paid(table) if paid else {}))

    @classmethod
    def keys_of(cls, name: str) -> tuple[str, ...]:
        """The keys that a box of that name has to have, beside those of all boxes."""
        return () if cls.variants[name] else tuple(cls.keys)

    @classmethod
    def read_paid(cls, table: TomlTable) -> dict[str, Any]:
        """`points`: a number."""
        return read_points(table)

    @property
    def name(self) -> str:
        """What rule files call it."""
        own = [getattr(self, field.name) for field in fields(self) if not field.kw_only]
        return next(name for name, first in self.variants.items() if own[: len(first)] == list(first))

    def settings(self) -> dict[str, Setting]:
        """What `read` reads: the keys of such a box."""
        found: dict[str, Setting] = {key: getattr(self, key) for key in self.keys_of(self.name)}
        keys = {"points": "points", "first_throw": "first_throw_points"}
        paid = {key: getattr(self, name, None) for name, key in keys.items()}
        return found | {key: value for key, value in paid.items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched(Scoring):
    """Dice that meet a condition: fixed points, the sum of all dice, or of just those that meet it."""

    points: int | None = None
    first_throw: int | None = None
    matching_only: bool = False

    @abstractmethod
    def matched(self, dice: Dice) -> Dice | None:
        """Those of the sorted dice that meet the condition, the best ones; None where it is not met."""

    @abstractmethod
    def wanted(self) -> Message:
        """The condition in words."""

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> Score:
        """As Scoring.score. A wild yacht has its natural points here."""
        del wild
        found = self.matched(tuple(sorted(dice)))
        if found is None:
            return nothing(Message("pattern/not-met", what=self.wanted()))
        if self.points is not None:
            points, words = worth(self.points, self.first_throw, throw)
            return Score(points, Message("pattern/are", dice=dashed(found), worth=words))
        added = found if self.matching_only else tuple(sorted(dice))
        return add_up(dashed(added), sum(added))

    def how(self) -> Message:
        """As Scoring.how."""
        if self.points is not None:
            return pays(Message("pattern/fixed", what=self.wanted(), points=self.points), self.first_throw)
        told = "pattern/sum-of-these" if self.matching_only else "pattern/sum-of-all"
        return Message(told, what=self.wanted())

    @classmethod
    def read_paid(cls, table: TomlTable) -> dict[str, Any]:
        """`points`: `"sum"` of all dice, `"matching"` for the sum of those that count, or a number."""
        if not isinstance(table.value("points"), str):
            return read_points(table)
        return {"matching_only": table.one_of("points", "sum", "matching") == "matching"}

    def settings(self) -> dict[str, Setting]:
        """As Scoring.settings."""
        return {"points": "matching" if self.matching_only else "sum"} | Scoring.settings(self)


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


def read_points(table: TomlTable) -> dict[str, Any]:
    """Fixed points, and those for making the box in the first throw."""
    points = table.whole("points", -POINTS_MAX, POINTS_MAX)
    if not table.has("first_throw_points"):
        return {"points": points}
    return {"points": points, "first_throw": table.whole("first_throw_points", points, POINTS_MAX)}


def read_faces(table: TomlTable, key: str) -> Dice:
    """Faces of dice, sorted, as in [1, 3, 5]."""
    return tuple(sorted(table.numbers(key, FACES[0], FACES[-1])))
