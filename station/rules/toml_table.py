"""One table of a TOML file that people write: hands out its values, checked, and knows the line of each."""

import re
import reprlib
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, Never

from messages.errors import BadInputError
from messages.message import Message, Value, in_languages

POINTS_MAX = 1000
BOXES_MAX = 60
NUMBERS_MAX = 20
PAIRS_MAX = 10_000
"""Of every number in a file: no version took a larger one."""
TEXT_MAX = 200
LABEL_MAX = 24
EVER = 10
"""So many times as long as may be written today are lists of games that were begun long ago."""
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")

_TABLE = re.compile(r"\s*(\[\[?)\s*([\w-]+)\s*\]\]?")
_KEY = re.compile(r"""\s*["']?([\w-]+)["']?\s*[.=]""")


def line_of(text: str, path: tuple[str | int, ...]) -> int:
    r"""The line, counted from 1, of a key, a table or the n-th of several tables.

    `path` is ("key",), ("table",), ("table", "key"), ("tables", 1) or ("tables", 1, "key"). What has no
    line of its own (a key that is missing) gets that of its table; the empty path is line 1.

    >>> text = 'id = "a"\n[bonus]\npoints = 35\n[[box]]\n[[box]]\nlabel = "x"'
    >>> [line_of(text, path) for path in [("bonus", "points"), ("box", 1, "label"), ("box", 1), ("none",)]]
    [3, 6, 5, 1]
    """
    here: tuple[str | int, ...] = ()
    found = 1
    reached = 0
    counts: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if table := _TABLE.match(line):
            brackets, name = table.groups()
            here = (name,)
            if brackets == "[[":
                here = (name, counts.get(name, 0))
                counts[name] = counts.get(name, 0) + 1
            place: tuple[str | int, ...] = here
        elif key := _KEY.match(line):
            place = (*here, key[1])
        else:
            continue
        if place == path:
            return number
        if place == path[: len(place)] and len(place) > reached:
            found, reached = number, len(place)
    return found


def column_of(text: str, line: int, key: str | None) -> int:
    """The column, counted from 1, of a key's value in that line, or of its first character without a key.

    >>> column_of('id = "a"', 1, "id"), column_of("  [bonus]", 1, None)
    (6, 3)
    """
    lines = text.splitlines()
    here = lines[line - 1] if line <= len(lines) else ""
    found = re.search(rf"\b{re.escape(key)}[\"']?\s*=\s*", here) if key else None
    return found.end() + 1 if found else len(here) - len(here.lstrip()) + 1


def suggestion(word: object, known: Iterable[str]) -> Message | str:
    """A sentence that suggests the known word most like this one; empty where none is like it.

    >>> str(suggestion("catgory", ["category", "label"]))
    " Did you mean 'category'?"
    """
    found = get_close_matches(str(word)[:TEXT_MAX], tuple(known))
    return Message("house-rules/meant", word=found[0]) if found else ""


def shortened(value: object) -> str:
    """A value of a file for a sentence, shortened where it is long or deep."""
    try:
        return reprlib.repr(value)
    except ValueError:  # a whole number of more digits than Python writes out
        return "…"


class TomlTable:
    """Every refusal is a BadInputError `rules/bad_file` that names the file, the line and the reason.

    as_played: of a game that was begun with it: what can be read is taken, sensible or not, within
    bounds that a station can live with.
    """

    def __init__(
        self,
        file: Message | str,
        text: str,
        values: dict[str, Any],
        path: tuple[str | int, ...] = (),
        *,
        as_played: bool,
    ) -> None:
        self._file, self._text, self._values, self._path = file, text, values, path
        self._as_played = as_played

    def judge(self, key: str | None, reason: str, /, **values: Value) -> None:
        """Refuse what can be read and should not be played; a game that was begun with it goes on."""
        if not self._as_played:
            self.refuse(key, reason, **values)

    def refuse(self, key: str | None, reason: str, /, **values: Value) -> Never:
        """Refuse that key, or the table as a whole; `reason` is a key of the catalogue."""
        line = line_of(self._text, (*self._path, key or ""))  # what has none gets that of its table
        raise BadInputError(
            "house-rules/at",
            code="rules/bad_file",
            file=self._file,
            line=line,
            column=column_of(self._text, line, key),
            reason=Message(f"house-rules/{reason}", **values),
        )

    def only(self, *known: str) -> None:
        """Refuse the first key that is none of these."""
        for key in self._values:
            if key not in known:
                self.refuse(key, "unknown-key", key=key, known=known, meant=suggestion(key, known))

    def has(self, key: str) -> bool:
        """Whether the key is there."""
        return key in self._values

    def value(self, key: str) -> Any:
        """The value as it is; refused where the key is missing."""
        if key not in self._values:
            self.refuse(None, "missing", key=key)
        return self._values[key]

    def whole(self, key: str, low: int, high: int) -> int:
        """A whole number of that range."""
        found = self.value(key)
        values: dict[str, Value] = {"key": key, "low": low, "high": high, "found": shortened(found)}
        if type(found) is not int or abs(found) > PAIRS_MAX:
            self.refuse(key, "whole-number", **values)
        if not low <= found <= high:
            self.judge(key, "whole-number", **values)
        return int(found)

    def count(self, key: str, most: int) -> int:
        """How many there are of something, at least one; no game was begun with none, or with more."""
        found = self.whole(key, 1, most)
        if not 1 <= found <= most:
            self.refuse(key, "whole-number", key=key, low=1, high=most, found=shortened(found))
        return found

    def numbers(self, key: str, low: int, high: int, most: int = NUMBERS_MAX) -> tuple[int, ...]:
        """A list of one or more whole numbers of that range."""
        found = self.value(key)
        values: dict[str, Value] = {
            "key": key,
            "low": low,
            "high": high,
            "most": most,
            "found": shortened(found),
        }
        if (
            not isinstance(found, list)
            or not 1 <= len(found) <= EVER * NUMBERS_MAX
            or not all(type(each) is int and abs(each) <= PAIRS_MAX for each in found)
        ):
            self.refuse(key, "numbers", **values)
        if len(found) > most or not all(low <= each <= high for each in found):
            self.judge(key, "numbers", **values)
        return tuple(found)

    def text(self, key: str, most: int = TEXT_MAX) -> str:
        """A text of at least one and at most that many characters."""
        found = self.value(key)
        values: dict[str, Value] = {"key": key, "most": most, "found": shortened(found)}
        clean = " ".join(found.split()) if isinstance(found, str) else ""
        if not clean or len(clean) > EVER * TEXT_MAX or CONTROL.search(clean):
            self.refuse(key, "text", **values)
        if len(clean) > most:
            self.judge(key, "text", **values)
        return clean

    def words(self, key: str, most: int = TEXT_MAX) -> Message | str:
        """A text, or a table of texts by language, as in {en = "Ones", de = "Einser"}."""
        found = self.value(key)
        if not isinstance(found, dict) or not found:
            return self.text(key, most)
        table = self.table(key)
        return in_languages({language: table.text(language, most) for language in found})

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of one or more texts."""
        found = self.value(key)
        if not isinstance(found, list) or not found or not all(isinstance(each, str) for each in found):
            self.refuse(key, "texts", key=key, found=shortened(found))
        return tuple(found)

    def pairs(self, key: str) -> tuple[tuple[int, int], ...]:
        """A list of pairs of whole numbers by rising first number, as in [[0, -2], [300, 1]]."""
        found = self.value(key)
        whole = isinstance(found, list) and 1 <= len(found) <= NUMBERS_MAX
        if not whole or not all(
            isinstance(each, list) and [*map(type, each)] == [int, int] for each in found
        ):
            self.refuse(key, "pairs", key=key, found=shortened(found))
        pairs = tuple((least, points) for least, points in found)
        if sorted({least for least, _ in pairs}) != [least for least, _ in pairs]:
            self.refuse(key, "pairs-rise", key=key, found=shortened(found))
        if any(abs(number) > PAIRS_MAX for pair in pairs for number in pair):
            self.refuse(key, "pairs", key=key, found=shortened(found))
        return pairs

    def truth(self, key: str) -> bool:
        """True or false."""
        found = self.value(key)
        if not isinstance(found, bool):
            self.refuse(key, "true-or-false", key=key, found=shortened(found))
        return found

    def flag(self, key: str) -> bool:
        """True or false; false where the key is missing."""
        return self.has(key) and self.truth(key)

    def one_of(self, key: str, *choices: str) -> str:
        """One of a few words."""
        found = self.value(key)
        if found not in choices:
            values = {
                "choices": tuple(repr(str(each)) for each in choices),
                "found": shortened(found),
                "meant": suggestion(found, choices),
            }
            self.refuse(key, "one-of", key=key, **values)
        return str(found)

    def table(self, key: str) -> "TomlTable":
        """The table of that name."""
        found = self.value(key)
        if not isinstance(found, dict):
            self.refuse(key, "table", key=key)
        return self._inner(found, key)

    def tables(self, key: str) -> "tuple[TomlTable, ...]":
        """The tables of that name, one or more."""
        found = self.value(key)
        if not isinstance(found, list) or not found or not all(isinstance(each, dict) for each in found):
            self.refuse(key, "tables", key=key)
        return tuple(self._inner(each, key, index) for index, each in enumerate(found))

    def _inner(self, values: dict[str, Any], *path: str | int) -> "TomlTable":
        """A table in this one."""
        where = (*self._path, *path)
        return TomlTable(self._file, self._text, values, where, as_played=self._as_played)
