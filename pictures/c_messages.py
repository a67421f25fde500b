"""What libpng and libjpeg print about a picture: caught here, for OpenCV gives no other way to learn of it.

They print on the C library's `stderr`. While a picture is decoded that name stands for a file in memory;
Python's own standard error, and that of programs we start, stay as they are.
"""

import ctypes
import os
from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import NamedTuple, TypeVar

T = TypeVar("T")
UNBUFFERED = 2
"""_IONBF of stdio.h."""
BYTES_MAX = 10_000

_one_at_a_time = Lock()


class _Ear(NamedTuple):
    """stderr: the C library's variable. stream: a FILE that writes into the memory file `descriptor`."""

    stderr: ctypes.c_void_p
    stream: int
    descriptor: int


@cache
def _ear() -> _Ear | None:
    """None where the C library has no such variable (it is one with glibc)."""
    library = ctypes.CDLL(None)
    try:
        stderr = ctypes.c_void_p.in_dll(library, "stderr")
    except ValueError:
        return None
    library.fdopen.restype = ctypes.c_void_p
    library.setvbuf.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t)
    descriptor = os.memfd_create("messages", os.MFD_CLOEXEC)
    stream = library.fdopen(descriptor, b"a")
    library.setvbuf(stream, None, UNBUFFERED, 0)
    return _Ear(stderr, stream, descriptor)


def heard(work: Callable[[], T]) -> tuple[T, str]:
    """What `work` gives, and what C libraries printed meanwhile. One thread at a time."""
    with _one_at_a_time:
        ear = _ear()
        if ear is None:
            return work(), ""
        before = ear.stderr.value
        ear.stderr.value = ear.stream
        try:
            found = work()
        finally:
            ear.stderr.value = before
            said = os.pread(ear.descriptor, BYTES_MAX, 0).decode(errors="replace")
            os.ftruncate(ear.descriptor, 0)
        return found, said
