"""The database as a file: opening, checking, locking."""

import errno
import fcntl
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple

from messages.errors import BadInputError, StoreError, cause
from messages.message import Message
from station.store import chain
from station.store.last_event import LastEvent, Mark
from station.store.schema import APPLICATION_ID, MIGRATIONS, apply, own_schema, schema

FILE_NAME = "yacht.sqlite3"
"""Name of the database in the data folder."""

ENDINGS = ("", "-wal", "-shm")
"""A database and the files that SQLite keeps beside it."""

PAGE_BYTES = 1024
"""An event is a few hundred bytes, and a whole page is written for it."""

LOCK_NAME = "yacht.lock"
BUSY_TIMEOUT_S = 5.0
RESCUE = Message("store/rescue")


@contextmanager
def sentences(path: Path, *, full: str = "store/disk-full") -> Iterator[None]:
    """Turn errors of SQLite and the system about a file into a StoreError in plain words.

    full: the key of the message for a full disk.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(_message(path, error, full), code=_code(error)) from error
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise StoreError(full, code="store/full", path=str(path)) from error
        raise not_written(path, error) from error


def not_written(path: Path, error: OSError) -> StoreError:
    """The error for a file that cannot be written, with the system's text."""
    return StoreError("store/not-written", code="store/failed", path=str(path), why=cause(error))


def _code(error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", "")
    for part, code in (("FULL", "store/full"), ("CORRUPT", "store/damaged"), ("NOTADB", "store/damaged")):
        if part in name:
            return code
    return "store/failed"


def _message(path: Path, error: sqlite3.Error, full: str) -> Message:
    match _code(error):
        case "store/full":
            return Message(full, path=str(path))
        case "store/damaged":
            return _damaged(path, str(error))
    if _unreachable(error):
        return Message("store/not-opened", path=str(path), why=str(error))
    return Message("store/went-wrong", path=str(path), why=str(error))


def _unreachable(error: sqlite3.Error) -> bool:
    """Whether the file could not be got at, which says nothing of what is in it."""
    name = getattr(error, "sqlite_errorname", "")
    return any(part in name for part in ("READONLY", "CANTOPEN", "IOERR", "FULL", "BUSY", "LOCKED", "NOMEM"))


def _damaged(path: Path, why: str) -> Message:
    return Message("store/is-damaged", path=str(path), why=why, rescue=RESCUE)


class Identity(NamedTuple):
    """The identities (device, inode) of a folder and a file; None for a missing file."""

    folder: tuple[int, int]
    file: tuple[int, int] | None


def identity(path: Path) -> Identity | None:
    """The identity of the folder and the file at `path`; None without the folder."""
    found: list[tuple[int, int] | None] = []
    for each in (path.parent, path):
        try:
            status = each.stat()
        except FileNotFoundError:
            found.append(None)
        else:
            found.append((status.st_dev, status.st_ino))
    folder, file = found
    return None if folder is None else Identity(folder, file)


class OpenFile(sqlite3.Connection):
    """A database that knows which file it is; None in memory."""

    opened: Identity | None = None


def connect(path: Path | None) -> OpenFile:
    """Open for writing, None in memory: every commit is on the disk when it returns.

    Raises StoreError where something stands there that is no file, or leads to another.
    """
    if path is not None:
        check_kind(path)
    db = sqlite3.connect(
        path or ":memory:",
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,
        factory=OpenFile,
    )
    try:
        db.execute(f"PRAGMA page_size = {PAGE_BYTES}")  # of one that is made now
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        db.opened = None if path is None else identity(path)
    except BaseException:
        db.close()
        raise
    return db


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All that is written in it, or nothing; on the disk at the end."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def is_regular(path: Path) -> bool:
    """Whether there is a file, and no link to one."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except FileNotFoundError:
        return False


def check_kind(path: Path) -> None:
    """Raise StoreError unless the database and what SQLite keeps beside it are files, or not there yet."""
    for ending in ENDINGS:
        beside = path.with_name(path.name + ending)
        if os.path.lexists(beside) and not is_regular(beside):
            raise StoreError("store/no-regular-file", code="store/damaged", path=str(beside), rescue=RESCUE)


def compact(db: sqlite3.Connection) -> None:
    """Give a database that was made with larger pages the present ones; where there is no room, it stays."""
    if db.execute("PRAGMA page_size").fetchone()[0] == PAGE_BYTES:
        return
    with suppress(sqlite3.Error):
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        db.execute("VACUUM")
    db.execute("PRAGMA journal_mode = WAL")


def prepare(
    db: sqlite3.Connection,
    path: Path,
    *,
    marks: Sequence[Mark] = (),
    keep: Callable[[], None] = lambda: None,
) -> chain.Log:
    """Check a database that was just opened, bring it to this version, and read its log.

    marks: one of them it has to show (station.store.last_event). keep: called before an older version is
    changed. Raises StoreError when it is damaged, of something else, or of a newer version.
    """
    version = _checked(db, path)
    if 0 < version < len(MIGRATIONS):
        keep()
    for number in range(version, len(MIGRATIONS)):
        try:
            with transaction(db):
                apply(db, MIGRATIONS[number])
                db.execute(f"PRAGMA user_version = {number + 1}")
                db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        except chain.BrokenError as error:
            raise _broken(path, error) from error
    return verified(db, path, marks)


def _checked(db: sqlite3.Connection, path: Path) -> int:
    """The version of a database that is sound by its form. Raises StoreError."""
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
    if version < 0 or schema(db) != own_schema(version):
        raise StoreError(_damaged(path, "sqlite_schema"), code="store/damaged")
    return version


def verified(db: sqlite3.Connection, path: Path, marks: Sequence[Mark] = ()) -> chain.Log:
    """The log of a database of this version, when all is as it was written.

    Raises StoreError `store/damaged` that names the event which is not.
    """
    try:
        log = chain.read(db)
    except chain.BrokenError as error:
        raise _broken(path, error) from error
    if marks and not any(_shows(db, mark) for mark in marks):
        event = marks[0].event
        key = "store/end-missing" if log.last < event else "store/other-log"
        raise StoreError(key, code="store/damaged", path=str(path), event=event, last=log.last, rescue=RESCUE)
    return log


def _shows(db: sqlite3.Connection, mark: Mark) -> bool:
    """Whether the log has that event."""
    row = db.execute("SELECT hash FROM events WHERE id = ?", (mark.event,)).fetchone()
    return mark.event == 0 or (row is not None and row[0] == mark.hash)


def _broken(path: Path, error: chain.BrokenError) -> StoreError:
    if error.event is None:
        return StoreError("store/kept-changed", code="store/damaged", path=str(path), rescue=RESCUE)
    return StoreError(
        "store/event-changed", code="store/damaged", path=str(path), event=error.event, rescue=RESCUE
    )


def damage(db: sqlite3.Connection) -> str | None:
    """The damage found by SQLite's own check, or None. Raises sqlite3.Error if it cannot check."""
    try:
        found = str(db.execute("PRAGMA integrity_check(1)").fetchone()[0])
    except sqlite3.DatabaseError as error:
        if _unreachable(error):
            raise
        return str(error)
    return None if found == "ok" else found.replace("\n", " ")


def reading(path: Path) -> sqlite3.Connection:
    """Open for reading, also while a station uses it."""
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=BUSY_TIMEOUT_S)


def read_only(path: Path, marks: Sequence[Mark]) -> tuple[sqlite3.Connection, chain.Log]:
    """A database to read, and its log, also while a station uses it; the file stays as it is.

    One of an older version is read from a copy in memory that is brought to this one. Raises StoreError
    for damage.
    """
    db = reading(path)
    try:
        if _checked(db, path) == len(MIGRATIONS):
            return db, verified(db, path, marks)
        copy = sqlite3.connect(":memory:", isolation_level=None)
        try:
            db.backup(copy)
            db.close()
            return copy, prepare(copy, path)
        except BaseException:
            copy.close()
            raise
    except BaseException:
        db.close()
        raise


def no_room(error: sqlite3.Error) -> bool:
    """Whether it failed because the disk is full."""
    return _code(error) == "store/full"


def inspect(path: Path) -> int:
    """Look at a database without changing it, also while a station uses it; how many games are finished.

    Raises StoreError when it is damaged or not one of a Yacht Station.
    """
    marks = LastEvent(path.parent).read()  # first: a station that writes meanwhile is never behind it
    with sentences(path), closing(reading(path)) as db:
        if _checked(db, path) == len(MIGRATIONS):  # an older one has no chain to be verified
            verified(db, path, marks)
        return int(db.execute("SELECT count(*) FROM games").fetchone()[0])


def check_target(folder: Path, target: Path) -> None:
    """Raise BadInputError where something else is to be written over the games of a data folder."""
    source = folder / FILE_NAME
    with sentences(target):
        if source.exists() and target.exists() and target.samefile(source):
            raise BadInputError("store/copy/itself", code="input/bad", path=str(target))


def lock(folder: Path) -> IO[str]:
    """Keep other stations away from a data folder, until the file given back is closed.

    Made when missing. Raises StoreError `store/in_use` when another one runs there.
    """
    with sentences(folder):
        folder.mkdir(parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        handle = os.fdopen(os.open(folder / LOCK_NAME, flags, 0o666), "r+", encoding="ascii")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        handle.close()
        raise StoreError("store/in_use", path=str(folder)) from error
    return handle
