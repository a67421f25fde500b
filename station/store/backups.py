"""Backups of everything: making, listing and restoring them.

The number of its last event says which copy is newer, never a clock: a Pi without network starts in 1970, and
a wrong clock must not displace good copies.
"""

import logging
import os
import re
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import NamedTuple

from messages.atomic_write import replace_file, to_disk, write_out
from messages.errors import BadInputError, StoreError
from messages.message import Message
from messages.regular_file import read_regular
from station.store import chain, staged
from station.store.archive import FinishedGame, finished
from station.store.data_files import SETTINGS_NAME, DataFiles, pack
from station.store.database_file import (
    BUSY_TIMEOUT_S,
    ENDINGS,
    FILE_NAME,
    OpenFile,
    check_target,
    connect,
    damage,
    identity,
    inspect,
    is_regular,
    lock,
    reading,
    sentences,
    transaction,
)
from station.store.last_event import LastEvent, Mark
from station.store.trial import tried

log = logging.getLogger(__name__)

FOLDER_NAME = "backups"
"""Name of the folder of copies in the data folder."""

COPY_NAME = re.compile(r"yacht-\d{8}-\d{6}(-event-\d+)?(-\d+)?\.sqlite3")
"""Names of the copies that a station makes by itself; those of version 0.1 have no number of an event."""

STEM = Path(FILE_NAME).stem
UNDER_WAY = (
    f"{FOLDER_NAME}/{STEM}-*-event-*.sqlite3.part*",
    f"{STEM}-before-*.sqlite3.part*",
    f"{FILE_NAME}.new",
    f"{FILE_NAME}.new-journal",
    f"{FILE_NAME}.new.part*",
)
"""Files of interrupted copies: dated ones, and replacements for the games. Only the holder of the folder's
lock writes them. Nightly copies are also made by others, which reuse the name."""


class Exchanged(NamedTuple):
    """The replaced data. kept: the file that has it; files: those that belonged to it.

    apart: the folder that has these files, where no copy could hold them and others were to take their place.
    """

    kept: Path | None
    files: Mapping[str, bytes]
    apart: Path | None


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy in a folder. event: number of its last one, -1 when it cannot be read. games: finished ones.

    begun: the hash of its first event, which no other station's log has; "" without one, None when it cannot
    be read, or was made before there were hashes.
    """

    path: Path
    event: int
    games: tuple[FinishedGame, ...]
    begun: str | None


def backup(folder: Path, target: Path, data: DataFiles) -> None:
    """Copy everything of a data folder to a file, also while a station uses it.

    Raises BadInputError when there is none yet, StoreError when it is damaged or the copy cannot be written.
    """
    source = folder / FILE_NAME
    if not source.exists():
        raise BadInputError("store/nothing-to-copy", code="input/bad", path=str(folder))
    check_target(folder, target)
    inspect(source)
    with sentences(source), closing(sqlite3.connect(source, timeout=BUSY_TIMEOUT_S)) as db:
        copy(db, target, data.gather(folder))


def backup_to(
    folder: Path, place: Path, data: DataFiles, *, now: datetime, keep: int
) -> tuple[Path, tuple[Path, ...]]:
    """A copy of everything under a name of its own in `place`; its path, and the older ones that went.

    Where the newest copy there has the same in it already, that one is given. Other stations may have their
    copies there, too.
    """
    place.mkdir(parents=True, exist_ok=True)
    begun = _begun(folder / FILE_NAME)

    def own(copy: Copy) -> bool:
        return place == folder / FOLDER_NAME or copy.begun in {begun, None}

    rough = place / f"yacht-copy-{(begun or '')[:8]}.tmp"
    with sentences(place):
        try:
            backup(folder, rough, data)
            newest = next(filter(own, copies(place)), None)
            if newest is not None and newest.event >= 0 and _content(newest.path) == _content(rough):
                return newest.path, ()
            target = copy_path(place, max(_last(rough), 0), now)
            rough.replace(target)
            to_disk(place)
        finally:
            rough.unlink(missing_ok=True)
        every = [each.path for each in copies(place) if own(each)]
    return target, prune(every, keep, spare=target)


def copy_path(place: Path, event: int, now: datetime) -> Path:
    """A free path for a copy whose last event has that number."""
    return _free(place, f"yacht-{now:%Y%m%d-%H%M%S}-event-{event}", ".sqlite3")


def copies(place: Path) -> tuple[Copy, ...]:
    """The copies in a folder that a station made by itself, the newest first. Raises OSError."""
    there = place.iterdir() if place.is_dir() else ()
    found = [path for path in there if COPY_NAME.fullmatch(path.name) and not path.is_dir()]
    found_copies = [_copy_at(path) for path in found]
    return tuple(sorted(found_copies, key=lambda each: (each.event, each.path.name), reverse=True))


def copies_beside(folder: Path) -> tuple[Copy, ...]:
    """The files kept in a data folder when a copy replaced them. Raises OSError."""
    found = sorted(folder.glob(f"{Path(FILE_NAME).stem}-before-*.sqlite3")) if folder.is_dir() else []
    return tuple(map(_copy_at, found))


def prune(every: Sequence[Path], keep: int, *, spare: Path) -> tuple[Path, ...]:
    """Delete all but the first `keep` of these copies, never `spare`; those that went.

    every: the newest first, which is that with the highest event; what cannot be read goes first.
    """
    gone = tuple(path for path in every if path != spare)[keep - 1 :]
    for path in gone:
        with sentences(path):
            path.unlink()
    return gone[::-1]


def copy(source: sqlite3.Connection, target: Path, files: Mapping[str, bytes]) -> None:
    """Write a whole copy with these files in it; it appears only when complete and on the disk."""
    rough = target.with_name(target.name + ".part")
    with sentences(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        rough.unlink(missing_ok=True)
        try:
            with closing(sqlite3.connect(rough, isolation_level=None)) as db:
                source.backup(db)
                # A copy is one file that can be carried away: no write-ahead log beside it.
                db.execute("PRAGMA journal_mode = DELETE")
                if _holds_files(db):
                    with transaction(db):
                        pack(db, files)
            to_disk(rough)
            rough.replace(target)
            to_disk(target.parent)
        finally:
            rough.unlink(missing_ok=True)


def restore(
    source: Path,
    folder: Path,
    data: DataFiles,
    *,
    now: datetime,
    take: Callable[[bytes, bytes], bytes | None] | None = None,
    with_access: bool = False,
    notify: Callable[[Message], None] = lambda _: None,
) -> Path | None:
    """Replace everything in a data folder with a copy.

    Returns the file or folder in which the replaced data is kept, which `now` names; None if there was
    nothing. take: gets the settings of the copy and those here, and returns the new content of the settings
    file; None, given or returned, leaves it as it is. May raise BadInputError. with_access: take over hosts,
    PIN and seats of the copy, too. notify: called with a message for settings that no station could start
    with, which are skipped, and for a folder with what the kept file cannot hold. Raises BadInputError if a
    station cannot run with the copy, StoreError if one is running there.
    """
    with tempfile.TemporaryDirectory() as scratch:
        sound = tried(source, Path(scratch))
        taken = None
        if data.settings is not None and take is not None:
            try:
                taken = take(*_settings(sound, data, data.settings))
            except BadInputError as error:
                notify(Message("store/copy/settings", path=source.name, why=error.message))
        with lock(folder), closing(LastEvent(folder)) as last:
            there = exchange(sound, folder, last, data, now=now, with_access=with_access)
    if data.settings is not None and taken is not None:
        with sentences(data.settings):
            _replace_settings(data.settings, taken)
    if there.kept is not None and there.apart is not None:
        notify(Message("yacht/restore/kept", path=str(there.apart)))
    return there.kept or there.apart


def _replace_settings(settings: Path, text: bytes) -> None:
    """Rewrite the settings file; its owner and permissions stay. Raises OSError."""
    with suppress(FileNotFoundError):
        before = settings.stat()
        replace_file(settings, text, stat.S_IMODE(before.st_mode))
        os.chown(settings, before.st_uid, before.st_gid)
        settings.chmod(stat.S_IMODE(before.st_mode))
        return
    replace_file(settings, text)
    settings.chmod(0o644)  # the station reads it, as another user


def _settings(copy: Path, data: DataFiles, settings: Path) -> tuple[bytes, bytes]:
    """The settings in a copy, and those here; nothing where there are none."""
    with closing(sqlite3.connect(copy)) as db:
        theirs = data.unpack(db).get(SETTINGS_NAME, b"")
    with sentences(settings), suppress(FileNotFoundError):
        return theirs, read_regular(settings)
    return theirs, b""


def exchange(
    sound: Path,
    folder: Path,
    last: LastEvent,
    data: DataFiles,
    *,
    now: datetime,
    with_access: bool = False,
) -> Exchanged:
    """Replace everything with a tried copy; the caller holds the lock and has closed the database.

    with_access: also who may do what (`DataFiles.merged`).

    On any failure what was there is back in its place; raises StoreError then.
    """
    with sentences(folder):
        staged.finish(folder, last, data)  # of an exchange that a power cut interrupted
        target = folder / FILE_NAME
        rough = staged.begin(folder)
        try:
            fresh = rough / FILE_NAME
            with closing(sqlite3.connect(sound)) as db:
                files = data.unpack(db)
                copy(db, fresh, {})
            files.pop(SETTINGS_NAME, None)
            files = files if with_access else data.merged(files, folder)
            mark = _count_on(fresh, target, last)
            there = _set_aside(target, data, now, replaced=bool(files))
            try:
                staged.commit(rough, files, mark)
                staged.finish(folder, last, data)
            except BaseException:
                put_back(there, folder, data)
                raise
        finally:
            staged.drop(folder)
    return there


def put_back(there: Exchanged, folder: Path, data: DataFiles) -> None:
    """The way back of `exchange`: games, seats and all else that was there stand in their place again."""
    staged.drop(folder)
    target, kept = folder / FILE_NAME, there.kept
    for ending in ENDINGS:
        target.with_name(target.name + ending).unlink(missing_ok=True)
        if kept is not None and (part := kept.with_name(kept.name + ending)).exists():
            part.replace(target.with_name(target.name + ending))
    to_disk(folder)
    data.put_back(there.files, folder)
    if there.apart is not None:
        shutil.rmtree(there.apart, ignore_errors=True)


def _count_on(fresh: Path, target: Path, last: LastEvent) -> Mark:
    """Give no version and no number of an event a second time; how the log ends that takes the place now."""
    marks = last.read()
    version, event = (
        max((mark.version for mark in marks), default=0),
        max((m.event for m in marks), default=0),
    )
    # What is there may be damaged, which may be why a copy is put back.
    with suppress(sqlite3.DatabaseError, TypeError):
        if is_regular(target):
            with closing(sqlite3.connect(target, timeout=BUSY_TIMEOUT_S)) as db:
                numbers = dict(db.execute("SELECT name, value FROM numbers"))
                (highest,) = db.execute("SELECT coalesce(max(id), 0) FROM events").fetchone()
            version, event = max(version, numbers.get("next_version", 0)), max(event, highest)
    with closing(sqlite3.connect(fresh, isolation_level=None)) as db:
        with transaction(db):
            count_on(db, version=version, event=event + 1)
        log = chain.read(db)
        (version,) = db.execute("SELECT value FROM numbers WHERE name = 'next_version'").fetchone()
    to_disk(fresh)
    return Mark(log.last, log.hash, version)


def count_on(db: sqlite3.Connection, *, version: int = 0, event: int = 0) -> None:
    """Raise the counters of a database to at least these numbers."""
    raised = "UPDATE numbers SET value = max(value, ?) WHERE name = ?"
    db.executemany(raised, [(version, "next_version"), (event, "next_event")])
    chain.put_seal(db, "numbers")


def _set_aside(target: Path, data: DataFiles, now: datetime, *, replaced: bool) -> Exchanged:
    """Keep what is there under another name: a whole copy, or when it is damaged, the files as they are.

    replaced: whether other files of the station take the place of those there are.
    """
    files = data.gather(target.parent)
    there = [ending for ending in ENDINGS if os.path.lexists(target.with_name(target.name + ending))]
    stem = f"{target.stem}-before-{now:%Y%m%d-%H%M%S}"
    kept = _free(target.parent, stem, target.suffix) if there else None
    sound = is_regular(target) and _emptied_log(target)
    apart = None
    if replaced and files and not (sound and _takes_files(target)):
        apart = _keep_apart(data, files, _free(target.parent, stem, ""))
    if kept is not None and sound:
        with closing(sqlite3.connect(target, isolation_level=None)) as db:
            copy(db, kept, files)
    elif kept is not None:
        for ending in there:  # what is there stays until all takes its place
            _keep(target.with_name(target.name + ending), kept.with_name(kept.name + ending))
    return Exchanged(kept, files, apart)


def _keep(path: Path, target: Path) -> None:
    """Copy a file as it is; what is none is kept by its name."""
    if is_regular(path):
        write_out(target, read_regular(path, follow=False), 0o600)
    else:
        path.rename(target)


def _keep_apart(data: DataFiles, files: Mapping[str, bytes], folder: Path) -> Path:
    """Keep files in a folder of their own: beside damaged or missing games. Raises OSError."""
    try:
        data.put(files, folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    log.info("what was set up before is kept in %s", folder)
    return folder


def _takes_files(target: Path) -> bool:
    """Whether a copy of a sound database can hold files: that of 0.1.0 has no place for them."""
    with closing(sqlite3.connect(target)) as db:
        return _holds_files(db)


def _holds_files(db: sqlite3.Connection) -> bool:
    return db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'files'").fetchone() is not None


def _emptied_log(target: Path) -> bool:
    """Whether the database is sound, and all that its write-ahead log had is in its file now."""
    try:
        with closing(sqlite3.connect(target, isolation_level=None)) as db:
            (busy, _, _) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            return not busy and damage(db) is None
    except sqlite3.DatabaseError:
        return False


def _free(place: Path, stem: str, suffix: str) -> Path:
    """A name in a folder that nothing has yet."""
    names = (f"{stem}{f'-{again}' if again else ''}{suffix}" for again in count())
    return next(path for path in map(place.__truediv__, names) if not path.exists())


def _copy_at(path: Path) -> Copy:
    return Copy(path, _last(path), _games(path), _begun(path))


def _begun(path: Path) -> str | None:
    """The hash of the first event, which stays when its game is forgotten."""
    try:
        with closing(reading(path)) as db:
            row = db.execute("SELECT hex(hash) FROM events ORDER BY id LIMIT 1").fetchone()
    except sqlite3.Error:
        return None
    return "" if row is None else str(row[0])


def _last(path: Path) -> int:
    """Number of the last event of a copy, -1 when it cannot be read."""
    try:
        with closing(reading(path)) as db:
            (found,) = db.execute("SELECT coalesce(max(id), 0) FROM events").fetchone()
    except sqlite3.Error:
        return -1
    return int(found)


def _games(path: Path) -> tuple[FinishedGame, ...]:
    with suppress(sqlite3.Error, ValueError), closing(reading(path)) as db:
        return tuple(finished(db, limit=-1))
    return ()


def _content(path: Path) -> tuple[object, ...]:
    """A key for the content of a copy; equal for copies that differ only in counters."""
    try:
        with closing(reading(path)) as db:
            last = db.execute("SELECT id, hash FROM events ORDER BY id DESC LIMIT 1").fetchone()
            return last, chain.seal(db, "games"), chain.seal(db, "files")
    except sqlite3.Error:
        return (path,)


def sweep(folder: Path) -> None:
    """Remove what a power cut left of copies that were being made, for who holds the lock of the folder."""
    for path in (path for pattern in UNDER_WAY for path in folder.glob(pattern)):
        try:
            path.unlink()
        except OSError as error:
            log.warning("%s stays: %s", path, error)
        else:
            log.info("%s was left of a copy that was not finished, and is gone", path)


def in_place(db: OpenFile, path: Path) -> OpenFile:
    """The database of a station, with all that is in it at `path`: opened anew where its file was removed.

    What is open is still whole then; what is written into it would be gone with the process. One in memory
    stays as it is. Raises StoreError where something else stands there, or cannot be written there.
    """
    if db.opened is None or db.opened == (now := identity(path)):
        return db
    # SQLite asks the same of every write that goes without a write-ahead log (SQLITE_READONLY_DBMOVED).
    if now is None or now.file is not None or now.folder != db.opened.folder:
        raise StoreError("store/exchanged", code="store/failed", path=str(path))
    log.warning("%s was removed while it is in use, and is written again", path)
    fresh = path.with_name(f"{path.name}.new")
    copy(db, fresh, {})
    db.close()  # before: it removes the write-ahead log by its name
    fresh.replace(path)
    to_disk(path.parent)
    return connect(path)
