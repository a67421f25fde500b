"""Which files of the core say a word of a feature, in code: `make check` prints them.

Each feature states its words in `WORDS` of its folder, as regular expressions; its commands
and events are added.

    python -m tests.features.core_words              # the count of files and lines of each feature
    python -m tests.features.core_words stakes       # these lines
"""

import re
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from station.features.listed import FEATURES
from tests.conftest import ROOT

BESIDE = {"features", "extras", "rules", "games", "strategy"}
"""Folders of `station/` that are not the core: what stands beside it, and what knows rules but no table."""
MOST = {
    "all_at_once": 3,
    "announced_boxes": 7,
    "dice_keeper": 19,
    "great_throws": 1,
    "handicaps": 11,
    "throw_off": 4,
    "two_boxes": 8,
}
"""Features that the core still names, and in how many lines: these numbers only go down."""


def words() -> dict[str, re.Pattern[str]]:
    """Of each feature."""
    found = {}
    for feature in FEATURES:
        name = type(feature).__module__.split(".")[2]
        named = [rf"\b{each.__name__}\b" for each in (*feature.commands, *feature.events)]
        found[name] = re.compile("|".join([*import_module(f"station.features.{name}").WORDS, *named]))
    return dict(sorted(found.items()))


@cache
def core() -> tuple[tuple[Path, int, str], ...]:
    """Each line of code of the core: its file, its number, and its names and texts."""
    return tuple(
        (path.relative_to(ROOT), number, said)
        for path in sorted((ROOT / "station").rglob("*.py"))
        if path.relative_to(ROOT).parts[1] not in BESIDE
        for number, said in code(path)
    )


def code(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of code of a file with their numbers, without remarks and docstrings."""
    lines: dict[int, list[str]] = {}
    begins = True
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type in {tokenize.NAME, tokenize.STRING} and not (
                begins and token.type == tokenize.STRING
            ):
                lines.setdefault(token.start[0], []).append(token.string)
            if token.type not in {tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT}:
                begins = token.type in {tokenize.NEWLINE, tokenize.ENCODING}
    yield from ((number, " ".join(parts)) for number, parts in lines.items())


def said(word: re.Pattern[str]) -> list[tuple[Path, int, str]]:
    """The lines of the core that say it."""
    return [line for line in core() if word.search(line[2])]


def main() -> None:
    """Print the table, or the lines of the features that are named."""
    found = {name: said(word) for name, word in words().items()}
    if asked := sys.argv[1:]:
        for path, number, line in (each for name in asked for each in found[name]):
            print(f"{path}:{number}: {line}")  # noqa: T201
        return
    for name, lines in found.items():
        files = len({path for path, _, _ in lines})
        print(f"{name:18} {files:3} files of the core say a word of it, in {len(lines):3} lines")  # noqa: T201
    if more := {name: len(lines) for name, lines in found.items() if len(lines) > MOST.get(name, 0)}:
        sys.exit(f"more lines of the core name a feature than in {Path(__file__).name}: {more}")


if __name__ == "__main__":
    main()
