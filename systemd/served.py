"""Ends with a sentence where this Python or this machine is none that the project's packages are pinned for.

It has to run on any Python, an older one too.
"""

import platform
import struct
import sys

PYTHONS = ((3, 11), (3, 12), (3, 13), (3, 14))
MACHINES = ("x86_64", "aarch64")
SERVED = (
    "Yacht Station runs on 64-bit Debian 12 or newer, Raspberry Pi OS and their like, on a PC or a Pi, "
    "with Python 3.11 to 3.14"
)


def main() -> None:
    """Exit 1 with the sentence; 0 where this Python on this machine is served."""
    python, machine, libc = platform.python_implementation(), platform.machine(), platform.libc_ver()[0]
    bits = 8 * struct.calcsize("P")  # of Python itself: a 64-bit kernel may have a 32-bit system on it
    machine_served = (bits, libc) == (64, "glibc") and machine in MACHINES
    if not machine_served or python != "CPython" or sys.version_info[:2] not in PYTHONS:
        here = (python, platform.python_version(), bits, platform.system(), machine, libc or "no glibc")
        other = " Another Python that is here: make run PYTHON=python3.13." if machine_served else ""
        sys.exit("{}. This is {} {}, {}-bit, {} on {}, {}.{}".format(SERVED, *here, other))


if __name__ == "__main__":
    main()
