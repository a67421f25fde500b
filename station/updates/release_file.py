"""A release as one file, `yacht-station-0.3.0.zip`: what is looked at before anything of it is taken.

`make release` makes it (release/update_file.py). It holds `release.json`, the program's wheel, the wheels of
packages that changed since the release before, and `SHA256SUMS` of all of it.
"""

import hashlib
import platform
import re
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePosixPath
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from messages.errors import BadInputError

NAME = re.compile(r"yacht-station-(\d+\.\d+\.\d+)\.zip")
PROJECT = "yacht-station"
BEGINS = b"PK\3\4"
"""The first bytes of every zip file that is not empty."""
ABOUT, SUMS = "release.json", "SHA256SUMS"
UNPACKED_MAX_BYTES = 1024**3
"""All packages together need less than half."""
ABOUT_MAX_BYTES = 4 * 1024**2
PIECE_BYTES = 1024 * 1024
BITS_64 = 8

Version = tuple[int, ...]
Number = Annotated[str, Field(pattern=r"^\d{1,6}\.\d{1,6}\.\d{1,6}$")]


def numbers(text: str) -> Version:
    """What a version is compared by.

    >>> numbers("0.10.2") > numbers("0.9.0")
    True
    """
    return tuple(int(each) for each in re.findall(r"\d+", text)[:3])


class About(BaseModel):
    """What a release says of itself.

    systems: for each system as `Here.name` has it, version by name of each package it was tried with. wheels:
    for the same, the files that bring those which changed.
    """

    program: str
    version: Number
    notes: str = ""
    wheel: str
    systems: dict[str, dict[str, str]]
    wheels: dict[str, dict[str, str]] = {}


@dataclass(frozen=True, slots=True)
class Here:
    """What a release meets. running: version of the program; name: Python and machine, as "3.13 aarch64"."""

    running: str
    name: str
    bits: int = BITS_64

    @classmethod
    def current(cls) -> "Here":
        """This program on this machine."""
        python = f"{sys.version_info.major}.{sys.version_info.minor}"
        return cls(version(PROJECT), f"{python} {platform.machine()}", struct.calcsize("P"))


@dataclass(frozen=True, slots=True)
class Release:
    """One that can be installed here. files: the wheels to be unpacked; size: of all of it then, in bytes."""

    path: Path
    version: str
    notes: str
    files: tuple[str, ...]
    size: int


def look(path: Path, here: Here) -> Release:
    """Look at all of a file. Raises BadInputError with what is wrong where it cannot be installed here."""
    with _opened(path) as file:
        names = file.namelist()
        if ABOUT not in names:
            raise _other(path)
        sizes = {each.filename: each.file_size for each in file.infolist()}
        too_large = sum(sizes.values()) > UNPACKED_MAX_BYTES or sizes[ABOUT] > ABOUT_MAX_BYTES
        if too_large or len(sizes) < len(names):
            raise BadInputError("update/damaged", file=path.name)
        try:
            about = About.model_validate_json(file.read(ABOUT))
        except ValidationError as error:
            raise _other(path) from error
        if about.program != PROJECT:
            raise _other(path)
        _check_sums(file, path)
        if numbers(about.version) <= numbers(here.running):
            raise BadInputError("update/older", theirs=about.version, ours=here.running)
        files = (about.wheel, *_packages(about, here))
        if not set(files) <= set(names):
            raise BadInputError("update/damaged", file=path.name)
        size = 0
        for each in files:
            with _wheel(file, each, path) as wheel:
                size += sum(item.file_size for item in wheel.infolist())
    if size > UNPACKED_MAX_BYTES:
        raise BadInputError("update/damaged", file=path.name)
    return Release(path, about.version, about.notes, files, size)


def unpack(release: Release, folder: Path) -> None:
    """Lay its program, and the packages it brings, into a folder, as they are imported from there."""
    with _opened(release.path) as file:
        for each in release.files:
            with _wheel(file, each, release.path) as wheel:
                wheel.extractall(folder)


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """A file that is read. What zipfile finds wrong on the way becomes a sentence."""
    try:
        with zipfile.ZipFile(path) as file:
            # Cut short, it may end as a zip within it does, a wheel or an npz, and is taken for that.
            if min((each.header_offset for each in file.infolist()), default=0) > 0:
                raise BadInputError("update/damaged", file=path.name)
            yield file
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError, zlib.error) as error:
        if isinstance(error, BadInputError):
            raise
        with path.open("rb") as begun:
            other = begun.read(len(BEGINS)) != BEGINS
        raise (_other(path) if other else BadInputError("update/damaged", file=path.name)) from error


@contextmanager
def _wheel(file: zipfile.ZipFile, name: str, path: Path) -> Iterator[zipfile.ZipFile]:
    with file.open(name) as packed, zipfile.ZipFile(packed) as wheel:
        for each in map(PurePosixPath, wheel.namelist()):
            if each.is_absolute() or ".." in each.parts:
                raise BadInputError("update/damaged", file=path.name)
        yield wheel


def _other(path: Path) -> BadInputError:
    return BadInputError("update/foreign", file=path.name)


def _check_sums(file: zipfile.ZipFile, path: Path) -> None:
    """Raise BadInputError unless each file is as it was released, and none is there besides."""
    damaged = BadInputError("update/damaged", file=path.name)
    names = set(file.namelist())
    if SUMS not in names or file.getinfo(SUMS).file_size > ABOUT_MAX_BYTES:
        raise damaged
    lines = (line.partition("  ") for line in file.read(SUMS).decode("utf-8", "replace").splitlines())
    sums = {name: digest for digest, _, name in lines}
    if set(sums) != names - {SUMS}:
        raise damaged
    for name, wanted in sums.items():
        digest = hashlib.sha256()
        with file.open(name) as packed:
            while piece := packed.read(PIECE_BYTES):
                digest.update(piece)
        if digest.hexdigest() != wanted:
            raise damaged


def _packages(about: About, here: Here) -> tuple[str, ...]:
    """The wheels of the packages that are not here as the release wants them."""
    wanted = about.systems.get(here.name)
    if wanted is None or here.bits != BITS_64:
        served = tuple(sorted(about.systems, key=lambda name: (name.split()[1:], numbers(name))))
        system = f"{here.name}, {8 * here.bits}-bit"
        raise BadInputError("update/system", version=about.version, here=system, served=served)
    brought = about.wheels.get(here.name, {})
    changed = _changed(wanted)
    missing = tuple(f"{name} {each}" for name, each in changed.items() if name not in brought)
    if missing:
        raise BadInputError("update/packages", version=about.version, packages=missing)
    return tuple(brought[name] for name in changed)


def _changed(wanted: Mapping[str, str]) -> dict[str, str]:
    def here(name: str) -> str | None:
        try:
            return version(name)
        except PackageNotFoundError:
            return None

    return {name: each for name, each in wanted.items() if here(name) != each}
