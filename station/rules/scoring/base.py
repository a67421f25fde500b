"""The base classes of all scoring patterns."""

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

BOX_KEYS = (
    "category", "label", "pattern", "count", "factor", "plus", "served", "after", "optional", "announced",
)  # fmt: skip
"""Keys of every box, whatever its pattern."""


class BoxScore(NamedTuple):
    """Points of dice in a box, and the half sentence that says how they came about."""

    points: int
    why: Message


@dataclass(frozen=True, slots=True)
class Scoring(ABC):
    """One way to turn the dice of a box into points. Values, compared by their settings.

    variants: what rule files call it, with the first fields of each name; a name without any, which comes
    last, takes them from the file by `keys`, which says how each is read. example: dice that score; sample:
    the keys of a box of that last name. paid: keys that say what it pays, under any name.

    docs/house-rules.md lists every pattern with the first line of its docstring, its keys and a box.
    """

    variants: ClassVar[Mapping[str, tuple[int | Dice, ...]]]
    keys: ClassVar[Mapping[str, Callable[[TomlTable, str], Any]]] = MappingProxyType({})
    example: ClassVar[Dice]
    sample: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    paid: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> BoxScore:
        """Points of the dice after the given throw (1 is a turn's first).

        `wild`: the dice are a further yacht that may count as another pattern (see station.rules.jokers).
        """

    @abstractmethod
    def how(self) -> Message:
        """The points of the box, in words."""

    @classmethod
    def read(cls, table: TomlTable, name: str) -> Self:
        """The pattern as a box of a rule file describes it; the table refuses what is missing or wrong."""
        made: Callable[..., Self] = cls
        first, keys = cls.variants[name], cls.keys_of(name)
        table.only(*BOX_KEYS, *keys, *cls.paid)
        return made(*first, **{key: cls.keys[key](table, key) for key in keys}, **cls.read_paid(table))

    @classmethod
    def keys_of(cls, name: str) -> tuple[str, ...]:
        """The keys that a box of that name has to have, beside those of all boxes."""
        return () if cls.variants[name] else tuple(cls.keys)

    @classmethod
    def read_paid(cls, table: TomlTable) -> dict[str, Any]:
        """The values of the keys in `paid` for such a box."""
        del table
        return {}

    @property
    def name(self) -> str:
        """Its name in rule files."""
        own = [getattr(self, field.name) for field in fields(self) if not field.kw_only]
        return next(name for name, first in self.variants.items() if own[: len(first)] == list(first))

    def settings(self) -> dict[str, Setting]:
        """The keys of such a box with their values, as `read` reads them."""
        return {key: getattr(self, key) for key in self.keys_of(self.name)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched(Scoring):
    """Dice that meet a condition: fixed points, the sum of all dice, or of just those that meet it.

    joker: the word for what a further yacht may stand for, where it may. made: the words for fixed points.
    """

    paid: ClassVar = ("points", "first_throw_points")
    joker: ClassVar[str] = ""
    made: ClassVar[str] = "pattern/are"

    points: int | None = None
    first_throw: int | None = None
    matching_only: bool = False

    @abstractmethod
    def matched(self, dice: Dice) -> Dice | None:
        """The best of the sorted dice that meet the condition; None if it is not met."""

    @abstractmethod
    def wanted(self) -> Message | str:
        """The condition in words."""

    def dice_words(self, found: Dice) -> Message | str | tuple[str, ...]:
        """The dice that meet it, in words."""
        return dashed(found)

    def worth(self, found: Dice, throw: int) -> BoxScore:
        """The points of dice that meet the condition, with a sentence.

        >>> from station.rules.scoring.yacht import Yacht
        >>> str(Yacht(points=20, first_throw=25).worth((1, 1, 1, 1, 1), throw=1).why)
        'worth 25 in the first throw'
        """
        if throw == 1 and self.first_throw is not None:
            return BoxScore(self.first_throw, Message("pattern/worth-first", points=self.first_throw))
        points = sum(found) if self.points is None else self.points
        return BoxScore(points, Message("pattern/worth", points=points))

    def score(self, dice: Dice, throw: int, *, wild: bool = False) -> BoxScore:
        """As Scoring.score. A wild yacht has its natural points where it counts as nothing else."""
        every = tuple(sorted(dice))
        if wild and self.joker and self.points is not None:
            points, words = self.worth(every, throw)
            return BoxScore(points, Message(f"pattern/{self.joker}/wild", worth=words))
        found = self.matched(every)
        if found is None:
            return BoxScore(0, Message("pattern/not-met", what=self.wanted()))
        if self.points is None:
            added = found if self.matching_only else every
            return add_up(self.dice_words(added), sum(added))
        points, words = self.worth(found, throw)
        return BoxScore(points, Message(self.made, dice=self.dice_words(found), worth=words))

    def how(self) -> Message:
        """As Scoring.how."""
        if self.points is not None:
            what = Message("pattern/fixed", what=self.wanted(), points=self.points)
            if self.first_throw is None:
                return what
            return Message("pattern/pays-first", what=what, points=self.first_throw)
        key = "pattern/sum-of-these" if self.matching_only else "pattern/sum-of-all"
        return Message(key, what=self.wanted())

    @classmethod
    def read_paid(cls, table: TomlTable) -> dict[str, Any]:
        """`points`: `"sum"` of all dice, `"matching"` for the sum of those that count, or a number."""
        if isinstance(table.value("points"), str):
            return {"matching_only": table.one_of("points", "sum", "matching") == "matching"}
        points = table.whole("points", -POINTS_MAX, POINTS_MAX)
        if not table.has("first_throw_points"):
            return {"points": points}
        return {"points": points, "first_throw": table.whole("first_throw_points", points, POINTS_MAX)}

    def settings(self) -> dict[str, Setting]:
        """As Scoring.settings."""
        added = "matching" if self.matching_only else "sum"
        paid = {"points": added if self.points is None else self.points} | Scoring.settings(self)
        return paid if self.first_throw is None else paid | {"first_throw_points": self.first_throw}


def add_up(dice: Message | str | tuple[str, ...], points: int) -> BoxScore:
    """The sum of these dice."""
    return BoxScore(points, Message("pattern/add-up", dice=dice, points=points))


def read_faces(table: TomlTable, key: str) -> Dice:
    """Faces of dice, sorted, as in [1, 3, 5]."""
    return tuple(sorted(table.numbers(key, FACES[0], FACES[-1])))
