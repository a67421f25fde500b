"""What a power cut left of copies that were being made: files as large as all games."""

import logging
from pathlib import Path

from station.store.backups import FOLDER_NAME
from station.store.database_file import FILE_NAME

log = logging.getLogger(__name__)

STEM = Path(FILE_NAME).stem
UNDER_WAY = (
    f"{FOLDER_NAME}/{STEM}-*-event-*.sqlite3.part*",
    f"{STEM}-before-*.sqlite3.part*",
    f"{FILE_NAME}.new",
    f"{FILE_NAME}.new-journal",
    f"{FILE_NAME}.new.part*",
)
"""Of names with a date, and of what was to take the place of the games: only who holds the lock of the folder
writes these. Copies of every night are made by others too, who use the same name again."""


def sweep(folder: Path) -> None:
    """Remove it from a data folder, for who holds its lock."""
    for path in (path for pattern in UNDER_WAY for path in folder.glob(pattern)):
        try:
            path.unlink()
        except OSError as error:
            log.warning("%s stays: %s", path, error)
        else:
            log.info("%s was left of a copy that was not finished, and is gone", path)
