"""The station's use of its machine: threads, their turns, heaps, garbage collection.

The one place that decides them. `bound` has to come before numpy and OpenCV are loaded: BLAS reads its
number of threads when it is loaded, and a thread keeps the heap it began with.
"""

import ctypes
import gc
import os
import sys
from dataclasses import dataclass

M_ARENA_MAX = -8
"""mallopt's name for the most heaps there may be (malloc.h of glibc)."""

TURN_S = 0.001
"""Seconds for which a thread of Python computes while others wait. A request takes some ten turns: with
Python's own 5 ms, every page that is being made for somebody else would delay it by 50 ms."""


@dataclass(frozen=True, slots=True)
class Threads:
    """Threads that each may use. opencv: for one of its functions. blas: for one product of matrices.

    ahead: whether a second thread works out what a look at a picture is going to ask for.
    """

    opencv: int
    blas: int
    ahead: bool


def threads(cores: int | None = None) -> Threads:
    """The threads for a machine of that many cores (None: this one).

    One for OpenCV and for BLAS, however many cores there are: their pieces of work are so small that to share
    one costs more than it saves (docs/measurements.md has the figures), and the other cores are for the
    pages, the camera and the tables that are worked out meanwhile. What a look is going to ask of networks is
    work enough for a core of its own.
    """
    return Threads(opencv=1, blas=1, ahead=(cores or os.cpu_count() or 1) > 1)


def bound() -> Threads:
    """Bound BLAS's threads and the C library's heaps for this process and those it starts, and its turns.

    What the environment says already counts. Returns the threads, for OpenCV (`use_threads`).
    """
    sys.setswitchinterval(TURN_S)
    found = threads()
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, str(found.blas))
    os.environ.setdefault("MALLOC_ARENA_MAX", "1")  # for processes to come
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # glibc has it, others lack it
    if mallopt is not None:
        mallopt(M_ARENA_MAX, 1)
    return found


def settle() -> None:
    """Let the garbage collector leave out what there is now, which stays until the end.

    A full collection looks at a hundred thousand objects of a station at rest, and nobody is answered
    meanwhile: 60 ms on a fast machine, several times that on a Pi, whenever long pages are read.
    """
    gc.collect()
    gc.freeze()
