"""The content of a copy besides the games: files of the data folder, registered by their owners.

They stand in the table `files` of the copy, under the names they have in the data folder; the settings, which
lie elsewhere, as `station.toml`. What cannot be read of them, by the system or by a station, costs no game.
"""

import logging
import re
import shutil
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from messages.atomic_write import replace_file
from messages.regular_file import read_regular
from station.store import chain

log = logging.getLogger(__name__)

SETTINGS_NAME = "station.toml"
ANY = r"[^/\x00-\x1f\ud800-\udfff]{0,100}"
"""Pattern for the part of a file's name that a person chose: anything in UTF-8 that stays in the folder."""

BYTES_MAX = 64 * 1024 * 1024
"""Limit for all files together: a picture of an empty tray has three megabytes at most."""

FILES_MAX = 1000


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file, or several alike, that copies hold.

    name: in the data folder; a * stands for whatever people call it.
    merge: of a copy's content and the data folder what is put back where access stays as it is. Raises
    ValueError, OSError where nobody can say; then the copy's file stays in the copy.
    placed: called with those that were written. Raises OSError.

    >>> [KeptFile("rules/*.toml").has(name) for name in ("rules/ours.toml", "rules/a/b.toml", "rules/toml")]
    [True, False, False]
    """

    name: str
    merge: Callable[[bytes, Path], bytes] = lambda content, _: content
    placed: Callable[[Sequence[Path]], None] = lambda _: None

    def has(self, name: str) -> bool:
        """Whether a name is one of these files'."""
        return re.fullmatch(ANY.join(map(re.escape, self.name.split("*"))), name) is not None


@dataclass(frozen=True, slots=True)
class DataFiles:
    """The files in the data folder besides the games, and the settings file; copies contain them.

    of_log: files and folders that belong to the games of one log, and go when another takes its place.
    """

    kept: tuple[KeptFile, ...] = ()
    of_log: tuple[str, ...] = ()
    settings: Path | None = None

    def knows(self, name: str) -> bool:
        """Whether it is a name of one of these files."""
        return name == SETTINGS_NAME or any(each.has(name) for each in self.kept)

    def gather(self, folder: Path) -> dict[str, bytes]:
        """The readable files of a data folder, by name."""
        there = (path for each in self.kept for path in folder.glob(each.name))
        paths = {path.relative_to(folder).as_posix(): path for path in there}
        if self.settings is not None:
            paths[SETTINGS_NAME] = self.settings
        found: dict[str, bytes] = {}
        for name, path in sorted(paths.items()):
            try:
                if self.knows(name):
                    found[name] = read_regular(path, follow=name == SETTINGS_NAME)
            except OSError as error:
                log.warning("no copy has %s: %s", path, error)
        return found

    def unpack(self, db: sqlite3.Connection) -> dict[str, bytes]:
        """The files of a copy, by name. Raises ValueError for a file that is not a station's."""
        count, size = db.execute("SELECT count(*), coalesce(sum(length(content)), 0) FROM files").fetchone()
        if count > FILES_MAX or size > BYTES_MAX:
            raise ValueError("files")
        found = {str(name): bytes(content) for name, content in db.execute("SELECT path, content FROM files")}
        self.check(found)
        return found

    def check(self, names: Iterable[str]) -> None:
        """Raise ValueError for a name that none of these files has."""
        for name in names:
            if not self.knows(name):
                raise ValueError(name)

    def merged(self, files: Mapping[str, bytes], folder: Path) -> dict[str, bytes]:
        """The files of a copy, with this folder's own access rights: hosts, PIN, seats, keys."""
        found = dict(files)
        for name in files:
            try:
                for each in self.kept:
                    if each.has(name):
                        found[name] = each.merge(found[name], folder)
            except (OSError, ValueError) as error:
                log.warning("%s stays in the copy: %s", name, error)
                del found[name]
        return found

    def put(self, files: Mapping[str, bytes], folder: Path) -> None:
        """Write files to their places; other files there stay. Raises OSError."""
        for name, content in files.items():
            # A PIN's hash stands in one: nobody else has to read it. The settings are read by others.
            replace_file(folder / name, content, 0o644 if name == SETTINGS_NAME else 0o600)
        self.placed(folder, files)

    def placed(self, folder: Path, names: Collection[str]) -> None:
        """Tell those who have them that these files were written. Raises OSError."""
        for each in self.kept:
            each.placed([folder / name for name in names if each.has(name) and (folder / name).exists()])

    def drop_of_log(self, folder: Path) -> None:
        """Remove what belongs to the games of the log there was. Raises OSError."""
        for path in map(folder.joinpath, self.of_log):
            shutil.rmtree(path, ignore_errors=True)
            if not path.is_dir():
                path.unlink(missing_ok=True)

    def put_back(self, before: Mapping[str, bytes], folder: Path) -> None:
        """These are there again, and nothing besides that can be read. Raises OSError."""
        for name in self.gather(folder).keys() - before.keys() - {SETTINGS_NAME}:
            (folder / name).unlink(missing_ok=True)
        self.put({name: content for name, content in before.items() if name != SETTINGS_NAME}, folder)


def pack(db: sqlite3.Connection, files: Mapping[str, bytes]) -> None:
    """Replace the files in a copy; of too many the largest are left out."""
    packed = dict(files)
    while len(packed) > FILES_MAX or sum(map(len, packed.values())) > BYTES_MAX:
        largest = max(packed, key=lambda name: len(packed[name]))
        log.warning("no copy has %s: all files together are too large", largest)
        del packed[largest]
    db.execute("DELETE FROM files")
    db.executemany("INSERT INTO files VALUES (?, ?)", packed.items())
    chain.put_seal(db, "files")
