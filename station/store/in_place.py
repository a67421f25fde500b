"""A database that is open, and its file: who removes that by its name takes no game from anybody."""

import logging
from pathlib import Path

from messages.atomic_write import to_disk
from messages.errors import StoreError
from station.store.backups import copy
from station.store.database_file import OpenFile, connect, identity

log = logging.getLogger(__name__)


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
