"""Several profiles side by side ("kitchen", "living room"), and which one fits what the camera sees."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from calibration.camera_movement import FOLLOW_PX, Movement, MovementKind, Reference
from calibration.empty_tray import load_picture, scaled
from calibration.profile import CalibrationProfile
from messages.errors import BadInputError


class ProfileMatch(NamedTuple):
    """A profile that fits the picture. movement: how the camera has moved since it was made."""

    path: Path
    profile: CalibrationProfile
    movement: Movement


def profiles(folder: Path) -> dict[Path, CalibrationProfile]:
    """Every readable profile in a folder, by file; damaged ones are passed over."""
    found = {}
    for path in sorted(folder.glob("*.json")):
        try:
            found[path] = CalibrationProfile.load(path)
        except BadInputError:
            continue
    return found


def match_profile(
    folder: Path, image_bgr: NDArray[np.uint8], camera: str | None = None
) -> ProfileMatch | None:
    """The profile whose empty tray the picture shows, followed to where the tray is now; None when none does.

    A profile without an empty tray cannot be recognised. camera: only profiles made for it.
    """
    matches = []
    size = (image_bgr.shape[1], image_bgr.shape[0])
    for path, profile in profiles(folder).items():
        if profile.reference is None or (camera is not None and profile.camera not in (None, camera)):
            continue
        try:
            empty = load_picture(path.with_name(profile.reference), profile.size_wh)
            fitted = profile.for_picture(size)
        except BadInputError:
            continue
        if profile.size_wh is None and (empty.shape[1], empty.shape[0]) != size:
            continue
        movement = Reference(scaled(empty, size)).compare(image_bgr)
        near = movement.kind is MovementKind.SAME or (
            movement.kind is MovementKind.BUMPED and movement.most_px <= FOLLOW_PX
        )
        if near:
            matches.append(ProfileMatch(path, follow_movement(fitted, movement), movement))
    return max(matches, key=lambda match: match.movement.points / max(match.movement.tried, 1), default=None)


def follow_movement(profile: CalibrationProfile, movement: Movement) -> CalibrationProfile:
    """The profile where the tray is now, after a small bump; itself when nothing moved.

    Raises BadInputError when the movement is too large to be trusted.
    """
    if movement.kind is MovementKind.SAME:
        return profile
    if not movement.small:
        raise BadInputError("calibration/movement/too_far", movement=movement.message)
    return profile.moved(movement.change)
