"""The hashes of every file that pip may install, for each pinned version: in `requirements/`.

`python -m release.pins` asks the index that pip is set up with here and writes the hashes anew: those of the
wheels that pip takes on a Pi and on a PC, for each Python. No address of an index is written down.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from packaging.utils import canonicalize_name

from release.wheels import FILES, lines, pinned, pip_arguments

PYTHONS = ("3.11", "3.12", "3.13")
MACHINES = ("aarch64", "x86_64")


def hashes(python: str, machine: str) -> Iterator[tuple[str, str]]:
    """Name, version and hash of the wheel that pip takes of each pinned package."""
    wanted = [f"{each.name}{each.specifier}" for each in pinned(python, machine)]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        call = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--dry-run",
            "--no-deps",
            "--ignore-installed",
        ]
        call += [*pip_arguments(python, machine), "--target", folder, "--report", str(report), *wanted]
        subprocess.run(call, check=True, env=os.environ)
        found = json.loads(report.read_text(encoding="utf-8"))["install"]
    for each in found:
        package, file = each["metadata"], each["download_info"]["archive_info"]
        yield f"{canonicalize_name(package['name'])}=={package['version']}", file["hashes"]["sha256"]


def write(path: Path, known: dict[str, set[str]]) -> None:
    """Write a file of pins anew, each with its hashes; comments stay."""
    text = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    for line in lines(path):
        pin, name, version = line, *line.partition(";")[0].strip().split("==")
        given = sorted(known[f"{canonicalize_name(name)}=={version}"])
        text.append(" \\\n    ".join((pin, *(f"--hash=sha256:{each}" for each in given))))
    path.write_text("\n".join(text) + "\n", encoding="utf-8")


def main() -> None:
    """Ask for every Python and machine, and write."""
    known: dict[str, set[str]] = {}
    for python in PYTHONS:
        for machine in MACHINES:
            for pin, each in hashes(python, machine):
                known.setdefault(pin, set()).add(each)
    for path in FILES:
        write(path, known)


if __name__ == "__main__":
    main()
