"""The database as a file: opening, checking, locking, copying, putting a copy back."""

import errno
import fcntl
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO

from station.errors import BadInputError, StoreError
from station.store.schema import APPLICATION_ID, MIGRATIONS

FILE_NAME = "yacht.sqlite3"
"""Name of the database in the data folder."""

COPY_NAME = re.compile(r"yacht-\d{8}-\d{6}\.sqlite3")
"""Names of the copies that `yacht backup` makes by itself."""

LOCK_NAME = "yacht.lock"
BUSY_TIMEOUT_S = 5.0
RESCUE = "Nothing was changed. Put back a copy with 'yacht restore', or move the file away to begin anew."


@contextmanager
def sentences(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system say about a file into a StoreError in plain words."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(_sentence(path, error), code=_code(error)) from error
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise StoreError(
                f"The disk with {path} is full; make room and try again.", code="store/full"
            ) from error
        why = error.strerror or type(error).__name__
        raise StoreError(f"{path} cannot be written: {why}.", code="store/failed") from error


def _code(error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", "")
    for part, code in (("FULL", "store/full"), ("CORRUPT", "store/damaged"), ("NOTADB", "store/damaged")):
        if part in name:
            return code
    return "store/failed"


def _sentence(path: Path, error: sqlite3.Error) -> str:
    match _code(error):
        case "store/full":
            return f"The disk with {path} is full; the last step was not recorded. Make room and do it again."
        case "store/damaged":
            return f"The database {path} is damaged ({error}). {RESCUE}"
    name = getattr(error, "sqlite_errorname", "")
    if "READONLY" in name or "CANTOPEN" in name or "IOERR" in name:
        return f"The database {path} cannot be opened or written ({error}); look at its rights and its disk."
    return f"The database {path} failed: {error}."


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
        raise StoreError(f"The database {path} is damaged ({wrong}). {RESCUE}", code="store/damaged")
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    owner = int(db.execute("PRAGMA application_id").fetchone()[0])
    tables = int(db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0])
    if tables and owner != APPLICATION_ID:
        raise StoreError(f"{path} is a database of some other program. {RESCUE}", code="store/foreign")
    if version > len(MIGRATIONS):
        raise StoreError(
            f"{path} was written by a newer Yacht Station (data version {version}, this one knows "
            f"{len(MIGRATIONS)}); install the newer version again.",
            code="store/newer",
        )
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
            raise StoreError(f"The database {path} is damaged ({wrong}). {RESCUE}", code="store/damaged")
        return int(db.execute("SELECT count(*) FROM games").fetchone()[0])


def backup(folder: Path, target: Path) -> None:
    """Copy the database of a folder to a file, also while a station uses it.

    Raises BadInputError when there is none yet, StoreError when it is damaged or the copy cannot be written.
    """
    source = folder / FILE_NAME
    if not source.exists():
        raise BadInputError(f"There are no games in {folder} yet; nothing to copy.")
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
        raise StoreError(
            f"Another Yacht Station is using {folder}; stop it first, or give another folder with --data.",
            code="store/in_use",
        ) from error
    return handle


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
        raise BadInputError(f"There is no file {source}.")
    try:
        _open_copy(source).close()
    except sqlite3.Error as error:
        raise BadInputError(f"{source} is no sound copy of a database ({error}).") from error


def exchange(source: Path, folder: Path, *, now: datetime) -> Path | None:
    """As `restore`, for who holds the lock of the folder and has the database closed."""
    with sentences(folder):
        target = folder / FILE_NAME
        fresh = folder / (FILE_NAME + ".new")
        try:
            with closing(_open_copy(source)) as db:
                copy(db, fresh)
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
        raise BadInputError(f"{source} is no sound copy of a database ({wrong}).")
    if int(db.execute("PRAGMA application_id").fetchone()[0]) != APPLICATION_ID:
        raise BadInputError(f"{source} is no database of a Yacht Station.")
    if int(db.execute("PRAGMA user_version").fetchone()[0]) > len(MIGRATIONS):
        raise BadInputError(f"{source} was written by a newer Yacht Station; install that first.")


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
