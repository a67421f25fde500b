"""Fetches every pinned wheel for a Debian that has no network.

`python -m hardware.virtual_pi.wheels 3.13 DIR` uses pip as this machine has it set up: no index
is named here.
"""

import os
import platform
import subprocess
import sys
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent.parent
BUILD = ("setuptools>=77", "wheel")
"""What pip needs to build the station itself without an index."""

PI = ("picamera2", "simplejpeg", "videodev2", "OpenEXR")
"""What Raspberry Pi OS brings by apt and Debian does not; lgpio has no wheel for Python 3.13 and is built."""


def pinned(python: str, machine: str, root: Path = ROOT) -> tuple[Requirement, ...]:
    """The lines of constraints.txt that hold for this Python ("3.13") on this machine ("aarch64")."""
    lines = (line.split("#")[0].strip() for line in (root / "constraints.txt").read_text().splitlines())
    surroundings = {"python_version": python, "platform_machine": machine, "sys_platform": "linux"}
    requirements = (Requirement(line) for line in lines if line)
    return tuple(r for r in requirements if r.marker is None or r.marker.evaluate(surroundings))


def platforms(machine: str) -> tuple[str, ...]:
    """The wheel platforms a Debian 12 or newer takes: its glibc is at least 2.36."""
    return (*(f"manylinux_2_{minor}_{machine}" for minor in range(5, 37)), f"manylinux2014_{machine}")


def pip_arguments(python: str, machine: str) -> tuple[str, ...]:
    """Make pip choose for another Python and another machine."""
    chosen = (argument for each in platforms(machine) for argument in ("--platform", each))
    return ("--only-binary=:all:", "--implementation", "cp", "--python-version", python, *chosen)


def main(python: str, folder: str, *, pi: bool = False) -> int:
    """Download what is pinned into `folder`, or with `pi` what apt would bring on a Pi."""
    machine = platform.machine()
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder)
    foreign = pip_arguments(python, machine)
    if pi:
        calls = [(*pip, *foreign, *PI), (*pip, "--no-binary", "lgpio", "lgpio")]
    else:
        wanted = [f"{r.name}{r.specifier}" for r in pinned(python, machine)]
        calls = [(*pip, *foreign, *wanted, *BUILD)]
    # The Makefile's constraints hold for the Python that runs here, not for the one asked for.
    environ = {name: value for name, value in os.environ.items() if name != "PIP_CONSTRAINT"}
    return max(subprocess.run(call, check=False, env=environ).returncode for call in calls)  # noqa: S603 - arguments of our own


if __name__ == "__main__":
    sys.exit(main(*sys.argv[-2:], pi="--pi" in sys.argv))
