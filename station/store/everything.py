"""A whole station as one JSON text, and back again: every row of a copy, nothing added, nothing left out."""

import base64
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from messages.errors import BadInputError
from station.store.schema import APPLICATION_ID, MIGRATIONS, apply

FORMAT = "yacht-station"
TABLES = ("events", "games", "results", "aside", "numbers", "files", "delivered", "seals")
BYTES_MAX = 1024 * 1024 * 1024


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
    """Write the copy that such a text was made of; whether a station could live with it is not asked here.

    Raises BadInputError for what is no such text.
    """
    try:
        version, tables = _parsed(source)
        with closing(sqlite3.connect(target, isolation_level=None)) as db:
            db.execute("BEGIN")
            for migration in MIGRATIONS[:version]:
                apply(db, migration)
            db.execute(f"PRAGMA user_version = {version}")
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            for name in TABLES:
                _fill(db, name, tables.get(name, []))
            db.execute("COMMIT")
    except (sqlite3.Error, ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        raise _no_text(source, str(error)) from error
    except RecursionError as error:
        raise _no_text(source, "RecursionError") from error


def _no_text(source: Path, why: str) -> BadInputError:
    return BadInputError("store/copy/no-text", code="input/bad", path=source.name, why=why)


def _parsed(source: Path) -> tuple[int, dict[str, list[dict[str, Any]]]]:
    """Version and tables of such a text. Raises ValueError, KeyError, TypeError for any other."""
    if source.stat().st_size > BYTES_MAX:
        raise ValueError(BYTES_MAX)
    told = json.loads(source.read_text(encoding="utf-8"))
    version, tables = int(told["version"]), dict(told["tables"])
    if told["format"] != FORMAT or not 0 < version <= len(MIGRATIONS) or not set(tables) <= set(TABLES):
        raise ValueError(told["format"])
    return version, tables


def _columns(db: sqlite3.Connection, table: str) -> tuple[str, ...]:
    return tuple(name for (name,) in db.execute("SELECT name FROM pragma_table_info(?)", (table,)))


def _rows(db: sqlite3.Connection, table: str) -> list[dict[str, Any]]:
    names = _columns(db, table)
    rows = db.execute(f"SELECT * FROM {table} ORDER BY 1, 2")  # noqa: S608 - one of TABLES
    return [dict(zip(names, map(_told, row), strict=True)) for row in rows]


def _fill(db: sqlite3.Connection, table: str, rows: list[dict[str, Any]]) -> None:
    """Put rows into a table, in the place of those it was made with."""
    names = _columns(db, table)
    if not names:
        return
    places = ", ".join("?" for _ in names)
    db.execute(f"DELETE FROM {table}")  # noqa: S608 - one of TABLES
    values = ([_meant(row[name]) for name in names] for row in rows)
    db.executemany(f"INSERT INTO {table} VALUES ({places})", values)  # noqa: S608 - one of TABLES


def _told(value: Any) -> Any:
    """Bytes have no JSON of their own; those that are a text are told as one."""
    if not isinstance(value, bytes):
        return value
    try:
        return {"text": value.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(value).decode("ascii")}


def _meant(value: Any) -> Any:
    """The way back of `_told`."""
    if not isinstance(value, dict):
        return value
    if "text" in value:
        return str(value["text"]).encode()
    return base64.b64decode(value["base64"], validate=True)
