"""Captures the messages of libpng and libjpeg about a picture, which OpenCV does not pass on.

They print on the C library's `stderr`. While a picture is decoded, that variable points to a file in memory;
Python's own standard error, and that of child processes, stay as they are.
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


class _Capture(NamedTuple):
    """stderr: the C library's variable. stream: a FILE that writes into the memory file `descriptor`."""

    stderr: ctypes.c_void_p
    stream: int
    descriptor: int


@cache
def _capture() -> _Capture | None:
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
    return _Capture(stderr, stream, descriptor)


def captured(work: Callable[[], T]) -> tuple[T, str]:
    """The result of `work`, and the messages that C libraries printed meanwhile. One thread at a time."""
    with _one_at_a_time:
        capture = _capture()
        if capture is None:
            return work(), ""
        before = capture.stderr.value
        capture.stderr.value = capture.stream
        try:
            found = work()
        finally:
            capture.stderr.value = before
            messages = os.pread(capture.descriptor, BYTES_MAX, 0).decode(errors="replace")
            os.ftruncate(capture.descriptor, 0)
        return found, messages
