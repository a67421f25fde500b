"""House rules: a rule set written by a family, as a TOML file (docs/house-rules.md explains it).

Every refusal names the line and the reason, and nothing is guessed: what scoring needs must be there, and a
key that is not known is an error, since it would otherwise be silently without effect.
"""

import re
from typing import Any

from messages.errors import BadInputError
from messages.message import Message, Value
from station.rules.builtin import BUILTIN
from station.rules.key_depth import deepest_key
from station.rules.ruleset import AGREED, Bonus, Box, FirstDie, Joker, RuleSet
from station.rules.scoring import PATTERNS
from station.rules.scoring.number import Number
from station.rules.scoring.yacht import Yacht
from station.rules.toml_table import LABEL_MAX, POINTS_MAX, TomlTable, shown

THROWS_MAX = 10
PLAYERS_MAX = 20
DEPTH_MAX = 8
"""Tables and lists in each other; house rules need three."""

HOUSE_RULES = Message("house-rules/name")
"""What a text is called that has no file, and the source of rules that name none."""

CATEGORIES = {category: pattern for pattern in PATTERNS for category in pattern.variants}
"""Category -> the pattern that reads and scores its box."""


def parse_rules(text: str, name: Message | str = HOUSE_RULES) -> RuleSet:
    """The rule set that a TOML text describes; `name` is what messages call the file.

    Raises BadInputError with the line and the reason for a hole, an unknown key or an impossible value.
    """
    import tomllib  # noqa: PLC0415 - built-in rule sets need none of it, and a command starts faster

    if deepest_key(text) > DEPTH_MAX:  # before parsing, which would take long
        raise BadInputError("house-rules/deep", code="rules/bad_file", file=name)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        # What tomllib (of Python 3.11) knows about the place stands in its message only.
        where = re.search(r"line (\d+)", str(error))
        line = int(where[1]) if where else text.count("\n") + 1
        reason = Message("house-rules/no-toml", why=str(error).partition(" (at ")[0])
        raise _bad(name, "at", line=line, reason=reason) from error
    except ValueError as error:
        raise _bad(name, "number") from error
    except RecursionError:
        raise _bad(name, "deep") from None
    if _deeper_than(DEPTH_MAX, values):
        raise _bad(name, "deep")
    return _rule_set(TomlTable(name, text, values))


def _bad(name: Message | str, why: str, **values: Value) -> BadInputError:
    return BadInputError(f"house-rules/{why}", code="rules/bad_file", file=name, **values)


def _deeper_than(levels: int, values: object) -> bool:
    """Whether tables and lists lie in each other deeper than that. In turns: no Python is asked to recur."""
    layer: list[Any] = [values]
    for _ in range(levels):
        parts = [each.values() if isinstance(each, dict) else each for each in layer]
        layer = [part for each in parts for part in each if isinstance(part, dict | list)]
    return bool(layer)


def _rule_set(file: TomlTable) -> RuleSet:
    """The rule set of the whole file."""
    file.only(
        "id",
        "title",
        "source",
        "starts",
        "first_die",
        "throws",
        "players",
        "bonus",
        "further_yachts",
        "box",
    )
    rules_id = file.text("id", LABEL_MAX)
    if not re.fullmatch(r"[a-z][a-z0-9-]*", rules_id):
        file.refuse("id", "id")
    if any(rules.id == rules_id for rules in BUILTIN):
        file.refuse("id", "taken-id", rules=rules_id)
    boxes = _boxes(file)
    joker, extra_yacht = _further_yachts(file, boxes)
    return RuleSet(
        id=rules_id,
        title=file.text("title"),
        source=file.text("source") if file.has("source") else HOUSE_RULES,
        starts=file.text("starts") if file.has("starts") else AGREED,
        first_die=FirstDie(file.one_of("first_die", *FirstDie)) if file.has("first_die") else None,
        throws=file.whole("throws", 1, THROWS_MAX),
        players=_players(file),
        boxes=boxes,
        bonus=_bonus(file, boxes),
        joker=joker,
        extra_yacht=extra_yacht,
    )


def _players(file: TomlTable) -> tuple[int, int]:
    """Fewest and most players; 1 to 12 where the file does not say."""
    if not file.has("players"):
        return (1, 12)
    found = file.value("players")
    if not (isinstance(found, list) and [type(each) for each in found] == [int, int]):
        file.refuse("players", "players", found=shown(found))
    fewest, most = found
    if not 1 <= fewest <= most <= PLAYERS_MAX:
        file.refuse("players", "players-range", most=PLAYERS_MAX, found=shown(found))
    return fewest, most


def _bonus(file: TomlTable, boxes: tuple[Box, ...]) -> Bonus | None:
    """The upper bonus, which must be within reach."""
    if not file.has("bonus"):
        return None
    table = file.table("bonus")
    table.only("threshold", "points")
    bonus = Bonus(table.whole("threshold", 1, POINTS_MAX), table.whole("points", 1, POINTS_MAX))
    most = 5 * sum(box.scoring.face for box in boxes if isinstance(box.scoring, Number))
    if bonus.threshold > most:
        table.refuse("threshold", "out-of-reach", threshold=bonus.threshold, most=most)
    return bonus


def _further_yachts(file: TomlTable, boxes: tuple[Box, ...]) -> tuple[Joker, int]:
    """What a yacht after the first may do, and what it brings on top."""
    if not file.has("further_yachts"):
        return Joker.NONE, 0
    table = file.table("further_yachts")
    table.only("joker", "points")
    if not any(isinstance(box.scoring, Yacht) for box in boxes):
        table.refuse(None, "no-yacht")
    return Joker(table.one_of("joker", *(joker.value for joker in Joker))), table.whole(
        "points", 0, POINTS_MAX
    )


def _boxes(file: TomlTable) -> tuple[Box, ...]:
    """All boxes in the order of the file, none of them twice."""
    boxes: list[Box] = []
    for table in file.tables("box"):
        box = _box(table)
        if any(other.category == box.category for other in boxes):
            table.refuse("category", "box-again", box=box.category)
        if any(other.label == box.label for other in boxes):
            table.refuse("label", "label-again", label=box.label)
        boxes.append(box)
    return tuple(boxes)


def _box(table: TomlTable) -> Box:
    """One box; which keys it takes depends on its category."""
    category = table.one_of("category", *CATEGORIES)
    scoring = CATEGORIES[category].read(table, category)
    return Box(category, table.text("label", LABEL_MAX), scoring)
