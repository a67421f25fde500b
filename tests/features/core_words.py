"""Which files of the core say a word of a feature, in code: `make check` prints them.

The core is `station/` without what stands beside it, and `web/`. Each feature states its words in `WORDS` of
its folder, as regular expressions; its commands and events are added, for scripts by what they are called
there, with the fields of its views.

    python -m tests.features.core_words              # the count of files and lines of each feature
    python -m tests.features.core_words stakes       # these lines
"""

import dataclasses
import re
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from station.features.listed import FEATURES
from tests.conftest import ROOT

BESIDE = tuple(f"station/{name}/" for name in ("features", "extras", "rules", "games", "strategy"))
"""Folders of `station/` that are not the core: what stands beside it, and what knows rules but no table."""
FOREIGN = "cannon-es.js"
ALSO = {"chosen", "dice", "ready"}
"""Fields of views that mean something else in the core as well."""
ROOMS = ("station/**/*.py", "web/**/*.py", "web/**/*.js")


@cache
def words(room: str) -> dict[str, re.Pattern[str]]:
    """Of each feature, as code of that room has them."""
    found = {}
    for feature in FEATURES:
        name = type(feature).__module__.split(".")[2]
        if room.endswith(".js"):
            views = [view for view in (feature.table_view, feature.player_view) if view]
            fields = {each.name for view in views for each in dataclasses.fields(view)} - ALSO
            named = [*fields, *(each.model_fields["command"].default for each in feature.commands)]
        else:
            named = [each.__name__ for each in (*feature.commands, *feature.events)]
        own = import_module(f"station.features.{name}").WORDS
        found[name] = re.compile("|".join([*own, *(rf"\b{each}\b" for each in named if each not in ALSO)]))
    return dict(sorted(found.items()))


@cache
def core(room: str) -> tuple[tuple[Path, int, str], ...]:
    """Each line of code of the core: its file, its number, and its names and texts."""
    paths = [each for each in sorted(ROOT.glob(room)) if each.name != FOREIGN]
    return tuple(
        (path.relative_to(ROOT), number, said)
        for path in paths
        if not path.relative_to(ROOT).as_posix().startswith(BESIDE)
        for number, said in (code_of_script(path) if path.suffix == ".js" else code(path))
    )


REMARK = re.compile(r"""("(?:\\.|[^"\\\n])*"|`[^`]*`)|//.*|/\*[\s\S]*?\*/""")


def code_of_script(path: Path) -> Iterator[tuple[int, str]]:
    """The same of a script."""
    script = REMARK.sub(lambda each: each[1] or "\n" * each[0].count("\n"), path.read_text(encoding="utf-8"))
    yield from ((number, line.strip()) for number, line in enumerate(script.splitlines(), 1) if line.strip())


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


@cache
def said(room: str, name: str) -> tuple[tuple[Path, int, str], ...]:
    """The lines of the core that say a word of that feature."""
    return tuple(line for line in core(room) if words(room)[name].search(line[2]))


def main() -> None:
    """Print the table, or the lines of the features that are named."""
    found = {(room, name): said(room, name) for room in ROOMS for name in words(room)}
    if asked := sys.argv[1:]:
        for path, number, line in (
            each for (_, name), lines in found.items() if name in asked for each in lines
        ):
            print(f"{path}:{number}: {line}")  # noqa: T201
        return
    for (room, name), lines in found.items():
        files = len({path for path, _, _ in lines})
        print(f"{name:18} {files:3} files of {room} say a word of it, in {len(lines):3} lines")  # noqa: T201
    if any(found.values()):
        sys.exit("the core names a feature: python -m tests.features.core_words NAME prints the lines")


if __name__ == "__main__":
    main()
