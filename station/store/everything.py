"""A whole station as one JSON text, and back again: every row of a copy, nothing added, nothing left out."""

import base64
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Never

from messages.errors import BadInputError
from station.store.schema import APPLICATION_ID, MIGRATIONS, apply

FORMAT = "yacht-station"
TABLES = ("events", "games", "results", "aside", "numbers", "files", "delivered", "seals")
PIECE = 1 << 16
"""Letters that are read at once."""
PART_MAX = 96 << 20
"""Letters of one row: a file of 64 MB in base64."""
SPACES = re.compile(r"[ \t\r\n]*")
PARTS = re.compile(r'"\w+"|\S')


def text_of(copy: Path) -> str:
    """A copy as such a text."""
    with closing(sqlite3.connect(copy)) as db:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        tables = {name: _rows(db, name) for name in TABLES if _columns(db, name)}
    whole = {"format": FORMAT, "version": version, "tables": tables}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def looks_like_json(source: Path) -> bool:
    """Whether a file may be such a text: a database begins otherwise."""
    with source.open("rb") as file:
        return file.read(1) == b"{"


def as_database(source: Path, target: Path) -> None:
    """Write the database that such a text was made of, without checking whether a station can run with it.

    One row is in memory at a time. Raises BadInputError for any other text.
    """
    try:
        with source.open(encoding="utf-8") as file, closing(sqlite3.connect(target)) as db:
            _fill_all(db, _Reader(file.read))
    except (sqlite3.Error, ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        raise _no_text(source, str(error)) from error
    except RecursionError as error:
        raise _no_text(source, "RecursionError") from error


def _no_text(source: Path, why: str) -> BadInputError:
    return BadInputError("store/copy/no-text", code="input/bad", path=source.name, why=why)


def _fill_all(db: sqlite3.Connection, text: "_Reader") -> None:
    """Version and tables of such a text, in the order in which `text_of` tells them.

    Raises ValueError, KeyError, TypeError for any other.
    """
    text.expect('{"format":')
    if text.value() != FORMAT:
        raise ValueError(FORMAT)
    text.expect(',"version":')
    version = text.value()
    if type(version) is not int or not 0 < version <= len(MIGRATIONS):
        raise ValueError(version)
    for migration in MIGRATIONS[:version]:
        apply(db, migration)
    db.execute(f"PRAGMA user_version = {version}")
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    text.expect(',"tables":{')
    left = set(TABLES)
    while not text.at("}"):
        name = text.value()
        left.remove(name)
        text.expect(":[")
        _fill(db, name, text.rows())
        text.at(",")
    text.expect("}")
    text.end()
    for name in left:
        _fill(db, name, iter(()))
    db.commit()


class _Reader:
    """Hands out the parts of a JSON text one after the other; a part has at most PART_MAX letters.

    Raises ValueError where the text is another than what is expected.
    """

    def __init__(self, read: Callable[[int], str]) -> None:
        self._read, self._text, self._place, self._ended = read, "", 0, False
        self._decode = json.JSONDecoder(parse_constant=_no_number).raw_decode

    def value(self) -> Any:
        """The value that stands here."""
        self._skip()
        while True:
            try:
                found, end = self._decode(self._text, self._place)
            except json.JSONDecodeError:
                if not self._more():
                    raise
            else:
                if end < len(self._text) or not self._more():  # a number may go on
                    self._place = end
                    return found

    def rows(self) -> Iterator[dict[str, Any]]:
        """The values of a list that was begun."""
        while not self.at("]"):
            yield self.value()
            if not self.at(","):
                self.expect("]")
                return

    def expect(self, signs: str) -> None:
        """Go on behind these; between them and strings may be spaces."""
        for part in PARTS.findall(signs):
            if not self.at(part):
                raise ValueError(part)

    def at(self, part: str) -> bool:
        """Go on behind this, if it stands here."""
        self._skip()
        while len(self._text) - self._place < len(part) and self._more():
            pass
        found = self._text.startswith(part, self._place)
        self._place += len(part) if found else 0
        return found

    def end(self) -> None:
        """Raise ValueError if anything follows."""
        self._skip()
        if self._place < len(self._text):
            raise ValueError(self._text[self._place : self._place + 20])

    def _skip(self) -> None:
        while True:
            self._place = SPACES.match(self._text, self._place).end()  # type: ignore[union-attr]
            if self._place < len(self._text) or not self._more():
                return

    def _more(self) -> bool:
        """Read on, and drop what has been parsed. False at the end."""
        rest = self._text[self._place :]
        if len(rest) > PART_MAX:
            raise ValueError(PART_MAX)
        read = self._read(max(len(rest), PIECE))  # twice as much each time: no long part is looked at often
        if read:
            self._text, self._place = rest + read, 0
        return bool(read)


def _no_number(word: str) -> Never:
    raise ValueError(word)


def _columns(db: sqlite3.Connection, table: str) -> tuple[str, ...]:
    return tuple(name for (name,) in db.execute("SELECT name FROM pragma_table_info(?)", (table,)))


def _rows(db: sqlite3.Connection, table: str) -> list[dict[str, Any]]:
    names = _columns(db, table)
    rows = db.execute(f"SELECT * FROM {table} ORDER BY 1, 2")  # noqa: S608 - one of TABLES
    return [dict(zip(names, map(_to_json, row), strict=True)) for row in rows]


def _fill(db: sqlite3.Connection, table: str, rows: Iterator[dict[str, Any]]) -> None:
    """Replace the rows of a new table."""
    names = _columns(db, table)
    if not names:
        if any(True for _ in rows):
            raise ValueError(table)
        return
    places = ", ".join("?" for _ in names)
    db.execute(f"DELETE FROM {table}")  # noqa: S608 - one of TABLES
    values = ([_from_json(row[name]) for name in names] for row in rows)
    db.executemany(f"INSERT INTO {table} VALUES ({places})", values)  # noqa: S608 - one of TABLES


def _to_json(value: Any) -> Any:
    """JSON has no bytes: as text if they are UTF-8, else in base64."""
    if not isinstance(value, bytes):
        return value
    try:
        return {"text": value.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(value).decode("ascii")}


def _from_json(value: Any) -> Any:
    """The inverse of `_to_json`."""
    if not isinstance(value, dict):
        return value
    if "text" in value:
        return str(value["text"]).encode()
    return base64.b64decode(value["base64"], validate=True)
