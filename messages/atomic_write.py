"""Writing a file so that at any time either the old or the new one is there, whole."""

import os
import tempfile
from collections.abc import Iterable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Literal

from messages.errors import FailedError, os_error_as

What = Literal["profile", "picture", "settings"]


def write_whole(path: Path, data: bytes, what: What) -> None:
    """Put `data` at `path`; it is on the disk, and by that name, when this returns.

    Raises FailedError with a sentence about `what`; what stood there stays then.
    """
    with _unwritable(path, what):
        replace_file(path, data)


def remove(path: Path, what: What) -> None:
    """Remove a file, if it is there. Raises FailedError as `write_whole`."""
    with _unwritable(path, what):
        path.unlink(missing_ok=True)


def _unwritable(path: Path, what: What) -> AbstractContextManager[None]:
    return os_error_as(lambda why: FailedError(f"calibration/unwritable/{what}", path=str(path), why=why))


def check_place(path: Path) -> None:
    """Raise FailedError where no profile can be written to `path`, before work that would be in vain.

    The folder may be missing yet; nothing is left behind.
    """
    with os_error_as(lambda why: FailedError("calibration/profile/no_place", path=str(path), why=why)):
        folder = next(part for part in path.absolute().parents if part.exists())
        tempfile.TemporaryFile(dir=folder).close()


def replace_file(path: Path, data: bytes, mode: int = 0o666) -> None:
    """The same with rights of one's own. Raises OSError."""
    fresh = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_out(fresh, data, mode)
        fresh.replace(path)
        to_disk(path.parent)
    except OSError:
        with suppress(OSError):  # where nothing can be written, nothing can be removed either
            fresh.unlink(missing_ok=True)
        raise


def write_out(path: Path, data: bytes | memoryview, mode: int = 0o666) -> None:
    """Write a file; its content is on the disk when this returns. Raises OSError."""
    write_pieces(path, (data,), mode)


def write_pieces(path: Path, pieces: Iterable[bytes | memoryview], mode: int = 0o666) -> None:
    """The same, of a content that need not be there at once.

    What has the name is removed, never written into: somebody may have made it a link to another file.
    """
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    with os.fdopen(handle, "wb") as file:
        for piece in pieces:
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())


def to_disk(path: Path) -> None:
    """Have a file, or the names in a folder, on the disk: of two the one written first is never missing."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
