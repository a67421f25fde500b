"""The hashes of every file that pip may install, for each pinned version: in `requirements/`.

`python -m release.pins` asks the index that pip is set up with here and writes the hashes anew: those of the
wheels that pip takes on a Pi and on a PC, for each Python; with `3.14` after it for that Python alone, beside
those that are there. Each package has to find what it needs among the others. The table of Pythons in
docs/install.md is made of what pip found. No address of an index is written down.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from release.wheels import FILES, ROOT, lines, pinned, pip_arguments

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
MACHINES = ("aarch64", "x86_64")
TABLE = ROOT / "docs" / "install.md"
MARKS = re.compile(r"(?<=<!-- pythons -->\n).*?(?=<!-- end -->)", re.DOTALL)
KNOWN = ("opencv-python wants numpy", "libcst wants pyyaml-ft")
"""Decided so: docs/decisions/opencv-numpy.md; and libcst works with PyYAML, which is on every index."""


class UnmetError(Exception):
    """What a package needs is not pinned as it needs it."""


def resolved(python: str, machine: str, files: Sequence[Path] = FILES) -> list[Any]:
    """What pip would install of these files on such a system, as its report has it.

    Raises CalledProcessError.
    """
    wanted = [f"{each.name}{each.specifier}" for each in pinned(python, machine, files)]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        call = (
            *(sys.executable, "-m", "pip", "install"),
            "--quiet",
            "--dry-run",
            "--no-deps",
            "--ignore-installed",
        )
        where = ("--target", folder, "--report", str(report))
        subprocess.run((*call, *pip_arguments(python, machine), *where, *wanted), check=True, env=os.environ)
        found: list[Any] = json.loads(report.read_text(encoding="utf-8"))["install"]
    return found


def check(found: list[Any], python: str, machine: str) -> None:
    """Raise UnmetError unless each package finds what it needs among them, and takes this Python."""
    system = {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "platform_machine": machine,
        "sys_platform": "linux",
        "platform_system": "Linux",
        "os_name": "posix",
        "extra": "",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    there = {canonicalize_name(each["metadata"]["name"]): each["metadata"]["version"] for each in found}
    for each in (one["metadata"] for one in found):
        for need in map(Requirement, each.get("requires_dist", ())):
            if need.marker is not None and not need.marker.evaluate(system):
                continue
            message = f"{each['name']} wants {need}"
            version = there.get(canonicalize_name(need.name))
            met = version is not None and need.specifier.contains(version)
            if not met and not message.startswith(KNOWN):
                raise UnmetError(f"Python {python} on {machine}: {message}")


def hashes(found: list[Any]) -> dict[str, str]:
    """Hash of the wheel of each pin, as "flask==3.1.3"."""
    return {
        f"{canonicalize_name(each['metadata']['name'])}=={each['metadata']['version']}": each[
            "download_info"
        ]["archive_info"]["hashes"]["sha256"]
        for each in found
    }


def written() -> dict[str, set[str]]:
    """The hashes that stand in the files, by pin."""
    known: dict[str, set[str]] = {}
    for path in FILES:
        for line in path.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
            name, _, version = line.partition(";")[0].partition(" ")[0].partition("==")
            known.setdefault(f"{canonicalize_name(name)}=={version}", set()).update(
                re.findall(r"sha256:(\w+)", line)
            )
    return known


def write(path: Path, known: dict[str, set[str]]) -> None:
    """Rewrite a file of pins, each with its hashes; comments stay."""
    text = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    for line in lines(path):
        pin, name, version = line, *line.partition(";")[0].strip().split("==")
        given = sorted(known[f"{canonicalize_name(name)}=={version}"])
        text.append(" \\\n    ".join((pin, *(f"--hash=sha256:{each}" for each in given))))
    path.write_text("\n".join(text) + "\n", encoding="utf-8")


def table(found: dict[tuple[str, str], list[Any]]) -> str:
    """Which Pythons a station runs on, and what pip takes there."""

    def cell(python: str, machine: str) -> str:
        wheels = found[python, machine]
        numpy = next(each["metadata"]["version"] for each in wheels if each["metadata"]["name"] == "numpy")
        return f"{len(wheels)} packages, numpy {numpy}"

    rows = [f"| {python} | {' | '.join(cell(python, each) for each in MACHINES)} |" for python in PYTHONS]
    return "\n".join((f"| Python | {' | '.join(MACHINES)} |", "|---|---|---|", *rows, ""))


def main() -> None:
    """Ask, check and write."""
    versions = tuple(sys.argv[1:]) or PYTHONS
    known = written() if sys.argv[1:] else {}
    found: dict[tuple[str, str], list[Any]] = {}
    for python in PYTHONS:
        for machine in MACHINES:
            if python in versions:
                everything = resolved(python, machine)
                check(everything, python, machine)
                for pin, each in hashes(everything).items():
                    known.setdefault(pin, set()).add(each)
            found[python, machine] = resolved(python, machine, FILES[:1])
            check(found[python, machine], python, machine)
    for path in FILES:
        write(path, known)
    text = TABLE.read_text(encoding="utf-8")
    TABLE.write_text(MARKS.sub(lambda _: table(found), text), encoding="utf-8")


if __name__ == "__main__":
    main()
