"""A game of the family as a TOML file (docs/house-rules.md explains it).

Every refusal names the line and the reason, and nothing is guessed: what scoring needs must be there, and a
key that is not known is an error, since it would otherwise be silently without effect.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from messages.errors import BadInputError
from messages.message import Message, Value
from station.rules.builtin import BUILTIN
from station.rules.dice import DICE_MAX
from station.rules.key_depth import deepest_key
from station.rules.reach import can_score, reach
from station.rules.ruleset import AGREED, Bonus, Box, Column, Counts, FirstDie, Joker, Order, RuleSet
from station.rules.scoring import PATTERNS
from station.rules.scoring.yacht import Yacht
from station.rules.toml_table import BOXES_MAX, EVER, LABEL_MAX, POINTS_MAX, TomlTable, shortened

DICE, THROWS = 5, 3  # what a file is read on with that names none that will do
THROWS_MAX = 10
PLAYERS_MAX = 20
COLUMNS_MAX = 6
FACTOR_MAX = 10
DEPTH_MAX = 8
"""Tables and lists in each other; house rules need three."""
SIZE_MAX_BYTES = 64 * 1024
NAME = re.compile(r"[a-z][a-z0-9-]*")
NO_FURTHER = (Joker.NONE, 0)

HOUSE_RULES = Message("house-rules/name")
"""The name of a text without a file, and the source of rules that name none."""

CATEGORIES = {category: pattern for pattern in PATTERNS for category in pattern.variants}
"""Name of a pattern in files -> the pattern that reads and scores its box."""

OF_BOXES = frozenset(
    ("no-such-box", "par", "bonus-for-nothing", "bonus-never", "out-of-reach", "no-yacht", "too-many")
)
"""Reasons that a mistake in a box may bring about."""

Found = TypeVar("Found")

KEYS = (
    "id", "title", "source", "starts", "first_die", "dice", "throws", "saved_throws", "players",
    "simultaneous", "first_throw_wins", "count_only", "column", "bonus", "further_yachts", "box",
)  # fmt: skip


def parse_rules(
    text: str,
    name: Message | str = HOUSE_RULES,
    mistakes: list[BadInputError] | None = None,
    *,
    as_played: bool = False,
) -> RuleSet:
    """The rule set that a TOML text describes; `name` is what messages call the file.

    as_played: of a game that was begun with it: what can be read is taken, whatever is refused today.

    Raises BadInputError with line, column and reason for a hole, an unknown key or an impossible value: the
    first of them. All that were found before are put into `mistakes`, where that is given.
    """
    import tomllib  # noqa: PLC0415 - built-in rule sets need none of it, and a command starts faster

    if not as_played and len(text.encode()) > SIZE_MAX_BYTES:
        raise BadInputError("house-rules/too-large", code="rules/bad_file")
    if deepest_key(text) > DEPTH_MAX:  # before parsing, which would take long
        raise BadInputError("house-rules/deep", code="rules/bad_file", file=name)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        # What tomllib (of Python 3.11) knows about the place is in its message only.
        where = re.search(r"line (\d+), column (\d+)", str(error))
        line = int(where[1]) if where else text.count("\n") + 1
        column = int(where[2]) if where else len(text) - text.rfind("\n")
        reason = Message("house-rules/no-toml", why=str(error).partition(" (at ")[0])
        raise _bad(name, "at", line=line, column=column, reason=reason) from error
    except ValueError as error:
        raise _bad(name, "number") from error
    except RecursionError:
        raise _bad(name, "deep") from None
    if _deeper_than(DEPTH_MAX, values):
        raise _bad(name, "deep")
    return _Reading(TomlTable(name, text, values, as_played=as_played), mistakes).rule_set()


def _bad(name: Message | str, why: str, **values: Value) -> BadInputError:
    return BadInputError(f"house-rules/{why}", code="rules/bad_file", file=name, **values)


def _deeper_than(levels: int, values: object) -> bool:
    """Whether tables and lists are nested deeper than that. Without recursion, which has a limit."""
    layer: list[Any] = [values]
    for _ in range(levels):
        parts = [each.values() if isinstance(each, dict) else each for each in layer]
        layer = [part for each in parts for part in each if isinstance(part, dict | list)]
    return bool(layer)


class _Reading:
    """One file being read: its rows, which are in every column, and what follows from them."""

    def __init__(self, file: TomlTable, mistakes: list[BadInputError] | None) -> None:
        self._file, self._mistakes = file, mistakes
        self._columns: list[Column] = []
        self._named: dict[str, tuple[Box, ...]] = {}
        """The rows by the category that the file gives them; several of one kind have one."""

    @property
    def _rows(self) -> tuple[Box, ...]:
        return tuple(row for rows in self._named.values() for row in rows)

    def rule_set(self) -> RuleSet:
        """The rule set of the whole file."""
        file = self._file
        self._take(lambda: file.only(*KEYS), None)
        self._dice = self._take(lambda: file.count("dice", DICE_MAX) if file.has("dice") else DICE, DICE)
        self._throws = self._take(lambda: file.count("throws", THROWS_MAX), THROWS)
        head = {key: self._take(read, None) for key, read in self._head().items()}
        for table in self._limited("column", COLUMNS_MAX) if file.has("column") else ():
            self._take(partial(self._read_column, table), None)
        before = len(self._mistakes or ())
        for table in self._limited("box", BOXES_MAX):
            self._take(partial(self._read_row, table), None)
        if self._mistakes:
            self._look_for_more(OF_BOXES if len(self._mistakes) > before else frozenset())
            raise self._mistakes[0]
        self._few(len(self._rows) * max(len(self._columns), 1), None, BOXES_MAX)
        boxes = self._boxes()
        joker, extra_yacht = self._take(lambda: self._further_yachts(boxes), NO_FURTHER)
        columns = tuple(self._columns)
        plain = RuleSet(**head, boxes=boxes, columns=columns, joker=joker, extra_yacht=extra_yacht)
        found = replace(plain, bonuses=self._bonuses(plain))
        self._take(lambda: self._check(found), None)
        if self._mistakes:
            raise self._mistakes[0]
        return found

    def _look_for_more(self, follow: frozenset[str]) -> None:
        """Mistakes in what comes after the boxes, but for those that follow from others, by their reasons."""
        assert self._mistakes is not None  # noqa: S101 - nobody looks for more where one is enough
        before = len(self._mistakes)
        rules = RuleSet("", "", self._rows, "", dice=self._dice)
        self._take(lambda: self._further_yachts(rules.boxes), None)
        self._bonuses(rules)
        self._mistakes[before:] = [each for each in self._mistakes[before:] if not _is_one_of(each, follow)]

    def _check(self, rules: RuleSet) -> None:
        """Refuse what cannot be played together."""
        file = self._file
        if all(box.optional for box in rules.boxes):
            file.judge(None, "all-optional")
        if rules.saved_throws and any(
            box.served or getattr(box.scoring, "first_throw", None) is not None for box in rules.boxes
        ):
            file.judge("saved_throws", "saved-served")
        if rules.saved_throws and (rules.throws == 1 or rules.simultaneous):
            file.judge("saved_throws", "saved-alone")
        if rules.simultaneous and rules.first_throw_yacht_wins:
            file.judge("first_throw_wins", "first-throw-together")
        if rules.dice == 1 and rules.first_throw_yacht_wins:
            file.judge("first_throw_wins", "first-throw-one-die")
        alone = rules.simultaneous or rules.saved_throws or rules.throws == 1
        announced = any(box.announced for box in rules.boxes)
        if alone and announced:
            file.judge(None, "announced-alone")
        if announced and any(isinstance(box.served, tuple) for box in rules.boxes):
            file.judge(None, "announced-served")
        if rules.bonus_only and not rules.bonuses:
            file.judge("count_only", "count-nothing")

    def _take(self, read: Callable[[], Found], otherwise: Found) -> Found:
        """Read a part; a mistake in it is kept where somebody wants all of them."""
        try:
            return read()
        except BadInputError as error:
            if self._mistakes is None:
                raise
            self._mistakes.append(error)
        return otherwise

    def _head(self) -> dict[str, Callable[[], Any]]:
        """Readers of the keys at the top of the file."""
        file = self._file
        first = FirstDie if file.has("first_die") else None
        return {
            "id": lambda: _id(file),
            "title": lambda: file.words("title"),
            "source": lambda: file.words("source") if file.has("source") else HOUSE_RULES,
            "starts": lambda: file.words("starts") if file.has("starts") else AGREED,
            "first_die": lambda: first and first(file.one_of("first_die", *first)),
            "dice": lambda: self._dice,
            "throws": lambda: self._throws,
            "saved_throws": lambda: file.flag("saved_throws"),
            "players": lambda: _players(file),
            "simultaneous": lambda: file.flag("simultaneous"),
            "first_throw_yacht_wins": lambda: file.flag("first_throw_wins"),
            "bonus_only": lambda: file.has("count_only") and file.one_of("count_only", "bonus") == "bonus",
        }

    def _limited(self, key: str, most: int) -> tuple[TomlTable, ...]:
        """The tables of that name, not too many."""
        tables = self._file.tables(key)
        self._few(len(tables), key, most)
        return tables

    def _few(self, count: int, key: str | None, most: int) -> None:
        """Refuse more of something than a sheet has room for."""
        values: dict[str, Value] = {"key": key or "box", "most": most}
        if count > EVER * most:
            self._file.refuse(key, "too-many", **values)
        if count > most:
            self._file.judge(key, "too-many", **values)

    def _read_column(self, table: TomlTable) -> None:
        """One of the columns, where the sheet has several."""
        table.only("id", "label", "order", "factor", "announced")
        column_id = table.text("id", LABEL_MAX)
        if not NAME.fullmatch(column_id) or any(each.id == column_id for each in self._columns):
            table.refuse("id", "column-id", found=shortened(column_id))
        order = Order(table.one_of("order", *Order)) if table.has("order") else Order.FREE
        factor = table.whole("factor", 1, FACTOR_MAX) if table.has("factor") else 1
        label = table.words("label", LABEL_MAX)
        self._columns.append(Column(column_id, label, order, table.flag("announced"), factor))

    def _read_row(self, table: TomlTable) -> None:
        """One row of the sheet, or several of one kind."""
        pattern = table.one_of("pattern" if table.has("pattern") else "category", *CATEGORIES)
        category = table.text("category", LABEL_MAX)
        if not NAME.fullmatch(category):
            table.refuse("category", "box-id")
        scoring = CATEGORIES[pattern].read(table, pattern)
        box = Box(
            category=category,
            label=table.words("label", LABEL_MAX),
            scoring=scoring,
            factor=table.whole("factor", -FACTOR_MAX, FACTOR_MAX) if table.has("factor") else 1,
            plus=table.whole("plus", -POINTS_MAX, POINTS_MAX) if table.has("plus") else 0,
            served=self._served(table) if table.has("served") else 0,
            after=table.text("after", LABEL_MAX) if table.has("after") else "",
            optional=table.flag("optional"),
            announced=table.flag("announced"),
        )
        count = table.count("count", 10) if table.has("count") else 1
        rows = [box] + [
            replace(
                box, category=f"{category}-{number}", label=Message("rules/nth", box=box.label, number=number)
            )
            for number in range(2, count + 1)
        ]
        if getattr(box.scoring, "points", None) != 0 and not can_score(box, self._dice, self._throws):
            table.judge("category", "impossible", box=box.label, dice=self._dice, what=box.scoring.how())
        if len(self._rows) + count > BOXES_MAX:
            table.judge("count", "too-many", key="box", most=BOXES_MAX)
        if box.after and box.after not in self._named:
            names = tuple(self._named)
            table.refuse("after", "after" if names else "after-none", box=box.after, known=names)
        for row in rows:
            if any(other.category == row.category for other in self._rows):
                table.refuse("category", "box-again", box=row.category)
            if any(other.label == row.label for other in self._rows):
                table.judge("label", "label-again", label=row.label)
        self._named[category] = tuple(rows)

    def _served(self, table: TomlTable) -> int | tuple[int, ...]:
        """Points on top by the number of the throw: for the first alone, or a list for the first ones."""
        if not isinstance(table.value("served"), list):
            return table.whole("served", 0, POINTS_MAX)
        points = table.numbers("served", 0, POINTS_MAX)
        if len(points) > self._throws:
            table.judge("served", "served-throws", throws=self._throws)
        return points

    def _boxes(self) -> tuple[Box, ...]:
        """Every row in every column."""
        if not self._columns:
            return self._rows
        return tuple(
            replace(
                row,
                category=f"{column.id}-{row.category}",
                label=Message("rules/in-column", box=row.label, column=column.label),
                column=column.id,
                factor=row.factor * column.factor,
                after=f"{column.id}-{row.after}" if row.after else "",
                announced=row.announced or column.announced,
            )
            for column in self._columns
            for row in self._rows
        )

    def _further_yachts(self, boxes: tuple[Box, ...]) -> tuple[Joker, int]:
        """The rights of a yacht after the first, and its bonus."""
        if not self._file.has("further_yachts"):
            return NO_FURTHER
        table = self._file.table("further_yachts")
        table.only("joker", "points")
        if not any(isinstance(box.scoring, Yacht) for box in boxes):
            table.judge(None, "no-yacht")
        return Joker(table.one_of("joker", *Joker)), table.whole("points", 0, POINTS_MAX)

    def _bonuses(self, rules: RuleSet) -> tuple[Bonus, ...]:
        """Every bonus, in every column."""
        if not self._file.has("bonus"):
            return ()
        many = isinstance(self._file.value("bonus"), list)
        tables = self._limited("bonus", BOXES_MAX) if many else (self._file.table("bonus"),)
        read = partial(_read_bonus, rules=rules, rows=self._named, columns=self._columns)
        found = (self._take(partial(read, table), None) for table in tables)
        return tuple(bonus for each in found for bonus in each or ())


def _id(file: TomlTable) -> str:
    """The id, which no other rule set has."""
    found = file.text("id", LABEL_MAX)
    if not NAME.fullmatch(found):
        file.judge("id", "id")
    if any(rules.id == found for rules in BUILTIN):
        file.judge("id", "taken-id", rules=found)
    return found


def _is_one_of(error: BadInputError, reasons: frozenset[str]) -> bool:
    """Whether a mistake has one of these reasons."""
    reason = error.message.values.get("reason")
    return isinstance(reason, Message) and reason.key.removeprefix("house-rules/") in reasons


def _players(file: TomlTable) -> tuple[int, int]:
    """Fewest and most players; 1 to 12 where the file does not say."""
    if not file.has("players"):
        return (1, 12)
    found = file.value("players")
    if not (isinstance(found, list) and [type(each) for each in found] == [int, int]):
        file.refuse("players", "players", found=shortened(found))
    fewest, most = found
    if not 1 <= fewest <= most <= PLAYERS_MAX:
        file.judge("players", "players-range", most=PLAYERS_MAX, found=shortened(found))
    return fewest, most


def _read_bonus(
    table: TomlTable, *, rules: RuleSet, rows: Mapping[str, Sequence[Box]], columns: Sequence[Column]
) -> list[Bonus]:
    """One bonus, once for every column.

    rows: by the category that the file gives them, the rows of the sheet, which are in every column;
    `rules` has them in their columns. Raises BadInputError for what cannot be.
    """
    table.only("threshold", "points", "steps", "complete", "par", "each", "each_box", "boxes", "counts")
    every = table.has("boxes") and table.value("boxes") == "all"
    named = _boxes_of_bonus(table, rows) if table.has("boxes") and not every else ()
    members = [
        row
        for each in rows.values()
        for row in each
        if every or (row.category in named if named else row.section == "upper")
    ]
    factors = [column.factor for column in columns] or [1]
    one = _in_one_column(table, rules, members, sum(factors) if every else 1)
    if table.has("counts"):
        one = replace(one, counts=Counts(table.one_of("counts", *Counts)))
    if every:
        par = tuple(par * factor for factor in factors for par in one.par)
        return [replace(one, boxes=rules.categories, par=par)]
    if not columns:
        return [replace(one, boxes=named)]
    return [
        replace(
            one,
            boxes=tuple(f"{column.id}-{row.category}" for row in members),
            steps=tuple((least * column.factor, points * column.factor) for least, points in one.steps),
            par=tuple(par * column.factor for par in one.par),
            each_box=one.each_box * column.factor,
        )
        for column in columns
    ]


def _boxes_of_bonus(table: TomlTable, rows: Mapping[str, Sequence[Box]]) -> tuple[str, ...]:
    """The categories of the boxes that a bonus names."""
    found: list[str] = []
    for name in table.texts("boxes"):
        if name not in rows:
            table.refuse("boxes", "no-such-box", box=name, known=tuple(rows))
        found += [row.category for row in rows[name]]
    return tuple(found)


def _in_one_column(table: TomlTable, rules: RuleSet, members: list[Box], times: int) -> Bonus:
    """A bonus as it is for one column, whose boxes `members` are. times: how often they count together."""
    if not members:
        table.refuse(None, "bonus-for-nothing")
    if table.has("par"):
        par = table.numbers("par", 0, POINTS_MAX, BOXES_MAX)
        if len(par) != len(members):
            table.refuse("par", "par", count=len(members))
        return Bonus(par=par, each=table.whole("each", -100, 100) if table.has("each") else 1)
    most_of = [max(reach(box, rules.group, rules.throws)[1], 0) for box in members]
    if table.has("each_box"):
        if not any(most_of):
            table.judge("each_box", "bonus-never", box=members[0].label)
        return Bonus(each_box=table.whole("each_box", -POINTS_MAX, POINTS_MAX))
    if table.flag("complete"):
        if 0 in most_of:
            table.judge("complete", "bonus-never", box=members[most_of.index(0)].label)
        return Bonus(((1, table.whole("points", -POINTS_MAX, POINTS_MAX)),), complete=True)
    most = times * sum(most_of)
    if table.has("steps"):
        key, steps = "steps", table.pairs("steps")
    else:
        key, threshold = "threshold", table.whole("threshold", 1, 10 * POINTS_MAX)
        steps = ((threshold, table.whole("points", 1, POINTS_MAX)),)
    if steps[0][0] > most:
        table.judge(key, "out-of-reach", threshold=steps[0][0], most=most)
    return Bonus(steps)
