"""The board's store: the organiser's steps, the reports of stations, and a few facts of its own.

There are two databases: SQLite, a file in the board's folder, and PostgreSQL for leagues, by psycopg. Their
SQL differs only in the placeholder for values.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Protocol

from board.reports import Report
from messages.errors import StoreError
from station.store.database_file import connect, damage, lock, sentences, transaction

FILE_NAME = "board.sqlite3"
APPLICATION_ID = 0x59424F41  # "YBOA"
VERSION = 2
CHUNK = 200
"""Number of keys in one query."""
CACHE_KB = 256
"""SQLite's cache in KiB: the hall caches what it needs again."""

TABLES = (
    "CREATE TABLE board_steps (id {serial}, at TEXT NOT NULL, line TEXT NOT NULL)",
    """CREATE TABLE board_reports (id {serial}, station TEXT NOT NULL, number BIGINT NOT NULL,
    seen BIGINT NOT NULL, game_id TEXT NOT NULL, ended BIGINT NOT NULL, undone BIGINT NOT NULL,
    body TEXT NOT NULL, UNIQUE (station, number))""",
    "CREATE INDEX board_reports_seen ON board_reports (seen)",
    "CREATE INDEX board_reports_game_id ON board_reports (game_id)",
    "CREATE TABLE board_facts (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
)
COLUMNS = "station, number, seen, game_id, ended, undone, body"


class Database(Protocol):
    """The interface of both databases."""

    def ask(self, sql: str, values: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a question. Raises StoreError."""

    def write(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Execute the statement for each row, all or none. Raises StoreError."""

    @property
    def where(self) -> str:
        """The place of the database, for people."""

    def close(self) -> None:
        """Close the database."""


class BoardLog:
    """The board's memory on a database. One process writes; its threads do so under the hall's lock."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def steps(self) -> Sequence[tuple[int, str]]:
        """Number and line of every step, in order."""
        return [(int(number), str(line)) for number, line in self._database.ask(
            "SELECT id, line FROM board_steps ORDER BY id"
        )]  # fmt: skip

    def add(self, lines: Sequence[str], at: str) -> Sequence[int]:
        """Keep more steps, all or none; their numbers. Raises StoreError."""
        self._database.write(
            "INSERT INTO board_steps (at, line) VALUES (?, ?)", [(at, each) for each in lines]
        )
        query = "SELECT id FROM board_steps ORDER BY id DESC LIMIT ?"
        return sorted(int(number) for (number,) in self._database.ask(query, (len(lines),)))

    def since(self, after_step: int) -> Iterator[Report]:
        """Reports that first came in after that step, or later, in this order."""
        query = f"SELECT {COLUMNS} FROM board_reports WHERE seen >= ? ORDER BY id"  # noqa: S608 - names of ours
        return map(_report, self._database.ask(query, (after_step,)))

    def known(self, keys: Iterable[tuple[str, int]], ids: Iterable[str] = ()) -> Sequence[Report]:
        """The reports of these games, by station and number, or by their ids."""
        every: list[tuple[str, tuple[object, ...]]] = []
        every += [("(station = ? AND number = ?)", key) for key in keys]
        every += [("game_id = ?", (each,)) for each in ids]
        found: dict[tuple[str, int], Report] = {}
        for start in range(0, len(every), CHUNK):
            part = every[start : start + CHUNK]
            either = " OR ".join(which for which, _ in part)
            query = f"SELECT {COLUMNS} FROM board_reports WHERE {either}"  # noqa: S608 - as above
            rows = self._database.ask(query, [each for _, values in part for each in values])
            found |= {report.key: report for report in map(_report, rows)}
        return list(found.values())

    def keep(self, reports: Iterable[Report]) -> None:
        """Store these, all or none, replacing earlier reports of the same games. Raises StoreError."""
        self._database.write(
            f"INSERT INTO board_reports ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - as above
            " ON CONFLICT (station, number) DO UPDATE SET"
            " game_id = excluded.game_id, ended = excluded.ended, undone = excluded.undone,"
            " body = excluded.body",
            [_row(each) for each in reports],
        )

    def fact(self, name: str, value: str) -> str:
        """The stored value of that name; `value` is stored if there is none."""
        self._database.write(
            "INSERT INTO board_facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
            [(name, value)],
        )
        return str(next(self._database.ask("SELECT value FROM board_facts WHERE name = ?", (name,)))[0])

    @property
    def where(self) -> str:
        """The place of the database, for people."""
        return self._database.where

    def close(self) -> None:
        """Close the database."""
        self._database.close()


def _row(report: Report) -> tuple[object, ...]:
    body = {"at": report.at, "ended_by": report.ended_by, "winners": report.winners, "scores": report.scores}
    text = json.dumps(body, ensure_ascii=False)  # which has no NUL as it is: PostgreSQL would take none
    return report.station, report.number, report.after_step, report.game_id, report.ended, report.undone, text


def _report(row: tuple[Any, ...]) -> Report:
    station, number, after_step, game_id, ended, undone, text = row
    body = json.loads(text)
    scores = tuple((name, points) for name, points in body["scores"])
    return Report(
        station, number, after_step, game_id, ended, undone, body["at"], body["ended_by"], scores,
        tuple(body["winners"]),
    )  # fmt: skip


class SqliteFile:
    """The board's own file, in a folder that no other board uses meanwhile."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        with ExitStack() as undo, sentences(self._path):
            undo.enter_context(lock(folder))
            self._db = undo.enter_context(closing(connect(self._path)))
            self._db.execute(f"PRAGMA cache_size = -{CACHE_KB}")
            self._prepare()
            self._open = undo.pop_all()

    def _prepare(self) -> None:
        """Make the tables, or see that they are ours. Raises StoreError."""
        if self._version() == 0:
            serial = "INTEGER PRIMARY KEY AUTOINCREMENT"
            made = "; ".join(each.format(serial=serial) for each in TABLES)
            marks = f"PRAGMA user_version = {VERSION}; PRAGMA application_id = {APPLICATION_ID}"
            self._db.executescript(f"BEGIN; {made}; {marks}; COMMIT")

    def _version(self) -> int:
        """The version of the tables; 0 if there are none."""
        wrong = damage(self._db)
        if wrong is not None:
            raise StoreError("board/store/damaged", code="store/damaged", path=str(self._path), why=wrong)
        version = int(self._db.execute("PRAGMA user_version").fetchone()[0])
        owner = int(self._db.execute("PRAGMA application_id").fetchone()[0])
        if version not in {0, VERSION} or (version and owner != APPLICATION_ID):
            raise StoreError("board/store/foreign", code="store/foreign", path=str(self._path))
        return version

    def ask(self, sql: str, values: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a question."""
        with sentences(self._path), closing(self._db.execute(sql, values)) as found:
            yield from found

    def write(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Execute the statement for each row, all or none."""
        with sentences(self._path, full="store/step-lost"), transaction(self._db):
            self._db.executemany(sql, rows)

    @property
    def where(self) -> str:
        """The file."""
        return str(self._path.resolve())

    def close(self) -> None:
        """Close the file."""
        self._open.close()
