"""Facts about the machine: its board and its memory."""

from functools import cache
from pathlib import Path

ROOT = Path("/")
MEMINFO = Path("/proc/meminfo")
SMALL_MB = 700
"""A board of 512 MB has 420 to 470 for its system and programs, one of a gigabyte 900 (MemTotal)."""


@cache
def memory_mb(meminfo: Path = MEMINFO) -> int | None:
    """Memory of the system in MB; None where the kernel does not report it (proc_meminfo(5))."""
    try:
        name, kilobytes, *_ = meminfo.read_text(encoding="ascii").split()
        return int(kilobytes) // 1000 if name == "MemTotal:" else None
    except (OSError, ValueError):
        return None


def board_model(root: Path = ROOT) -> str:
    """The board's name for itself, "Raspberry Pi 5 Model B Rev 1.0"; "" if it has none.

    root: of the machine's file system.
    """
    try:
        model = (root / "proc/device-tree/model").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return model.strip("\0 \n")


def on_a_pi(root: Path = ROOT) -> bool:
    """Whether this machine is a Raspberry Pi."""
    return "Raspberry Pi" in board_model(root)


def is_small(memory: int | None) -> bool:
    """Whether a machine with so many MB is a small one; not where nobody knows.

    >>> [is_small(each) for each in (426, 905, None)]
    [True, False, False]
    """
    return memory is not None and memory < SMALL_MB
