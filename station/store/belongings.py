"""What a copy holds besides the games: seats, profiles, house rules and settings, as files.

They stand in the table `files` of the copy, under the names they have in the data folder; the settings, which
lie elsewhere, as `station.toml`.
"""

import re
import sqlite3
from collections.abc import Mapping
from pathlib import Path

from calibration.atomic_write import write_out
from calibration.profile import Profile
from station.camera import picture_choice
from station.camera.picture_choice import PICTURE_NAME
from station.config import load_settings
from station.screens.room import Room
from station.screens.room_file import ROOM_NAME
from station.store import chain
from station.store.house_rules import RULES_FOLDER, HouseRules

SETTINGS_NAME = "station.toml"
NAMES = (
    ROOM_NAME,
    PICTURE_NAME,
    "profile*.json",
    "profile*.png",
    "profiles/*.json",
    "profiles/*.png",
    f"{RULES_FOLDER}/*.toml",
)
"""What belongs to a station, in its data folder."""

ALLOWED = re.compile(
    rf"{re.escape(ROOM_NAME)}|{re.escape(PICTURE_NAME)}|{re.escape(SETTINGS_NAME)}|profile[\w.-]*\.(json|png)"
    rf"|profiles/\w[\w.-]*\.(json|png)|{RULES_FOLDER}/\w[\w.-]*\.toml"
)
THROWS_KEY = "homes.key"
"""Of which the host of a game in two homes makes its secrets. It belongs to one log: no copy has it, and it
goes where another log comes, or throws of the same number repeated them."""

BYTES_MAX = 64 * 1024 * 1024
"""Of all files together: a picture of an empty tray has three megabytes at most."""

FILES_MAX = 1000


def gather(folder: Path, settings: Path | None) -> dict[str, bytes]:
    """The files of a data folder, by name. settings: the settings file. Raises OSError."""
    paths = {
        path.relative_to(folder).as_posix(): path for name in NAMES for path in sorted(folder.glob(name))
    }
    if settings is not None:
        paths[SETTINGS_NAME] = settings
    found = {name: path.read_bytes() for name, path in paths.items() if path.is_file()}
    return {name: content for name, content in sorted(found.items()) if ALLOWED.fullmatch(name)}


def pack(db: sqlite3.Connection, files: Mapping[str, bytes]) -> None:
    """Put files into a copy, in the place of those it has."""
    db.execute("DELETE FROM files")
    db.executemany("INSERT INTO files VALUES (?, ?)", files.items())
    chain.put_seal(db, "files")


def unpack(db: sqlite3.Connection) -> dict[str, bytes]:
    """The files of a copy. Raises ValueError for what is no file of a station."""
    count, size = db.execute("SELECT count(*), coalesce(sum(length(content)), 0) FROM files").fetchone()
    if count > FILES_MAX or size > BYTES_MAX:
        raise ValueError("files")
    found = {str(name): bytes(content) for name, content in db.execute("SELECT path, content FROM files")}
    for name in found:
        if not ALLOWED.fullmatch(name):
            raise ValueError(name)
    return found


def put(files: Mapping[str, bytes], folder: Path, settings: Path | None) -> None:
    """Write files to where they belong; what lies there besides stays. Raises OSError.

    settings: where the settings go; None leaves them in the copy.
    """
    paths = {name: folder / name for name in files if name != SETTINGS_NAME}
    if settings is not None and SETTINGS_NAME in files:
        paths[SETTINGS_NAME] = settings
    rough = {name: path.with_name(f"{path.name}.new") for name, path in paths.items()}
    try:
        for name, path in rough.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            # A PIN's hash stands in one of them: nobody else has to read it. The settings are read by others.
            mode = 0o644 if name == SETTINGS_NAME else 0o600
            write_out(path, files[name], mode)
        for name, path in rough.items():
            path.replace(paths[name])
    finally:
        for path in rough.values():
            path.unlink(missing_ok=True)


def put_back(before: Mapping[str, bytes], folder: Path, settings: Path | None) -> None:
    """The way back of `put`: these are there again, and nothing besides. Raises OSError."""
    for name in gather(folder, None).keys() - before.keys():
        (folder / name).unlink(missing_ok=True)
    put(before, folder, settings)


def check(files: Mapping[str, bytes], scratch: Path) -> None:
    """Open files as a station would, in a folder of their own. Raises BadInputError, ValueError, OSError."""
    put(files, scratch, scratch / SETTINGS_NAME)
    Room(scratch)
    if ROOM_NAME in files and not (scratch / ROOM_NAME).exists():  # it was set aside as unreadable
        raise ValueError(ROOM_NAME)
    if PICTURE_NAME in files:
        picture_choice.read(files[PICTURE_NAME])
    rules = [name for name in files if name.startswith(f"{RULES_FOLDER}/")]
    if len(HouseRules(scratch / RULES_FOLDER).texts()) != len(rules):
        raise ValueError(RULES_FOLDER)
    for name in files:
        if name.startswith("profile") and name.endswith(".json"):
            Profile.load(scratch / name)
    if SETTINGS_NAME in files:
        load_settings(scratch / SETTINGS_NAME)
