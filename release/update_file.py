"""The release as one file that a station installs by itself (station/updates): `yacht-station-0.3.0.zip`."""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

from release.pins import MACHINES, PYTHONS
from release.wheels import lines, pip_arguments
from station.updates.release_file import ABOUT, PROJECT, SUMS, About

NOT_INSTALLED = {"setuptools"}
"""Only needed to build what is installed."""


def packages(pins: Path, python: str, machine: str) -> dict[str, str]:
    """Version by name of what a station has of a file of pins, on one system.

    >>> from release.source import ROOT
    >>> packages(ROOT / "requirements/run.txt", "3.11", "aarch64")["numpy"]
    '1.26.4'
    """
    system = {"python_version": python, "platform_machine": machine, "sys_platform": "linux"}
    wanted = (Requirement(line) for line in lines(pins))
    here = (each for each in wanted if each.marker is None or each.marker.evaluate(system))
    found = {canonicalize_name(each.name): str(each.specifier).removeprefix("==") for each in here}
    return {name: version for name, version in found.items() if name not in NOT_INSTALLED}


def make(folder: Path, version: str, wheel: Path, notes: str, pins: Path, before: Path | None) -> Path:
    """Put the file into a folder. before: the pins of the release before; what differs from them comes along.

    The wheels of it are fetched by pip as it is set up here. Raises CalledProcessError where one is missing.
    """
    systems: dict[str, dict[str, str]] = {}
    brought: dict[str, dict[str, str]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        fetched = Path(scratch)
        for python in PYTHONS:
            for machine in MACHINES:
                name = f"{python} {machine}"
                systems[name] = packages(pins, python, machine)
                had = systems[name] if before is None else packages(before, python, machine)
                changed = [f"{each}=={pin}" for each, pin in systems[name].items() if had.get(each) != pin]
                brought[name] = fetch(fetched / name, changed, python, machine)
        files = {wheel.name: wheel, **{each.name: each for each in fetched.rglob("*.whl")}}
        about = About(
            program=PROJECT, version=version, notes=notes, wheel=wheel.name, systems=systems, wheels=brought
        )
        return pack(folder / f"{PROJECT}-{version}.zip", about, files)


def fetch(folder: Path, wanted: list[str], python: str, machine: str) -> dict[str, str]:
    """Name of the wheel of each package, which lies in the folder then."""
    if not wanted:
        return {}
    call = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder))
    subprocess.run(
        (*call, *pip_arguments(python, machine), *wanted), check=True, capture_output=True, text=True
    )
    return {parse_wheel_filename(each.name)[0]: each.name for each in sorted(folder.glob("*.whl"))}


def pack(target: Path, about: About, files: dict[str, Path]) -> Path:
    """Write the file: its hashes, what it says of itself, and these. Wheels are packed already."""
    description = about.model_dump_json(indent=1).encode()
    contents = {ABOUT: description, **{name: path.read_bytes() for name, path in files.items()}}
    sums = "".join(f"{hashlib.sha256(each).hexdigest()}  {name}\n" for name, each in sorted(contents.items()))
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as packed:
        for name, content in {SUMS: sums.encode(), **contents}.items():
            packed.writestr(zipfile.ZipInfo(name), content)
    return target
