"""What settings that are left to the station ask of its machine."""

from functools import cache
from pathlib import Path

MEMINFO = Path("/proc/meminfo")
SMALL_MB = 700
"""A board of 512 MB has 420 to 470 for its system and programs, one of a gigabyte 900 (MemTotal)."""


@cache
def memory_mb(meminfo: Path = MEMINFO) -> int | None:
    """What the system and its programs have; None where the kernel does not say (proc_meminfo(5))."""
    try:
        name, kilobytes, *_ = meminfo.read_text(encoding="ascii").split()
        return int(kilobytes) // 1000 if name == "MemTotal:" else None
    except (OSError, ValueError):
        return None


def is_small(memory: int | None) -> bool:
    """Whether a machine with so many MB is a small one; not where nobody knows.

    >>> [is_small(each) for each in (426, 905, None)]
    [True, False, False]
    """
    return memory is not None and memory < SMALL_MB
