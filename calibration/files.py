"""Writing a file so that whatever happens on the way, the old one or the new one stands there whole."""

import os
from pathlib import Path

from station.errors import FailedError


def write_whole(path: Path, data: bytes, what: str) -> None:
    """Put `data` at `path`; it is on the disk, and by that name, when this returns.

    Raises FailedError with a sentence about `what` ("The profile …"); what stood there stays then.
    """
    fresh = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with fresh.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
        _sync_names(path.parent)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise FailedError(f"{what} cannot be written ({error.strerror}); the old one stays.") from None


def _sync_names(folder: Path) -> None:
    """Have the names in a folder on the disk: of two files the one written first is never the one missing."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
