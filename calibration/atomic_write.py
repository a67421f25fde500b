"""Writing a file so that whatever happens on the way, the old one or the new one stands there whole."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Literal

from messages.errors import FailedError


def write_whole(path: Path, data: bytes, what: Literal["profile", "picture", "settings"]) -> None:
    """Put `data` at `path`; it is on the disk, and by that name, when this returns.

    Raises FailedError with a sentence about `what`; what stood there stays then.
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
        with suppress(OSError):  # where nothing can be written, nothing can be removed either
            fresh.unlink(missing_ok=True)
        raise FailedError(f"calibration/unwritable/{what}", path=str(path), why=str(error.strerror)) from None


def check_place(path: Path) -> None:
    """Raise FailedError where no profile can be written to `path`, before work that would be in vain.

    The folder may be missing yet; nothing is left behind.
    """
    try:
        folder = next(part for part in path.absolute().parents if part.exists())
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise FailedError("calibration/profile/no_place", path=str(path), why=str(error.strerror)) from None


def _sync_names(folder: Path) -> None:
    """Have the names in a folder on the disk: of two files the one written first is never the one missing."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
