"""Reading a file that may be none: a pipe in its place would block the reader for ever."""

import errno
import os
import stat
from pathlib import Path


def read_regular(path: Path, *, follow: bool = True) -> bytes:
    """What is in a file. follow: also where a link leads to one. Raises OSError for all that is no file."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY | (0 if follow else os.O_NOFOLLOW)
    handle = os.open(path, flags)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "no regular file", str(path))
        return file.read()
