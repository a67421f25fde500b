"""Everything that the parser answers to house rules of which one line is wrong, and how every box scores.

The answers are in `golden/`, in text that a person can read: `YACHT_RECORD=1` writes them anew.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import pytest

from messages.errors import BadInputError
from station.rules import Entry, Sheet, built_in, built_in_ids, explain, fill, legal_boxes
from station.rules.builtin import BUILTIN
from station.rules.dice import FACES
from station.rules.house import parse_rules
from station.rules.ruleset import Box, RuleSet
from station.rules.scoring import PATTERNS, Scoring
from station.rules.sentences import describe
from tests.recorded import assert_text_recorded
from tests.rules.house_files import (
    AGAIN,
    BY_THROW,
    COLUMNS,
    EDITS,
    EVERYTHING,
    GOOD,
    IN_COLUMNS,
    NAMED,
    NEVER,
)
from tests.wording import in_words

GOLDEN = Path(__file__).parent / "golden"
HEAD = 'id = "every"\ntitle = {en = "Every pattern", de = "Jedes Muster"}\nthrows = 2\n'


def boxes_of(pattern: type[Scoring], names: Iterable[str]) -> str:
    """Boxes of that pattern under these names, as house rules write them."""
    text = ""
    for name in names:
        keys = pattern.sample if not pattern.variants[name] else {"points": 9} if pattern.paid else {}
        lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items())
        text += f'[[box]]\ncategory = "{name}"\nlabel = "{name}"\n{lines}'
    return text


def first_and_last(pattern: type[Scoring]) -> list[str]:
    names = list(pattern.variants)
    return sorted({names[0], names[-1]})


HEAD_OF_EVERYTHING, _, BOXES_OF_EVERYTHING = EVERYTHING.partition("[[box]]")
FILES = {
    "good": ("", GOOD, ""),
    "everything": ("", EVERYTHING, ""),
    "columns": (HEAD_OF_EVERYTHING, COLUMNS, f"[[box]]{BOXES_OF_EVERYTHING}"),
    "bonuses-in-columns": (HEAD + COLUMNS, IN_COLUMNS, ""),
    "named": ("", NAMED, ""),
    "by-throw": ("", BY_THROW, ""),
    "never": ("", NEVER, ""),
    "again": ("", AGAIN, ""),
    **{f"pattern-{each.__name__}": (HEAD, boxes_of(each, first_and_last(each)), "") for each in PATTERNS},
}
"""What comes before the lines that are changed, these lines, and what comes after them."""
REMOVED = "(removed)"
TYPO = "(another key)"
VALUES = (
    REMOVED, TYPO, "0", "1", "7", "-2000", "20000", "true", '" "', '"sixes"', '"sixies"', '"Yacht"',
    f'"{"y" * 201}"', '{en = "Yacht", de = "Yams"}', '{en = ""}', "[]", "[2, 1]", "[6, 6, 12]",
    "[[1, 2], [3, 40000]]", "[[1, 10000], [3, 2]]", '["sixes", "yacht"]', '{joker = "wild", points = 3}', '"',
)  # fmt: skip
SHORT = {VALUES[12]: '"yyy…" (201 letters)'}
PLAYED = {"1", "7", VALUES[12], VALUES[-3]}
"""Values with which games may have been begun before they were refused."""
FEW = (
    REMOVED,
    "0",
    "1",
    "-2000",
    '"sixes"',
    '"Yacht"',
    "[2, 1]",
    "[[1, 10000], [3, 2]]",
    '["sixes", "yacht"]',
)
"""Values for the files whose lines are of a kind that the first two have, too."""


def changed_lines(text: str, values: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """For each line and value: the line, the value, and the text with it."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        key, sign, _ = line.partition(" = ")
        for value in values if sign else ():
            other = {REMOVED: "", TYPO: line.replace(" ", "s ", 1)}.get(value, f"{key} = {value}")
            yield f"{number + 1}: {line}", value, "\n".join([*lines[:number], other, *lines[number + 1 :]])


def parts(value: Any, name: str = "") -> dict[str, str]:
    """Every value within the rules, by where it is."""
    if is_dataclass(value):
        inner = {f"{name}.{each.name}": getattr(value, each.name) for each in fields(value)}
    elif isinstance(value, tuple) and any(is_dataclass(each) for each in value):
        inner = {f"{name}[{number}]": each for number, each in enumerate(value)}
    else:
        return {name: f"'{value}'" if isinstance(value, str) else in_words(value)}
    found: dict[str, str] = {}
    for place, each in inner.items():
        found |= parts(each, place)
    return found


def answer(text: str, plain: RuleSet | None, *, as_played: bool = False) -> list[str]:
    """Its mistakes; or what is other than in the plain rules, with the sentences that describe it."""
    mistakes: list[BadInputError] | None = None if as_played else []
    try:
        rules = parse_rules(text, "file", mistakes, as_played=as_played)
    except BadInputError as error:
        return [in_words(each.message).removeprefix("file, ") for each in mistakes or [error]]
    now, before = parts(rules), parts(plain) if plain else {}
    differences = [
        f"{place[1:]}: {before[place]} -> {now.get(place, 'none')}"
        if place in before
        else f"{place[1:]}: {now[place]}"
        for place in {**before, **now}
        if before.get(place) != now.get(place)
    ]
    sentences = [in_words(each) for each in describe(plain)] if plain else []
    return differences + [
        f"“{line.strip()}”" for line in map(in_words, describe(rules)) if line not in sentences
    ]


def plain_rules(name: str) -> RuleSet | None:
    """The rules of that file as it is; none where it is refused."""
    try:
        return parse_rules("".join(FILES[name]), "file")
    except BadInputError:
        return None


def answers(name: str) -> Iterator[str]:
    """What the parser answers to that file as it is, with each value in each line, and with each edit."""
    before, text, after = FILES[name]
    plain, usual = plain_rules(name), answer(f"{before}{text}{after}", None)
    yield from ["as it is", *usual]
    for line, value, other in changed_lines(text, VALUES if name in {"good", "everything"} else FEW):
        whole = f"{before}{other}\n{after}"
        found = answer(whole, plain)
        if not plain:
            gone = [f"no longer {each}" for each in usual if each not in found]
            found = gone + [each for each in found if each not in usual]
        yield f"\n{line} -> {SHORT.get(value, value)}"
        yield from found
        if value in PLAYED and (played := answer(whole, plain, as_played=True)) != found:
            yield from ["in a game that was begun with it:", *played]
    for old, edits in EDITS.get(name, {}).items():
        assert text.count(old) == 1, old
        for new in edits:
            yield f"\n{old!r} -> {new[:120]!r}"
            yield from answer(text.replace(old, new), plain)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.thorough] * ("pattern" not in name)) for name in FILES]
)
def test_the_parser_answers_as_recorded(name):
    assert_text_recorded(GOLDEN / "answers" / f"{name}.txt", "\n".join(answers(name)) + "\n")


ROLLS = [*combinations_with_replacement(FACES, 5)]
OF_PATTERNS = [parse_rules(HEAD + boxes_of(each, each.variants)).boxes for each in PATTERNS]
BOXES = {box.scoring: box for boxes in (*(each.boxes for each in BUILTIN), *OF_PATTERNS) for box in boxes}
CASES = (("", 2, False), (", in the first throw", 1, False), (", as a further yacht", 2, True))


def scores(box: Box) -> Iterator[str]:
    """Points and sentence of every roll; in a first throw and as a further yacht, of those that differ."""
    usual: dict[tuple[int, ...], str] = {}
    for case, throw, wild in CASES:
        rolls = defaultdict(list)
        for roll in ROLLS:
            points, why = box.score(roll, throw, wild=wild)
            line = f"{points}: {in_words(why)}"
            if usual.setdefault(roll, line) != line or not case:
                rolls[line].append("".join(map(str, roll)))
        if rolls:
            yield f"\n{box.scoring}{case}"
        for line, those in rolls.items():
            yield f"{line}: {' '.join(those)}"


@pytest.mark.thorough
def test_every_box_scores_every_roll_as_recorded():
    lines = [line for box in BOXES.values() for line in scores(box)]
    assert_text_recorded(GOLDEN / "scores.txt", "\n".join(lines) + "\n")


@pytest.mark.parametrize("rules_id", built_in_ids())
def test_rules_are_described_as_recorded(rules_id):
    lines = [in_words(line) for line in describe(built_in(rules_id))]
    assert_text_recorded(GOLDEN / "descriptions" / f"{rules_id}.txt", "\n".join(lines) + "\n")


def further_yachts(rules_id: str) -> Iterator[str]:
    """What five alike may fill, and what they bring, while the yacht box is open and once it is filled."""
    rules = built_in(rules_id)
    for points, face in product((None, 50, 0), FACES):
        sheet = Sheet() if points is None else Sheet((Entry(rules.yacht.category, points),))
        roll = (face,) * 5
        legal = legal_boxes(rules, sheet, roll)
        extra = fill(rules, sheet, legal[0], roll).entries[-1].extra
        worth = " ".join(f"{each} {explain(rules, each, roll, 2, sheet).points}" for each in legal)
        yield f"{rules_id}, yacht box {points}, {face}s: {worth} (+{extra})"


def test_further_yachts_fill_and_bring_what_is_recorded():
    lines = [line for each in built_in_ids() if built_in(each).yacht for line in further_yachts(each)]
    assert_text_recorded(GOLDEN / "further_yachts.txt", "\n".join(lines) + "\n")


@pytest.mark.parametrize("rules_id", built_in_ids())
def test_any_other_roll_may_fill_any_open_box(rules_id):
    rules = built_in(rules_id)
    sheet = Sheet(tuple(Entry(each.category, 50) for each in [rules.yacht] if each))
    for roll in ROLLS:
        if len(set(roll)) > 1:
            assert legal_boxes(rules, sheet, roll) == sheet.open(rules)
