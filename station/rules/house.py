"""House rules: a rule set written by a family, as a TOML file (docs/house-rules.md explains it).

Every refusal names the line and the reason, and nothing is guessed: what scoring needs must be there, and a
key that is not known is an error, since it would otherwise be silently without effect.
"""

import re
import tomllib
from collections.abc import Callable
from functools import partial
from typing import Any, Final, Never

from messages.errors import BadInputError
from station.rules.builtin import BUILTIN
from station.rules.ruleset import Bonus, Box, Joker, RuleSet
from station.rules.scoring import (
    AceStraight,
    Choice,
    Exactly,
    FullHouse,
    Number,
    OfAKind,
    Run,
    Scoring,
    TwoPairs,
    Yacht,
)
from station.rules.toml_lines import line_of

POINTS_MAX = 1000
THROWS_MAX = 10
PLAYERS_MAX = 20
TEXT_MAX = 200
LABEL_MAX = 24

_FACES: Final = ("ones", "twos", "threes", "fours", "fives", "sixes")
_IN_A_ROW: Final[tuple[tuple[str, Callable[[int, int | None], Scoring]], ...]] = (
    ("little-straight", lambda points, first: Exactly((1, 2, 3, 4, 5), points, first)),
    ("big-straight", lambda points, first: Exactly((2, 3, 4, 5, 6), points, first)),
    ("small-straight", lambda points, first: Run(4, points, first)),
    ("large-straight", lambda points, first: Run(5, points, first)),
    ("straight", AceStraight),
    ("yacht", Yacht),
)
_ALIKE: Final = (("pair", 2), ("three-of-a-kind", 3), ("four-of-a-kind", 4))


class _Table:
    """One table of the file: hands out its values, checked, and knows the line of each."""

    def __init__(self, name: str, text: str, path: tuple[str | int, ...], values: dict[str, Any]) -> None:
        self._name, self._text, self._path, self._values = name, text, path, values

    def refuse(self, key: str | None, reason: str) -> Never:
        """Raise BadInputError for that key, or for the table as a whole."""
        path = self._path if key is None else (*self._path, key)
        raise BadInputError(
            f"{self._name}, line {line_of(self._text, path)}: {reason}", code="rules/bad_file"
        )

    def only(self, *known: str) -> None:
        """Refuse the first key that is none of these."""
        for key in self._values:
            if key not in known:
                self.refuse(key, f"the key {key!r} is not known here; known are {', '.join(known)}.")

    def has(self, key: str) -> bool:
        """Whether the key is there."""
        return key in self._values

    def value(self, key: str) -> Any:
        """The value as it stands; refused where the key is missing."""
        if key not in self._values:
            self.refuse(None, f"{key!r} is missing.")
        return self._values[key]

    def whole(self, key: str, low: int, high: int) -> int:
        """A whole number of that range."""
        found = self.value(key)
        if isinstance(found, bool) or not isinstance(found, int) or not low <= found <= high:
            self.refuse(key, f"{key!r} must be a whole number from {low} to {high}, not {found!r}.")
        return int(found)

    def text(self, key: str, most: int = TEXT_MAX) -> str:
        """A text of at least one and at most so many characters."""
        found = self.value(key)
        if not isinstance(found, str) or not found.strip() or len(found) > most:
            self.refuse(key, f"{key!r} must be a text of 1 to {most} characters, not {found!r}.")
        return found.strip()

    def truth(self, key: str) -> bool:
        """True or false."""
        found = self.value(key)
        if not isinstance(found, bool):
            self.refuse(key, f"{key!r} must be true or false, not {found!r}.")
        return found

    def one_of(self, key: str, *choices: str) -> str:
        """One of a few words."""
        found = self.value(key)
        if found not in choices:
            self.refuse(key, f"{key!r} must be {' or '.join(map(repr, choices))}, not {found!r}.")
        return str(found)

    def table(self, key: str) -> "_Table":
        """The table of that name."""
        found = self.value(key)
        if not isinstance(found, dict):
            self.refuse(key, f"{key!r} must be a table, written as [{key}].")
        return _Table(self._name, self._text, (*self._path, key), found)

    def tables(self, key: str) -> "tuple[_Table, ...]":
        """The tables of that name, one or more."""
        found = self.value(key)
        if not isinstance(found, list) or not found or not all(isinstance(each, dict) for each in found):
            self.refuse(key, f"{key!r} must be a list of tables, each written as [[{key}]].")
        return tuple(
            _Table(self._name, self._text, (*self._path, key, index), each)
            for index, each in enumerate(found)
        )


def parse_rules(text: str, name: str = "house rules") -> RuleSet:
    """The rule set that a TOML text describes; `name` is what messages call the file.

    Raises BadInputError with the line and the reason for a hole, an unknown key or an impossible value.
    """
    try:
        return _parse(text, name)
    except RecursionError:  # of the parser itself, or of showing a value that is too deep
        raise BadInputError(
            f"{name}: this is nested deeper than any house rules.", code="rules/bad_file"
        ) from None


def _parse(text: str, name: str) -> RuleSet:
    """As `parse_rules`, for texts that are not nested too deep."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"line (\d+)", str(error))
        line = where[1] if where else str(text.count("\n") + 1)
        reason = str(error).split(" (at ", maxsplit=1)[0]
        raise BadInputError(
            f"{name}, line {line}: this is not TOML: {reason}.", code="rules/bad_file"
        ) from error
    except ValueError as error:
        raise BadInputError(f"{name}: a number in it is far too long.", code="rules/bad_file") from error
    return _rule_set(_Table(name, text, (), values))


def _rule_set(file: _Table) -> RuleSet:
    """The rule set of the whole file."""
    file.only("id", "title", "source", "starts", "throws", "players", "bonus", "further_yachts", "box")
    rules_id = file.text("id", LABEL_MAX)
    if not re.fullmatch(r"[a-z][a-z0-9-]*", rules_id):
        file.refuse("id", "'id' must be small letters, digits and hyphens, beginning with a letter.")
    if any(rules.id == rules_id for rules in BUILTIN):
        file.refuse("id", f"{rules_id!r} comes with the station; choose another id.")
    boxes = _boxes(file)
    joker, extra_yacht = _further_yachts(file, boxes)
    return RuleSet(
        id=rules_id,
        title=file.text("title"),
        source=file.text("source") if file.has("source") else "house rules",
        starts=file.text("starts") if file.has("starts") else "the players agree who starts",
        throws=file.whole("throws", 1, THROWS_MAX),
        players=_players(file),
        boxes=boxes,
        bonus=_bonus(file, boxes),
        joker=joker,
        extra_yacht=extra_yacht,
    )


def _players(file: _Table) -> tuple[int, int]:
    """Fewest and most players; 1 to 8 where the file does not say."""
    if not file.has("players"):
        return (1, 8)
    found = file.value("players")
    if not (isinstance(found, list) and [type(each) for each in found] == [int, int]):
        file.refuse("players", f"'players' must be [fewest, most], not {found!r}.")
    fewest, most = found
    if not 1 <= fewest <= most <= PLAYERS_MAX:
        file.refuse("players", f"'players' must lie within 1 and {PLAYERS_MAX}, fewest first, not {found!r}.")
    return fewest, most


def _bonus(file: _Table, boxes: tuple[Box, ...]) -> Bonus | None:
    """The upper bonus, which must be within reach."""
    if not file.has("bonus"):
        return None
    table = file.table("bonus")
    table.only("threshold", "points")
    bonus = Bonus(table.whole("threshold", 1, POINTS_MAX), table.whole("points", 1, POINTS_MAX))
    most = 5 * sum(box.scoring.face for box in boxes if isinstance(box.scoring, Number))
    if bonus.threshold > most:
        table.refuse(
            "threshold",
            f"a threshold of {bonus.threshold} is out of reach: the upper boxes hold at most {most}.",
        )
    return bonus


def _further_yachts(file: _Table, boxes: tuple[Box, ...]) -> tuple[Joker, int]:
    """What a yacht after the first may do, and what it brings on top."""
    if not file.has("further_yachts"):
        return Joker.NONE, 0
    table = file.table("further_yachts")
    table.only("joker", "points")
    if not any(isinstance(box.scoring, Yacht) for box in boxes):
        table.refuse(None, "there are no further yachts without a box 'yacht'.")
    return Joker(table.one_of("joker", *(joker.value for joker in Joker))), table.whole(
        "points", 0, POINTS_MAX
    )


def _boxes(file: _Table) -> tuple[Box, ...]:
    """All boxes in the order of the file, none of them twice."""
    boxes: list[Box] = []
    for table in file.tables("box"):
        box = _box(table)
        if any(other.category == box.category for other in boxes):
            table.refuse("category", f"the box {box.category!r} is there already.")
        if any(other.label == box.label for other in boxes):
            table.refuse("label", f"the label {box.label!r} is taken already.")
        boxes.append(box)
    return tuple(boxes)


def _box(table: _Table) -> Box:
    """One box; which keys it takes depends on its category."""
    scorings = _scorings()
    category = table.one_of("category", *scorings)
    scoring = scorings[category](table)
    return Box(category, table.text("label", LABEL_MAX), scoring)


def _scorings() -> dict[str, Callable[[_Table], Scoring]]:
    """For every category the function that reads its box."""
    readers: dict[str, Callable[[_Table], Scoring]] = {
        category: partial(_without_points, scoring=Number(face))
        for face, category in enumerate(_FACES, start=1)
    }
    readers.update((category, partial(_of_a_kind, count=count)) for category, count in _ALIKE)
    readers["two-pairs"] = partial(_without_points, scoring=TwoPairs())
    readers["full-house"] = _full_house
    readers.update((category, partial(_fixed, make=make)) for category, make in _IN_A_ROW)
    readers["choice"] = partial(_without_points, scoring=Choice())
    return readers


def _fixed(table: _Table, make: Callable[[int, int | None], Scoring]) -> Scoring:
    """A box of fixed points."""
    return make(*_points(table))


def _without_points(table: _Table, scoring: Scoring) -> Scoring:
    """A box whose points follow from the dice."""
    table.only("category", "label")
    return scoring


def _points(table: _Table, *further_keys: str) -> tuple[int, int | None]:
    """Fixed points, and those for making the box in the first throw."""
    table.only("category", "label", "points", "first_throw_points", *further_keys)
    points = table.whole("points", 0, POINTS_MAX)
    if not table.has("first_throw_points"):
        return points, None
    return points, table.whole("first_throw_points", points, POINTS_MAX)


def _of_a_kind(table: _Table, count: int) -> Scoring:
    """So many alike: fixed points, "sum" of all dice, or the "matching" dice only."""
    if table.value("points") in {"sum", "matching"}:
        table.only("category", "label", "points")
        return OfAKind(count, matching_only=table.value("points") == "matching")
    if isinstance(table.value("points"), str):
        table.one_of("points", "sum", "matching")
    return OfAKind(count, *_points(table))


def _full_house(table: _Table) -> Scoring:
    """Three and two: fixed points or the "sum" of all dice; with five alike or without."""
    if table.value("points") == "sum":
        table.only("category", "label", "points", "five_of_a_kind")
        return FullHouse(yacht_counts=table.truth("five_of_a_kind"))
    if isinstance(table.value("points"), str):
        table.one_of("points", "sum")
    points, first_throw = _points(table, "five_of_a_kind")
    return FullHouse(points, first_throw, yacht_counts=table.truth("five_of_a_kind"))
