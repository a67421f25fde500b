"""A profile and its picture of the empty tray, kept together.

They are two files. Each picture gets a name that was never there, the profile's file is replaced last and
names it, and only then the picture before is removed: whatever fails on the way, a power cut included, the
profile at the path is whole and the picture it names is the one that belongs to it.
"""

import itertools
import json
import logging
import re
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.empty_tray import load_picture, save_picture
from calibration.profile import CalibrationProfile
from messages.atomic_write import write_whole
from messages.errors import BadInputError, FailedError, os_error_as
from messages.regular_file import read_regular

log = logging.getLogger(__name__)

Image = NDArray[np.uint8]
ENDING = ".empty.png"
OF_NEWER = {"calibration/profile/newer", "calibration/profile/entry"}
"""Reasons to refuse a profile that a newer program wrote: a later version, or one more entry."""


def save_profile(
    path: Path, profile: CalibrationProfile, empty: Image | None, now: datetime
) -> CalibrationProfile:
    """Write the profile to `path` and its empty tray beside it; the profile as it is there now.

    empty: (h, w, 3) uint8 BGR. now: makes the name of its file. A profile of a newer program is kept under
    another name. Raises FailedError when something cannot be written; the profile that stood there stays
    then, with its picture.
    """
    _keep_newer(path)
    fresh = None
    if empty is not None:
        fresh = path.with_name(f"{path.stem}.{now:%Y%m%d-%H%M%S-%f}{ENDING}")
        save_picture(fresh, empty)
    kept = replace(profile, reference=None if fresh is None else fresh.name)
    old = _named(path)
    try:
        kept.save(path)
    except BaseException:
        if fresh is not None and _named(path) != fresh.name:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
        raise
    _sweep(path, old, kept.reference)
    return kept


def load_empty_tray(path: Path, profile: CalibrationProfile) -> Image | None:
    """The picture of the empty tray of the profile at `path`; None when there is none any more."""
    if profile.reference is None:
        return None
    with suppress(BadInputError):  # without it bumps are not noticed, but it can be read with
        return load_picture(path.with_name(profile.reference), profile.size_wh)
    return None


def delete_profile(path: Path) -> None:
    """Delete a profile, then its pictures. Raises FailedError when that cannot be; it stays then."""
    old = _named(path)
    with os_error_as(lambda why: FailedError("calibration/profile/undeletable", path=str(path), why=why)):
        path.unlink(missing_ok=True)
    _sweep(path, old, None)


def _keep_newer(path: Path) -> None:
    """Keep a profile that a newer program wrote, for when that is back. Raises FailedError."""
    try:
        CalibrationProfile.load(path)
    except BadInputError as error:
        if error.code not in OF_NEWER:
            return
        with os_error_as(lambda why: FailedError("calibration/profile/no_place", path=str(path), why=why)):
            content = read_regular(path)
            names = (f"{path.stem}.kept{f'-{again}' if again else ''}.json" for again in itertools.count())
            kept = next(
                each
                for each in map(path.with_name, names)
                if not each.exists() or read_regular(each) == content  # as after a try that failed
            )
        write_whole(kept, content, "profile")
        log.warning("%s It is kept as %s.", error, kept)


def _named(path: Path) -> str | None:
    """The picture that the profile standing there names, also one of a newer program."""
    with suppress(OSError, ValueError, RecursionError, AttributeError):
        name = json.loads(read_regular(path)).get("reference")
        return name if isinstance(name, str) and name == Path(name).name else None
    return None


def _sweep(path: Path, old: str | None, used: str | None) -> None:
    """Remove the picture before, and those that a power cut left without a profile."""
    ours = re.compile(re.escape(path.stem) + r"\.\d{8}-\d{6}-\d{6}" + re.escape(ENDING) + r"(\.new)?")
    left: set[str] = set()
    with suppress(OSError):  # a folder that cannot be listed
        left = {found.name for found in path.parent.iterdir() if ours.fullmatch(found.name)}
    if old is not None and old.endswith(ENDING):  # whatever a file claims, only a picture is removed
        left.add(old)
    others = {_named(other) for other in path.parent.glob("*.json") if other != path} if left else set()
    for name in left - {used} - others:  # a copy that somebody made of a profile has the same picture
        with suppress(OSError):
            path.with_name(name).unlink(missing_ok=True)
