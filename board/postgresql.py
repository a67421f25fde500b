"""The board's evening on a PostgreSQL server, for leagues; the only module that knows psycopg."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import psycopg

from board.store import TABLES, VERSION
from messages.errors import StoreError

LOCK = 0x59424F41
"""The advisory lock held while a board uses the database: a second board would count separately."""
CONNECT_S = 5
LOCK_S = 5
"""Seconds to wait for the lock: a broken connection releases it a moment later."""
IDLE_S, EACH_S, COUNT = 10, 5, 3
"""TCP keepalive at both ends; without it a pulled cable would block the board for a quarter of an hour, and
keep it out of the database for two hours."""
LINE: dict[str, Any] = {
    "keepalives_idle": IDLE_S,
    "keepalives_interval": EACH_S,
    "keepalives_count": COUNT,
    "tcp_user_timeout": 1000 * (IDLE_S + EACH_S * COUNT),
}
"""Keep-alive options under the client's names; those of the server begin with tcp."""
SERIAL = "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"


class PostgresqlServer:
    """A connection that reconnects when it breaks. url: without the password, which is in a file.

    A commit is on the server's disk when it returns (its setting synchronous_commit). Raises StoreError.
    """

    def __init__(self, url: str, password_file: Path | None) -> None:
        self._url, self._password_file = url, password_file
        self._guard = threading.RLock()
        self._db: psycopg.Connection[tuple[Any, ...]] | None = None
        self._connected()

    def ask(self, sql: str, values: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a question."""
        with self._guard:
            return iter(self._run(sql, [values], answers=True))

    def write(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Execute the statement for each row, all or none."""
        with self._guard:
            self._run(sql, list(rows), answers=False)

    def _run(self, sql: str, rows: Sequence[Sequence[object]], *, answers: bool) -> Sequence[tuple[Any, ...]]:
        try:
            db = self._connected()
            with db.transaction(), db.cursor() as cursor:
                statement = sql.replace("?", "%s")
                if not answers:
                    cursor.executemany(statement.encode(), rows)
                    return ()
                cursor.execute(statement.encode(), rows[0])
                found: Sequence[tuple[Any, ...]] = cursor.fetchall()
                return found
        except psycopg.OperationalError as error:
            self._let_go()
            raise self._failed(error) from error
        except psycopg.Error as error:
            raise self._failed(error) from error

    def _connected(self) -> psycopg.Connection[tuple[Any, ...]]:
        if self._db is None:
            try:
                db = psycopg.connect(
                    self._url, password=self._password(), connect_timeout=CONNECT_S, autocommit=True, **LINE
                )
            except psycopg.Error as error:
                raise self._failed(error) from error
            try:
                self._prepare(db)
            except BaseException:
                db.close()
                raise
            self._db = db
        return self._db

    def _prepare(self, db: psycopg.Connection[tuple[Any, ...]]) -> None:
        """Keep others away, and make the tables where there are none."""
        wanted = {f"tcp_{name.removeprefix('tcp_')}": str(value) for name, value in LINE.items()}
        for setting in (*wanted.items(), ("lock_timeout", f"{LOCK_S}s")):
            db.execute("SELECT set_config(%s, %s, false)", setting)
        try:
            db.execute("SELECT pg_advisory_lock(%s)", (LOCK,))
        except psycopg.errors.LockNotAvailable as error:
            raise StoreError("board/store/in_use", code="store/in_use", where=self.where) from error
        there = db.execute("SELECT to_regclass('board_facts') IS NOT NULL").fetchone()
        with db.transaction():
            if there != (True,):
                for each in TABLES:
                    db.execute(each.format(serial=SERIAL).encode())
                db.execute("INSERT INTO board_facts VALUES ('version', %s)", (str(VERSION),))
            found = db.execute("SELECT value FROM board_facts WHERE name = 'version'").fetchone()
        if found != (str(VERSION),):
            raise StoreError("board/store/version", code="store/newer", where=self.where)

    def _password(self) -> str | None:
        if self._password_file is None:
            return None
        try:
            return self._password_file.read_text(encoding="utf-8").rstrip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            path = str(self._password_file)
            raise StoreError("board/store/password_file", path=path, why=str(error)) from error

    @property
    def where(self) -> str:
        """The address, without the password."""
        return self._url

    def _failed(self, error: psycopg.Error) -> StoreError:
        why = str(error).strip().replace("\n", " ")[:200] or type(error).__name__
        return StoreError("board/store/unreachable", code="store/failed", where=self.where, why=why)

    def _let_go(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def close(self) -> None:
        """Close the connection."""
        with self._guard:
            self._let_go()
