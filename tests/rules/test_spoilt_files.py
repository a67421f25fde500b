"""House rules of which one line says something else: what is refused, and with which words, stays the same.

Each line of some files gets each of some values in turn. What the parser says of it, all mistakes or the
rules that come out, is kept as a digest (`golden/spoilt.json`); so is what each pattern says of every roll.
After a change that is meant `python -m tests.rules.test_spoilt_files` keeps them anew; with a name it prints
what is said.
"""

import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations_with_replacement, product
from pathlib import Path

import pytest

from messages.errors import BadInputError
from messages.message import Message
from station.rules.dice import FACES
from station.rules.house import parse_rules
from station.rules.scoring import PATTERNS
from station.rules.sentences import describe
from tests.rules.house_files import AGAIN, COLUMNS, EVERYTHING, GOOD, IN_COLUMNS, NAMED, NEVER

GOLDEN = Path(__file__).parent / "golden" / "spoilt.json"


HEAD = 'id = "every"\ntitle = {en = "Every pattern", de = "Jedes Muster"}\nthrows = 2\n'


def every_pattern() -> Iterator[tuple[str, str]]:
    """Each pattern with a file that has its first and its last box."""
    for pattern in PATTERNS:
        boxes = ""
        for name in sorted({next(iter(pattern.variants)), list(pattern.variants)[-1]}):
            keys = pattern.sample if not pattern.variants[name] else {"points": 9} if pattern.paid else {}
            lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items())
            boxes += f'[[box]]\ncategory = "{name}"\nlabel = "{name}"\n{lines}'
        yield pattern.__name__, boxes


FILES = {
    "good": ("", GOOD, ""),
    "everything": ("", EVERYTHING, ""),
    "columns": (EVERYTHING.partition("[[box]]")[0], COLUMNS, "".join(EVERYTHING.partition("[[box]]")[1:])),
    "columned": (HEAD + COLUMNS, IN_COLUMNS, ""),
    "named": ("", NAMED, ""),
    "never": ("", NEVER, ""),
    "again": ("", AGAIN, ""),
    **{name: (HEAD, boxes, "") for name, boxes in every_pattern()},
}
"""What stands before the lines that are spoilt, these lines, and what stands after them."""
INSTEAD = {
    "gone": "",
    "zero": "0",
    "one": "1",
    "seven": "7",
    "below": "-2000",
    "much": "20000",
    "true": "true",
    "blank": '" "',
    "sixes": '"sixes"',
    "typo": '"sixies"',
    "capital": '"Yacht"',
    "long": f'"{"y" * 201}"',
    "words": '{en = "Yacht", de = "Yams"}',
    "no-words": '{en = ""}',
    "list": "[]",
    "numbers": "[2, 1]",
    "faces": "[6, 6, 12]",
    "pair": "[[1, 2], [3, 40000]]",
    "pairs": "[[1, 10000], [3, 2]]",
    "names": '["sixes", "yacht"]',
    "table": '{joker = "wild", points = 3}',
    "other-key": None,
    "open": '"',
}
PLAYED = ("one", "seven", "long", "names")
"""Values with which games may have been begun, before they were refused."""
NAMES = (
    *(f"{file}-{value}" for file in ("good", "everything") for value in INSTEAD),
    *(file for file in FILES if file not in {"good", "everything"}),
    *(f"scores-{pattern.__name__}" for pattern in PATTERNS),
)
WHOLE = ("columns", "columned", "named", "never", "again")
"""Long files, of which one test tries every value."""


def spoilt(text: str, value: str | None) -> Iterator[str]:
    """The text with that value in each of its lines in turn; None: with a key of another name."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        key, sign, _ = line.partition(" = ")
        if sign:
            other = f"{key} = {value}" if value else "" if value == "" else line.replace(" ", "s ", 1)
            yield "\n".join([*lines[:number], other, *lines[number + 1 :]])


def said(text: str, *, played: bool) -> str:
    """What comes of it: the rules, or all mistakes. played: also for a game that was begun with it."""
    found: list[object] = []
    for as_played in (False, True)[: 1 + played]:
        mistakes: list[BadInputError] | None = None if as_played else []
        try:
            rules = parse_rules(text, Message("house-rules/name"), mistakes, as_played=as_played)
            found += [rules, describe(rules), [(bonus.counts, bonus.each) for bonus in rules.bonuses]]
        except BadInputError as error:
            found += [(each.code, each.message) for each in mistakes or [error]]
    return repr(found)


def scored(pattern: str) -> list[str]:
    """What the boxes of a pattern say of every roll: in the first throw, in the last, as a further yacht."""
    boxes = parse_rules("".join(FILES[pattern])).boxes
    rolls = [*combinations_with_replacement(FACES, 5)]
    each = product(boxes, rolls, (1, 2), (False, True))
    return [repr(box.score(roll, throw, wild=wild)) for box, roll, throw, wild in each]


def told(name: str) -> list[str]:
    """What comes of a file with that value in each line, or with every value; or how a pattern scores."""
    file, _, only = name.partition("-")
    if file == "scores":
        return scored(only)
    before, text, after = FILES[file]
    return [
        said(before + each + "\n" + after, played=value in PLAYED)
        for value in INSTEAD
        if only in ("", value)
        for each in spoilt(text, INSTEAD[value])
    ]


def digest(name: str) -> str:
    """The same, short."""
    return sha256("\n".join(told(name)).encode()).hexdigest()[:12]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.thorough] * (name in WHOLE)) for name in NAMES]
)
def test_a_spoilt_file_is_told_as_it_was(name):
    assert digest(name) == json.loads(GOLDEN.read_text(encoding="utf-8"))[name]


if __name__ == "__main__":
    if asked := sys.argv[1:]:
        sys.stdout.write("\n".join(told(asked[0])) + "\n")
    else:
        GOLDEN.write_text(
            json.dumps({name: digest(name) for name in NAMES}, indent=1) + "\n", encoding="utf-8"
        )
