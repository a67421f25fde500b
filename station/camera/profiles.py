"""The profiles of a station: the one in use, and all that were made, side by side ("kitchen", "living room").

The one in use is a file of its own (`profile.json` in the data folder, or that of `--profile`) with its
picture of the empty tray beside it; every profile made is also kept in the folder `profiles`. Whatever fails
while one is written leaves the old one whole, with its picture: see `calibration.profile_files`.
"""

import itertools
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration import profile_choice, profile_files
from calibration.camera_movement import MovementKind, Reference
from calibration.empty_tray import scaled
from calibration.profile import CalibrationProfile
from messages.errors import BadInputError, RefusalError

Image = NDArray[np.uint8]
PROFILE_NAME = "profile.json"
"""Name of the profile in use in the data folder, where the settings give no other."""
FOLDER_NAME = "profiles"
Admit = Callable[[str, Sequence[str]], None]
LONGEST = 40
"""Letters of a key."""


@dataclass(frozen=True, slots=True)
class StoredProfile:
    """One profile that is kept. key: name of its file without the ending. active: whether it is in use."""

    key: str
    profile: CalibrationProfile
    active: bool


def key_of(name: str) -> str:
    """The name of a file for a profile.

    >>> key_of("Living room"), key_of("  ../Küche/ ")
    ('living-room', 'küche')
    """
    return re.sub(r"[\W_]+", "-", name.lower()).strip("-")[:LONGEST] or "table"


def _mark(profile: CalibrationProfile) -> tuple[str, str | None]:
    """The identity of a profile; a repaired one keeps it."""
    return profile.name, profile.made


def _spoken(name: str) -> str:
    """A name as people tell it from others.

    >>> _spoken(" Living  room"), _spoken("living room")
    ('living room', 'living room')
    """
    return " ".join(name.lower().split())


class Profiles:
    """The folder of profiles and the one in use. Used by one thread at a time.

    active: file of the profile in use. now: the wall clock, for names that were never there.
    """

    def __init__(self, active: Path, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.active = active
        self.folder = active.parent / FOLDER_NAME
        self._now = now

    def current(self) -> CalibrationProfile | None:
        """The profile in use; None when there is none that can be read."""
        with suppress(BadInputError):
            return CalibrationProfile.load(self.active)
        return None

    def empty(self) -> Image | None:
        """The picture of the empty tray of the profile in use, if it has one."""
        current = self.current()
        return None if current is None else profile_files.load_empty_tray(self.active, current)

    def stored(self) -> tuple[StoredProfile, ...]:
        """All that are kept, by name."""
        current = self.current()
        mark = None if current is None else _mark(current)
        return tuple(
            StoredProfile(path.stem, profile, _mark(profile) == mark)
            for path, profile in sorted(profile_choice.profiles(self.folder).items())
        )

    def keep(
        self, profile: CalibrationProfile, empty: Image | None, admit: Admit = lambda _key, _there: None
    ) -> None:
        """Keep a profile with its picture of the empty tray and use it from now on.

        admit: checks whether there is room for one of that key beside those there are. Raises what it
        raises, and FailedError when it cannot be written; what was in use stays in use then.
        """
        key = self._key(profile)
        admit(key, [each.key for each in self.stored()])
        self._put_by()
        self._write(self._file(self._key(profile)), profile, empty)
        self._write(self.active, profile, empty)

    def use(self, key: str) -> CalibrationProfile:
        """Use one of those kept. Raises RefusalError when there is none of that key."""
        path = self._path(key)
        profile = CalibrationProfile.load(path)
        empty = profile_files.load_empty_tray(path, profile)
        self._put_by()
        self._write(self.active, profile, empty)
        return profile

    def fitting(
        self, size_wh: tuple[int, int], camera: str | None = None
    ) -> tuple[CalibrationProfile, Image | None]:
        """The profile in use and its empty tray as they fit pictures of that size, of that camera if named.

        Raises BadInputError where there is none, or as `CalibrationProfile.for_picture` does.
        """
        fitted, empty = CalibrationProfile.load(self.active).for_picture(size_wh, camera), self.empty()
        return fitted, None if empty is None else scaled(empty, size_wh)

    def fits(self, image_bgr: Image) -> bool:
        """Whether the picture shows the tray of the profile in use, a small bump allowed."""
        try:
            current, empty = self.fitting((image_bgr.shape[1], image_bgr.shape[0]))
        except BadInputError:
            return False
        if empty is None:
            return False
        movement = Reference(empty, current.outline).compare(image_bgr)
        return movement.kind is MovementKind.SAME or movement.small

    def recognized(self, image_bgr: Image, camera: str) -> str | None:
        """The key of the profile whose tray the picture shows; None when it shows none of them."""
        match = profile_choice.match_profile(self.folder, image_bgr, camera)
        return None if match is None else match.path.stem

    def forget(self, key: str) -> None:
        """Delete one of those kept; the one in use goes on being used."""
        profile_files.delete_profile(self._path(key))

    def _path(self, key: str) -> Path:
        there = {path.stem: path for path in self.folder.glob("*.json")}
        path = there.get(key) or there.get(key_of(key))
        if path is None:
            raise RefusalError("calibration/profile/gone", code="calibration/no_profile", key=key)
        return path

    def _put_by(self) -> None:
        """Keep the profile in use if it came from elsewhere, so that another may take its place."""
        current = self.current()
        if current is not None and not any(each.active for each in self.stored()):
            self._write(self._file(self._free_key(current.name)), current, self.empty())

    def _key(self, profile: CalibrationProfile) -> str:
        """The key of the stored profile that it is, or that it replaces by name; else a free one."""
        stored, name = self.stored(), _spoken(profile.name)
        same = [each.key for each in stored if _mark(each.profile) == _mark(profile)]
        named = [each.key for each in stored if _spoken(each.profile.name) == name]
        same += sorted(named, key=lambda key: key != key_of(profile.name))
        return same[0] if same else self._free_key(profile.name)

    def _free_key(self, name: str) -> str:
        """A key for a profile of that name under which nothing is kept yet: "table", else "table-2"."""
        key = key_of(name)
        numbered = (f"{key[: LONGEST - 4].rstrip('-')}-{number}" for number in itertools.count(2))
        return next(each for each in itertools.chain([key], numbered) if not self._file(each).exists())

    def _file(self, key: str) -> Path:
        return self.folder / f"{key}.json"

    def _write(self, path: Path, profile: CalibrationProfile, empty: Image | None) -> None:
        profile_files.save_profile(path, profile, empty, self._now())
