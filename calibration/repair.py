"""Bringing a profile up to now: after a bump to where the camera looks, after dusk to the light there is."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_movement import Movement, MovementKind, Reference
from calibration.empty_tray import learn_empty
from calibration.light import inspect
from calibration.outline import area, inside
from calibration.profile import CalibrationProfile
from calibration.session import Look
from messages.errors import BadInputError

Image = NDArray[np.uint8]
AGREEING = 0.5
"""Share of the points that must be found again before a large movement is believed."""


class Repaired(NamedTuple):
    """profile: where the tray is now. empty: (h, w, 3) uint8 BGR, the empty tray as it would look now."""

    profile: CalibrationProfile
    empty: Image
    movement: Movement


def repair_profile(profile: CalibrationProfile, empty: Image, image_bgr: Image) -> Repaired:
    """The profile after the camera was bumped, dice in the tray or not.

    empty: picture of the empty tray the profile was made with; image_bgr: what the camera sees now, of the
    same size. Raises BadInputError when the movement cannot be measured well enough: find the tray again.
    """
    movement = Reference(empty, profile.outline).compare(image_bgr)
    if movement.kind is MovementKind.SAME:
        return Repaired(profile, empty, movement)
    sure = movement.small or (
        movement.kind is MovementKind.BUMPED and movement.points >= AGREEING * movement.tried
    )
    if not sure:
        raise BadInputError("calibration/movement/lost")
    followed = profile.moved(movement.change)
    size = (empty.shape[1], empty.shape[0])
    # What comes into the picture at its edge was never seen empty: there the present picture fills in.
    fresh = image_bgr.copy()
    cv2.warpAffine(empty, movement.change, size, dst=fresh, borderMode=cv2.BORDER_TRANSPARENT)
    if movement.kind is MovementKind.TRAY_MOVED:  # the table round it was not
        outside = area(followed.outline or (), empty.shape) == 0
        fresh[outside] = image_bgr[outside]
    return Repaired(followed, fresh, movement)


def relearn_light(
    profile: CalibrationProfile, empty: Image | None, frames: Sequence[Image], left_in: Look
) -> tuple[CalibrationProfile, Image]:
    """The profile with the light of now, where the tray is now, and the empty tray under that light.

    empty: picture of the empty tray the profile was made with, if there is one. frames: of the empty tray,
    one after the other. left_in: a reader, for what is still in the last one.
    Raises BadInputError as `calibration.empty_tray.learn_empty` does, when the profile knows no outline, and
    when more than the light has changed: the new picture would hide for ever that the outline is wrong.
    """
    if profile.outline is None:
        raise BadInputError("calibration/find_tray_first")
    found = profile if empty is None else _followed(profile, empty, frames[-1])
    left = sum(inside(found.outline or (), *die.center) for die in left_in(frames[-1]))
    fresh = learn_empty(frames, left)
    report = inspect(frames, found.outline, found.die_px)
    return replace(found, light=report.figures), fresh


def _followed(profile: CalibrationProfile, empty: Image, image_bgr: Image) -> CalibrationProfile:
    """The profile where the tray is now; itself where it has not moved, or the light hides too much."""
    size = (image_bgr.shape[1], image_bgr.shape[0])
    before = empty if empty.shape == image_bgr.shape else np.asarray(cv2.resize(empty, size), np.uint8)
    movement = Reference(before, profile.outline).compare(image_bgr)
    if movement.kind in {MovementKind.SAME, MovementKind.HIDDEN}:
        return profile
    if not movement.small:
        raise BadInputError("calibration/movement/lost")
    return profile.moved(movement.change)
