"""Fetches every pinned wheel for a Debian that has no network.

`python -m release.wheels 3.13 DIR` uses pip as this machine has it set up: no index
is named here. A third word is another machine's name: `aarch64`.
"""

import platform
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
FILES = tuple(ROOT / "requirements" / f"{part}.txt" for part in ("run", "display", "test", "mutants", "docs"))
"""Every pinned package with the hashes of its wheels."""

BUILD = ("wheel",)
"""What pip needs to build lgpio without an index, besides the pinned setuptools."""

PI = ("picamera2", "simplejpeg", "videodev2", "OpenEXR")
"""What Raspberry Pi OS brings by apt and Debian does not; lgpio has no wheel for Python 3.13 and is built."""


def lines(path: Path) -> Iterator[str]:
    """The requirements of a file, without their hashes."""
    for line in path.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
        requirement = line.partition("#")[0].partition("--hash")[0].strip()
        if requirement:
            yield requirement


def pinned(python: str, machine: str, files: Sequence[Path] = FILES) -> tuple[Requirement, ...]:
    """What is pinned for this Python ("3.13") on this machine ("aarch64")."""
    surroundings = {"python_version": python, "platform_machine": machine, "sys_platform": "linux"}
    requirements = (Requirement(line) for path in files for line in lines(path))
    return tuple(r for r in requirements if r.marker is None or r.marker.evaluate(surroundings))


def platforms(machine: str) -> tuple[str, ...]:
    """The wheel platforms a Debian 12 or newer takes: its glibc is at least 2.36."""
    return (*(f"manylinux_2_{minor}_{machine}" for minor in range(5, 37)), f"manylinux2014_{machine}")


def pip_arguments(python: str, machine: str) -> tuple[str, ...]:
    """Make pip choose for another Python and another machine."""
    chosen = (argument for each in platforms(machine) for argument in ("--platform", each))
    return ("--only-binary=:all:", "--implementation", "cp", "--python-version", python, *chosen)


def main(python: str, folder: str, machine: str = "", *, pi: bool = False) -> int:
    """Download what is pinned into `folder`, or with `pi` what apt would bring on a Pi.

    machine: for which one, "aarch64"; empty for this one.
    """
    machine = machine or platform.machine()
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder)
    foreign = pip_arguments(python, machine)
    if pi:
        calls = [(*pip, *foreign, *PI), (*pip, "--no-binary", "lgpio", "lgpio")]
    else:
        wanted = [f"{r.name}{r.specifier}" for r in pinned(python, machine)]
        calls = [(*pip, *foreign, *wanted, *BUILD)]
    return max(subprocess.run(call, check=False).returncode for call in calls)


if __name__ == "__main__":
    sys.exit(main(*(word for word in sys.argv[1:] if word != "--pi"), pi="--pi" in sys.argv))
