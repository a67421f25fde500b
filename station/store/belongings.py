"""What a copy holds besides the games: seats, profiles, house rules and settings, as files.

They stand in the table `files` of the copy, under the names they have in the data folder; the settings, which
lie elsewhere, as `station.toml`. What cannot be read of them, by the system or by a station, costs no game.
"""

import logging
import re
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from calibration.profile import Profile
from messages.atomic_write import write_out
from messages.errors import BadInputError
from messages.regular_file import read_regular
from station.camera.picture_choice import PICTURE_NAME, PictureChoice
from station.config import Picture
from station.screens.room_file import ROOM_NAME, RoomFile, parsed, written
from station.store import chain
from station.store.house_rules import RULES_FOLDER, HouseRules, drop_others

log = logging.getLogger(__name__)

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

ANY = r"[^/\x00-\x1f\ud800-\udfff]{0,100}"
"""Of a name that somebody gave a file: all that stays in its folder and is UTF-8."""

ALLOWED = re.compile(
    rf"{re.escape(ROOM_NAME)}|{re.escape(PICTURE_NAME)}|{re.escape(SETTINGS_NAME)}|profile{ANY}\.(json|png)"
    rf"|profiles/{ANY}\.(json|png)|{RULES_FOLDER}/{ANY}\.toml"
)
BYTES_MAX = 64 * 1024 * 1024
"""Of all files together: a picture of an empty tray has three megabytes at most."""

FILES_MAX = 1000


def gather(folder: Path, settings: Path | None) -> dict[str, bytes]:
    """The files of a data folder that can be read, by name. settings: the settings file."""
    paths = {
        path.relative_to(folder).as_posix(): path for name in NAMES for path in sorted(folder.glob(name))
    }
    if settings is not None:
        paths[SETTINGS_NAME] = settings
    found: dict[str, bytes] = {}
    for name, path in sorted(paths.items()):
        try:
            if ALLOWED.fullmatch(name):
                found[name] = read_regular(path, follow=path == settings)
        except OSError as error:
            log.warning("no copy has %s: %s", path, error)
    return found


def pack(db: sqlite3.Connection, files: Mapping[str, bytes]) -> None:
    """Put files into a copy, in the place of those it has; of too many the largest stay out."""
    packed = dict(files)
    while len(packed) > FILES_MAX or sum(map(len, packed.values())) > BYTES_MAX:
        largest = max(packed, key=lambda name: len(packed[name]))
        log.warning("no copy has %s: all files together are too large", largest)
        del packed[largest]
    db.execute("DELETE FROM files")
    db.executemany("INSERT INTO files VALUES (?, ?)", packed.items())
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


def without_access(files: Mapping[str, bytes], folder: Path) -> dict[str, bytes]:
    """The files of a copy, but who may do what stays as it is in this folder: hosts, PIN, seats, keys.

    Where that cannot be read here, nobody can say what may be opened: then the copy's room stays in the copy.
    """
    found = dict(files)
    if ROOM_NAME in found:
        try:
            here = RoomFile(folder).read()
            found[ROOM_NAME] = written(parsed(found[ROOM_NAME]).with_access_of(here))
        except (OSError, ValueError) as error:
            log.warning("%s stays in the copy: %s", ROOM_NAME, error)
            del found[ROOM_NAME]
    return found


def put(files: Mapping[str, bytes], folder: Path, settings: Path | None) -> None:
    """Write files to where they belong; what lies there besides stays, but for the same house rules.

    Raises OSError.

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
        drop_others([path for path in paths.values() if path.parent == folder / RULES_FOLDER])
    finally:
        for path in rough.values():
            path.unlink(missing_ok=True)


def put_back(before: Mapping[str, bytes], folder: Path, settings: Path | None) -> None:
    """The way back of `put`: these are there again, and nothing besides that can be read. Raises OSError."""
    for name in gather(folder, None).keys() - before.keys():
        (folder / name).unlink(missing_ok=True)
    put(before, folder, settings)


def check(files: Mapping[str, bytes], scratch: Path) -> None:
    """Open files as a station does, in a folder of their own. Raises ValueError, OSError.

    Profiles, house rules and a choice of picture that have a mistake keep no station from starting: they are
    put back as they were.
    """
    put(files, scratch, None)
    room = RoomFile(scratch)
    room.load()
    if room.unread:
        raise ValueError(ROOM_NAME)
    PictureChoice(scratch, Picture())
    HouseRules(scratch / RULES_FOLDER)
    for name in files:
        if name.startswith("profile") and name.endswith(".json"):
            with suppress(BadInputError):
                Profile.load(scratch / name)
