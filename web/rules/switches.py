"""House rules by switches: what families quarrel about, each with an example, changed in the text itself.

A switch changes one line or one table of the TOML text, so that all else somebody wrote there stays. What
could not be played with the rest of the rules is not offered.
"""

import json
import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, count
from typing import Annotated
from unicodedata import combining, normalize

from pydantic import Field

from messages.errors import BadInputError
from messages.message import Message
from station.contract.view import Text
from station.rules import RuleSet, parse_rules
from station.rules.dice import dashed
from station.rules.ruleset import Box, Counts, Section
from station.rules.scoring.full_house import FullHouse
from station.rules.written import OWN
from web.core.i18n import sentence

TABLE = re.compile(r"\s*\[\[?\s*([\w-]+)\s*\]\]?")
YES, NO = "true", "false"
ID_LETTERS = 20  # of a title; a number may follow
UPPER_FACES = 6
USUAL = "63"
"""The threshold of a bonus that goes without saying."""
ALIKE = 4
"""The face of the examples."""


@dataclass(frozen=True, slots=True)
class RuleOption:
    """One way to have it."""

    value: str
    label: Text


@dataclass(frozen=True, slots=True)
class RuleSwitch:
    """Something that is played one way or another."""

    key: str
    told: Annotated[Text, Field(description="What it is about.")]
    value: Annotated[str, Field(description="How it is now.")]
    example: Annotated[Text, Field(description="What follows from that, with dice.")]
    options: tuple[RuleOption, ...]


@dataclass(frozen=True, slots=True)
class _Kind:
    """values: all ways to have it, or () where it does not matter for these rules. now: how it is."""

    values: Callable[[RuleSet], tuple[str, ...]]
    now: Callable[[RuleSet], str]
    put: Callable[["_Text", RuleSet, str], None]
    example: Callable[[RuleSet], Message]


class _Text:
    """The text in lines, and the tables in it: changed line by line."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()

    def tables(self, name: str) -> list[tuple[int, int]]:
        """First line, and line after the last, of each table of that name; "" is what is above all."""
        heads = [(-1, "")] + [
            (number, found[1]) for number, line in enumerate(self.lines) if (found := TABLE.match(line))
        ]
        ends = [number for number, _ in heads[1:]] + [len(self.lines)]
        return [(start + 1, end) for (start, head), end in zip(heads, ends, strict=True) if head == name]

    def put(self, where: tuple[int, int], key: str, value: str | int | bool) -> None:  # noqa: FBT001 - a TOML value
        """Replace a line of a table."""
        line = f"{key} = {json.dumps(value, ensure_ascii=False)}"
        start, end = where
        for number in range(start, end):
            if re.match(rf"\s*{re.escape(key)}\s*=", self.lines[number]):
                self.lines[number] = line
                return
        while end > start and not self.lines[end - 1].strip():
            end -= 1
        self.lines.insert(end, line)

    def drop(self, name: str) -> None:
        """All tables of that name."""
        for start, end in reversed(self.tables(name)):
            del self.lines[start - 1 : end]

    def add(self, name: str, **values: str | int) -> None:
        """One more table at the end."""
        self.lines += ["", f"[{name}]", *(f"{key} = {json.dumps(each)}" for key, each in values.items())]


def _full_house(rules: RuleSet) -> Box | None:
    return next((box for box in rules.boxes if isinstance(box.scoring, FullHouse)), None)


def _put_full_house(text: _Text, rules: RuleSet, value: str) -> None:
    del rules
    for number, table in enumerate(tomllib.loads("\n".join(text.lines))["box"]):
        if table.get("pattern", table.get("category")) == "full-house":
            text.put(text.tables("box")[number], "five_of_a_kind", value == YES)


def _alike(rules: RuleSet) -> str:
    """A yacht of these rules, for an example."""
    return dashed((ALIKE,) * rules.group)


def _full_house_example(rules: RuleSet) -> Message:
    box = _full_house(rules)
    assert box is not None  # noqa: S101 - without one there is no such switch
    points = box.score((ALIKE,) * rules.group, 2).points
    return Message("page/switch/full_house_example", box=box.label, dice=_alike(rules), count=points)


def _joker_example(rules: RuleSet) -> Message:
    box = rules.yacht
    assert box is not None  # noqa: S101 - without one there is no such switch
    return Message(f"page/switch/joker_{rules.joker.value}", box=box.row, dice=_alike(rules))


def _plain_bonus(rules: RuleSet) -> bool:
    """Whether the sheet has the six faces, and no bonus but theirs."""
    upper = sum(box.section is Section.UPPER for box in rules.boxes)
    return upper == UPPER_FACES and not rules.columns and len(rules.bonuses) == (rules.bonus is not None)


def _bonus_now(rules: RuleSet) -> str:
    return f"{rules.bonus.threshold}/{rules.bonus.points}" if rules.bonus else "0/0"


def _bonus_values(rules: RuleSet) -> tuple[str, ...]:
    if not _plain_bonus(rules) or (rules.bonus and len(rules.bonus.steps) > 1):
        return ()
    return tuple(dict.fromkeys(("0/0", "63/35", "63/50", _bonus_now(rules))))


def _put_bonus(text: _Text, rules: RuleSet, value: str) -> None:
    threshold, points = map(int, value.split("/"))
    counts = rules.bonus.counts if rules.bonus else Counts.REACHED
    text.drop("bonus")
    if points:
        when = {"counts": counts.value} if counts is not Counts.REACHED else {}
        text.add("bonus", threshold=threshold, points=points, **when)


def _bonus_example(rules: RuleSet) -> Message:
    if rules.bonus is None:
        return Message("page/switch/bonus_none")
    return Message("page/switch/bonus_example", least=rules.bonus.threshold, count=rules.bonus.points)


def _put_further(text: _Text, rules: RuleSet, *, points: int, joker: str) -> None:
    del rules
    text.drop("further_yachts")
    if points or joker != "none":
        text.add("further_yachts", points=points, joker=joker)


def _flag(key: str, now: Callable[[RuleSet], bool], example: str) -> _Kind:
    return _Kind(
        values=lambda rules: (YES, NO),  # noqa: ARG005 - a way as any other
        now=lambda rules: YES if now(rules) else NO,
        put=lambda text, rules, value: text.put(text.tables("")[0], key, value == YES),  # noqa: ARG005 - as above
        example=lambda rules: Message(f"page/switch/{example}_{YES if now(rules) else NO}"),
    )


KINDS = {
    "throws": _Kind(
        values=lambda rules: tuple(dict.fromkeys(("2", "3", "4", str(rules.throws)))),
        now=lambda rules: str(rules.throws),
        put=lambda text, rules, value: text.put(text.tables("")[0], "throws", int(value)),  # noqa: ARG005 - as above
        example=lambda rules: Message("page/switch/throws_example", count=rules.throws - 1),
    ),
    "full_house": _Kind(
        values=lambda rules: (YES, NO) if _full_house(rules) else (),
        now=lambda rules: YES if getattr(_full_house(rules), "scoring", FullHouse()).five_of_a_kind else NO,
        put=_put_full_house,
        example=_full_house_example,
    ),
    "bonus": _Kind(_bonus_values, _bonus_now, _put_bonus, _bonus_example),
    "joker": _Kind(
        values=lambda rules: ("none", "wild", "forced") if rules.yacht else (),
        now=lambda rules: rules.joker.value,
        put=lambda text, rules, value: _put_further(text, rules, points=rules.extra_yacht, joker=value),
        example=_joker_example,
    ),
    "extra": _Kind(
        values=lambda rules: (
            tuple(dict.fromkeys(("0", "50", "100", str(rules.extra_yacht)))) if rules.yacht else ()
        ),
        now=lambda rules: str(rules.extra_yacht),
        put=lambda text, rules, value: _put_further(text, rules, points=int(value), joker=rules.joker.value),
        example=lambda rules: Message(
            "page/switch/extra_example", dice=_alike(rules), count=rules.extra_yacht
        ),
    ),
    "big_general": _flag("first_throw_wins", lambda rules: rules.first_throw_yacht_wins, "big_general"),
    "saved": _flag("saved_throws", lambda rules: rules.saved_throws, "saved"),
}


TRIED = frozenset({"throws", "bonus", "big_general", "saved"})
"""Which of them some rules do not allow: they are offered where they can be played."""


def switches(text: str) -> tuple[RuleSwitch, ...]:
    """The switches of these rules. Raises BadInputError for a text with a mistake."""
    rules = parse_rules(text)
    found = []
    for key, kind in KINDS.items():
        now = kind.now(rules)
        options = [
            each
            for each in kind.values(rules)
            if each == now or key not in TRIED or _possible(text, key, each)
        ]
        if len(options) > 1:
            listed = tuple(RuleOption(each, _label(key, each)) for each in options)
            found.append(RuleSwitch(key, Message(f"page/switch/{key}"), now, kind.example(rules), listed))
    return tuple(found)


def switched(text: str, key: str, value: str) -> str:
    """The text with that switch set. Raises BadInputError where the rules could not be played so."""
    rules = parse_rules(text)
    kind = KINDS.get(key)
    refused = BadInputError("web/rules/switch", code="rules/switch", switch=key, value=value)
    if kind is None or not kind.values(rules):
        raise refused
    changed = _Text(text)
    with suppress(ValueError):  # of nonsense, which is then not what it should be
        kind.put(changed, rules, value)
    after = "\n".join(changed.lines) + "\n"
    if kind.now(parse_rules(after)) != value:
        raise refused
    return after


def named(text: str, title: str, known: Mapping[str, str]) -> str:
    """The text under another title, and an id made of it, where letters of ids can say it.

    known: the titles of rules by their ids. Rules that are kept replace those of their id, so none gets the
    id of others.
    """
    own = parse_rules(text).id
    changed = _Text(text)
    changed.put(changed.tables("")[0], "title", title)
    plain = "".join(each for each in normalize("NFKD", title.casefold()) if not combining(each))
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    first = (slug if re.match("[a-z]", slug) else own)[:ID_LETTERS].strip("-")
    changed.put(
        changed.tables("")[0], "id", next(each for each in _ids(first) if known.get(each, title) == title)
    )
    after = "\n".join(changed.lines) + "\n"
    parse_rules(after)
    return after


def begun(text: str, taken: Collection[str]) -> str:
    """The text of rules of the station, under an id and a title of its own: it is to replace none.

    taken: the ids of the rules that are kept.
    """
    rules = parse_rules(text)
    changed = _Text(text)
    first, title = rules.id, sentence(rules.title)
    if not first.startswith(OWN):
        first, title = OWN + first, sentence(Message("rules/ours", title=rules.title))
    number, free = next((n, each) for n, each in enumerate(_ids(first), 1) if each not in taken)
    changed.put(changed.tables("")[0], "id", free)
    changed.put(changed.tables("")[0], "title", title if number == 1 else f"{title} ({number})")
    return "\n".join(changed.lines) + "\n"


def _ids(first: str) -> Iterator[str]:
    """That one, and with numbers from 2 on."""
    return chain([first], (f"{first}-{number}" for number in count(2)))


def _possible(text: str, key: str, value: str) -> bool:
    with suppress(BadInputError, tomllib.TOMLDecodeError):
        switched(text, key, value)
        return True
    return False


def _label(key: str, value: str) -> Message | str:
    if key in ("throws", "extra"):
        return value if value != "0" else Message("page/switch/off")
    if key == "bonus":
        threshold, _, points = value.partition("/")
        label = points if threshold == USUAL else f"{points} ({threshold})"
        return Message("page/switch/off") if value == "0/0" else label
    if key == "joker":
        return Message(f"page/switch/jokers/{value}")
    return Message(f"page/switch/{value}")
