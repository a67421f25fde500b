"""What a station takes of its machine: threads, their turns, memory that is given back, searches for rubbish.

The one place that decides them. `bound` has to come before numpy and OpenCV are loaded: BLAS reads its
number of threads when it is loaded, and a thread keeps the heap it began with.
"""

import ctypes
import gc
import mmap
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8
"""mallopt's names for the bytes from which a piece of memory is mapped, and for the most heaps there may be
(malloc.h of glibc)."""
LARGE_BYTES = 1 << 20
"""A piece this large is mapped on its own where memory is scarce."""

SMAPS = Path("/proc/self/smaps")
"""What the process has in memory, as the kernel tells it."""
Span = tuple[int, int]
"""Where a piece of memory begins, and how many bytes it has."""

TURN_S = 0.001
"""How long a thread of Python computes while others wait for their turn. A request takes some ten turns: with
Python's own 5 ms, every page that is being made for somebody else would delay it by 50 ms."""


@dataclass(frozen=True, slots=True)
class Threads:
    """How many threads each may use. opencv: for one of its functions. blas: for one product of matrices.

    ahead: whether a second thread works out what a look at a picture is going to ask for.
    """

    opencv: int
    blas: int
    ahead: bool


def threads(cores: int | None = None) -> Threads:
    """How many threads a machine of that many cores (None: this one) lets each use.

    One for OpenCV and for BLAS, however many cores there are: their pieces of work are so small that to share
    one costs more than it saves (docs/how-it-is-built.md has the figures), and the other cores are for the
    pages, the camera and the tables that are worked out meanwhile. What a look is going to ask of networks is
    work enough for a core of its own.
    """
    return Threads(opencv=1, blas=1, ahead=(cores or os.cpu_count() or 1) > 1)


def bound(*, scarce: bool = False) -> Threads:
    """Bound BLAS's threads and the C library's heaps for this process and those it starts, and its turns.

    scarce: large pieces of memory go back to the system as soon as they are free. Else the C library keeps up
    to twice the largest that was ever freed (mallopt(3)); to make their pages anew costs a look at a picture
    a tenth of its time. What the environment says already stands. Returns the threads, for OpenCV to be told
    (`use_threads`).
    """
    sys.setswitchinterval(TURN_S)
    found = threads()
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, str(found.blas))
    os.environ.setdefault("MALLOC_ARENA_MAX", "1")  # for processes to come
    mallopt = getattr(_libc(), "mallopt", None)
    if mallopt is not None:
        mallopt(M_ARENA_MAX, 1)
        if scarce:
            mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)
    return found


def give_back(code: Sequence[Span] = ()) -> None:
    """Give memory that is free to the system again, a few ms, and leave it the pages of this code.

    code: see `loaded_code`. Most of a library is only needed to load it. The system keeps what is left to it
    as long as it has room: what is needed again comes back without the disk (madvise(2)). Free memory stays
    where the C library cannot give it back.
    """
    library = _libc()
    for begin, size in code:
        library.madvise(ctypes.c_void_p(begin), ctypes.c_size_t(size), mmap.MADV_DONTNEED)
    trim = getattr(library, "malloc_trim", None)
    if trim is not None:
        trim(0)


def loaded_code() -> tuple[Span, ...]:
    """Where programs and libraries are that are loaded now and are as in their files (proc_pid_smaps(5)).

    To be asked while nothing is being loaded. Nothing where the system has no /proc.
    """
    try:
        lines = SMAPS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    found, span = [], None
    for line in lines:
        key, *values = line.split()
        if not key.endswith(":"):  # from-to rights offset device inode name
            begin, end = (int(each, 16) for each in key.split("-"))
            span = (begin, end - begin) if " /" in line and "w" not in values[0] else None
        elif key == "Anonymous:" and values[0] == "0" and span is not None:
            found.append(span)
    return tuple(found)


def settle() -> None:
    """Let Python's search for rubbish leave out what there is now, which stays until the end.

    A whole search looks at a hundred thousand objects of a station at rest, and nobody is answered meanwhile:
    60 ms on a fast machine, several times that on a Pi, whenever long pages are read.
    """
    gc.collect()
    gc.freeze()


def _libc() -> ctypes.CDLL:
    """The C library this process runs with; glibc has both functions, others lack them."""
    return ctypes.CDLL(None)
