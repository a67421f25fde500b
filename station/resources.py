"""What a station takes of its machine: threads by the number of cores, and memory given back.

The one place that decides either. `bound` has to come before numpy and OpenCV are loaded: BLAS reads its
number of threads when it is loaded, and a thread keeps the heap it began with.
"""

import ctypes
import os
from dataclasses import dataclass

M_ARENA_MAX = -8
"""mallopt's name for the most heaps there may be (malloc.h of glibc)."""


@dataclass(frozen=True, slots=True)
class Threads:
    """How many threads each may use. opencv: to look at one picture. blas: for one product of matrices."""

    opencv: int
    blas: int


def threads(cores: int) -> Threads:
    """How many threads a machine of that many cores lets each use.

    One for OpenCV and for BLAS, however many cores there are: their pieces of work are so small that to share
    one costs more than it saves (docs/how-it-is-built.md has the figures), and the other cores are for the
    pages, the camera and the tables that are worked out meanwhile.
    """
    del cores
    return Threads(opencv=1, blas=1)


def bound() -> Threads:
    """Bound BLAS's threads and the C library's heaps for this process and those it starts.

    What the environment says already stands. Returns the threads, for OpenCV to be told (`use_threads`).
    """
    found = threads(os.cpu_count() or 1)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, str(found.blas))
    os.environ.setdefault("MALLOC_ARENA_MAX", "1")  # for processes to come
    mallopt = getattr(_libc(), "mallopt", None)
    if mallopt is not None:
        mallopt(M_ARENA_MAX, 1)
    return found


def give_back() -> None:
    """Give memory that is free to the system again, a few ms; does nothing where the C library cannot."""
    trim = getattr(_libc(), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _libc() -> ctypes.CDLL:
    """The C library this process runs with; glibc has both functions, others lack them."""
    return ctypes.CDLL(None)
