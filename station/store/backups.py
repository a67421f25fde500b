"""Copies of the database: making them, checking them, putting one back."""

import os
import re
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

from messages.errors import BadInputError
from messages.message import Message
from station.game.state import replay
from station.store.archive import standing
from station.store.database_file import BUSY_TIMEOUT_S, FILE_NAME, damage, inspect, lock, sentences
from station.store.schema import APPLICATION_ID, MIGRATIONS

COPY_NAME = re.compile(r"yacht-\d{8}-\d{6}\.sqlite3")
"""Names of the copies that `yacht backup` makes by itself."""


def backup(folder: Path, target: Path) -> None:
    """Copy the database of a folder to a file, also while a station uses it.

    Raises BadInputError when there is none yet, StoreError when it is damaged or the copy cannot be written.
    """
    source = folder / FILE_NAME
    if not source.exists():
        raise BadInputError("store/nothing-to-copy", code="input/bad", path=str(folder))
    inspect(source)
    with sentences(source), closing(sqlite3.connect(source, timeout=BUSY_TIMEOUT_S)) as db:
        copy(db, target)


def prune(folder: Path, keep: int) -> tuple[Path, ...]:
    """Delete all but the newest `keep` dated copies in a folder; those that went."""
    copies = sorted(path for path in folder.iterdir() if COPY_NAME.fullmatch(path.name))
    gone = tuple(copies[:-keep])
    with sentences(folder):
        for path in gone:
            path.unlink()
    return gone


def copy(source: sqlite3.Connection, target: Path) -> None:
    """Write a whole, consistent copy; `target` appears only when it is complete and on the disk."""
    rough = target.with_name(target.name + ".part")
    with sentences(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        rough.unlink(missing_ok=True)
        try:
            with closing(sqlite3.connect(rough, isolation_level=None)) as db:
                source.backup(db)
                # A copy is one file that can be carried away: no write-ahead log beside it.
                db.execute("PRAGMA journal_mode = DELETE")
            _to_disk(rough)
            rough.replace(target)
            _to_disk(target.parent)
        finally:
            rough.unlink(missing_ok=True)


def restore(source: Path, folder: Path, *, now: datetime) -> Path | None:
    """Put a copy in the place of the database of a folder.

    now: names the file the present one is kept under, which is given back (None if there was none).
    Raises BadInputError when the copy is missing or no sound database of a Yacht Station, StoreError when
    a station is running there. The present database is only moved once the copy is beside it.
    """
    check_copy(source)
    with lock(folder):
        return exchange(source, folder, now=now)


def check_copy(source: Path) -> None:
    """Raise BadInputError unless the file is a sound copy that this version can read."""
    if not source.is_file():
        raise BadInputError("store/no-file", code="input/bad", path=str(source))
    try:
        _open_copy(source).close()
    except sqlite3.Error as error:
        raise _no_copy(source, "unsound", str(error)) from error


def exchange(source: Path, folder: Path, *, now: datetime) -> Path | None:
    """As `restore`, for who holds the lock of the folder and has the database closed."""
    with sentences(folder):
        target = folder / FILE_NAME
        fresh = folder / (FILE_NAME + ".new")
        try:
            with closing(_open_copy(source)) as db:
                copy(db, fresh)
            _count_on(fresh, target)
            kept = _set_aside(target, now)
            fresh.replace(target)
            _to_disk(folder)
        finally:
            fresh.unlink(missing_ok=True)
    return kept


def _open_copy(source: Path) -> sqlite3.Connection:
    """A copy opened for reading, once it is sure what it is."""
    db = sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
    try:
        _check_copy(db, source)
    except BaseException:
        db.close()
        raise
    return db


def _check_copy(db: sqlite3.Connection, source: Path) -> None:
    wrong = damage(db)
    if wrong is not None:
        raise _no_copy(source, "unsound", wrong)
    if int(db.execute("PRAGMA application_id").fetchone()[0]) != APPLICATION_ID:
        raise _no_copy(source, "of-others")
    if int(db.execute("PRAGMA user_version").fetchone()[0]) > len(MIGRATIONS):
        raise _no_copy(source, "newer")

    try:
        replay(standing(db, source))
    except Exception as error:  # whoever wrote it, it can fail anywhere; better now than at the next start
        raise _no_copy(source, "broken-game", str(error)) from error


def _no_copy(source: Path, what: str, why: str = "") -> BadInputError:
    """What is wrong with a copy; `why` is what SQLite or the replay says."""
    return BadInputError(Message(f"store/copy/{what}", path=str(source), why=why), code="input/bad")


def _count_on(fresh: Path, target: Path) -> None:
    """Give no version a second time: the copy counts on from where the present database is."""
    if not target.exists():
        return
    try:
        with closing(sqlite3.connect(target, timeout=BUSY_TIMEOUT_S)) as db:
            (version,) = db.execute("SELECT value FROM numbers WHERE name = 'next_version'").fetchone()
    except (sqlite3.DatabaseError, TypeError):
        return  # it is damaged, which may be why a copy is put back
    with closing(sqlite3.connect(fresh, isolation_level=None)) as db:
        db.execute("UPDATE numbers SET value = max(value, ?) WHERE name = 'next_version'", (version,))
    _to_disk(fresh)


def _set_aside(target: Path, now: datetime) -> Path | None:
    """Keep the present database, with what its log still holds, under another name."""
    if not target.exists():
        return None
    kept = target.with_name(f"{target.stem}-before-{now:%Y%m%d-%H%M%S}{target.suffix}")
    try:
        with closing(sqlite3.connect(target, isolation_level=None)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.DatabaseError:
        pass  # it is damaged, which may be why a copy is put back; what is there is kept as it is
    for ending in ("", "-wal", "-shm"):
        part = target.with_name(target.name + ending)
        if part.exists():
            part.replace(kept.with_name(kept.name + ending))
    return kept


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
