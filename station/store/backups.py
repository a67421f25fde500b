"""Copies of the database: making them, checking them, putting one back."""

import os
import re
import sqlite3
import tempfile
from contextlib import closing
from datetime import datetime
from itertools import count
from pathlib import Path

from messages.errors import BadInputError
from station.store.database_file import BUSY_TIMEOUT_S, FILE_NAME, inspect, lock, sentences
from station.store.trial import tried

COPY_NAME = re.compile(r"yacht-\d{8}-\d{6}\.sqlite3")
"""Names of the copies that `yacht backup` makes by itself."""


ENDINGS = ("", "-wal", "-shm")
"""A database and the files that SQLite keeps beside it."""


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
    Raises BadInputError when a station could not live with the copy, StoreError when one is running there.
    """
    with tempfile.TemporaryDirectory() as scratch:
        sound = tried(source, Path(scratch))
        with lock(folder):
            return exchange(sound, folder, now=now)


def exchange(sound: Path, folder: Path, *, now: datetime) -> Path | None:
    """Put a copy that was tried in the place of the database, for who holds the lock and has it closed.

    Gives the file in which the present one is kept. On any failure the present one is back in its place.
    """
    with sentences(folder):
        target = folder / FILE_NAME
        fresh = folder / (FILE_NAME + ".new")
        try:
            with closing(sqlite3.connect(sound)) as db:
                copy(db, fresh)
            _count_on(fresh, target)
            kept = _set_aside(target, now)
            try:
                fresh.replace(target)
            except BaseException:
                put_back(kept, folder)
                raise
            _to_disk(folder)
        finally:
            fresh.unlink(missing_ok=True)
    return kept


def put_back(kept: Path | None, folder: Path) -> None:
    """The way back of `exchange`: what was set aside stands in its place again."""
    target = folder / FILE_NAME
    for ending in ENDINGS:
        target.with_name(target.name + ending).unlink(missing_ok=True)
        if kept is not None and (part := kept.with_name(kept.name + ending)).exists():
            part.replace(target.with_name(target.name + ending))
    _to_disk(folder)


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
    name = f"{target.stem}-before-{now:%Y%m%d-%H%M%S}"
    names = (f"{name}{f'-{again}' if again else ''}{target.suffix}" for again in count())
    kept = next(path for path in map(target.with_name, names) if not path.exists())
    try:
        with closing(sqlite3.connect(target, isolation_level=None)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.DatabaseError:
        pass  # it is damaged, which may be why a copy is put back; what is there is kept as it is
    for ending in ENDINGS:
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
