"""The database as a file: opening, checking, locking."""

import errno
import fcntl
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO

from messages.errors import StoreError
from messages.message import Message
from station.store.schema import APPLICATION_ID, MIGRATIONS

FILE_NAME = "yacht.sqlite3"
"""Name of the database in the data folder."""

LOCK_NAME = "yacht.lock"
BUSY_TIMEOUT_S = 5.0
RESCUE = Message("store/rescue")


@contextmanager
def sentences(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system say about a file into a StoreError in plain words."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(_message(path, error), code=_code(error)) from error
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise StoreError("store/disk-full", code="store/full", path=str(path)) from error
        raise not_written(path, error) from error


def not_written(path: Path, error: OSError) -> StoreError:
    """That a file cannot be written, and what the system says about it."""
    why = error.strerror or type(error).__name__
    return StoreError("store/not-written", code="store/failed", path=str(path), why=why)


def _code(error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", "")
    for part, code in (("FULL", "store/full"), ("CORRUPT", "store/damaged"), ("NOTADB", "store/damaged")):
        if part in name:
            return code
    return "store/failed"


def _message(path: Path, error: sqlite3.Error) -> Message:
    match _code(error):
        case "store/full":
            return Message("store/step-lost", path=str(path))
        case "store/damaged":
            return _damaged(path, str(error))
    name = getattr(error, "sqlite_errorname", "")
    if "READONLY" in name or "CANTOPEN" in name or "IOERR" in name:
        return Message("store/not-opened", path=str(path), why=str(error))
    return Message("store/went-wrong", path=str(path), why=str(error))


def _damaged(path: Path, why: str) -> Message:
    return Message("store/is-damaged", path=str(path), why=why, rescue=RESCUE)


def connect(path: Path) -> sqlite3.Connection:
    """Open for writing: every commit is on the disk when it returns."""
    db = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        db.close()
        raise
    return db


def prepare(db: sqlite3.Connection, path: Path) -> None:
    """Check a database that was just opened and bring it to this version.

    Raises StoreError when it is damaged, of something else, or of a newer version.
    """
    wrong = damage(db)
    if wrong is not None:
        raise StoreError(_damaged(path, wrong), code="store/damaged")
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    owner = int(db.execute("PRAGMA application_id").fetchone()[0])
    tables = int(db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0])
    if tables and owner != APPLICATION_ID:
        raise StoreError("store/foreign", path=str(path), rescue=RESCUE)
    if version > len(MIGRATIONS):
        raise StoreError("store/newer", path=str(path), theirs=version, ours=len(MIGRATIONS))
    for number in range(version, len(MIGRATIONS)):
        db.execute("BEGIN IMMEDIATE")
        try:
            for statement in MIGRATIONS[number]:
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {number + 1}")
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")


def damage(db: sqlite3.Connection) -> str | None:
    """What SQLite's own check finds, or None. Takes about 10 ms for a thousand games."""
    try:
        found = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.DatabaseError as error:
        return str(error)
    return None if found == "ok" else found.replace("\n", " ")


def inspect(path: Path) -> int:
    """Look at a database without changing it, also while a station uses it; how many games are finished.

    Raises StoreError when it is damaged or not one of a Yacht Station.
    """
    with sentences(path), closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
        wrong = damage(db)
        if wrong is not None:
            raise StoreError(_damaged(path, wrong), code="store/damaged")
        return int(db.execute("SELECT count(*) FROM games").fetchone()[0])


def lock(folder: Path) -> IO[str]:
    """Keep other stations away from a data folder, until the file given back is closed.

    Made when missing. Raises StoreError `store/in_use` when another one runs there.
    """
    with sentences(folder):
        folder.mkdir(parents=True, exist_ok=True)
        handle = (folder / LOCK_NAME).open("a+", encoding="ascii")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        handle.close()
        raise StoreError("store/in_use", path=str(folder)) from error
    return handle
