"""After a bump: the profile and its picture of the empty tray, brought to where the camera looks now."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.bump import Movement, Reference, Standing
from calibration.profile import Profile
from station.errors import BadInputError

Image = NDArray[np.uint8]
AGREEING = 0.5
"""Share of the points that must be found again before a large movement is believed."""


class Repaired(NamedTuple):
    """profile: where the tray is now. empty: (h, w, 3) uint8 BGR, the empty tray as it would look now."""

    profile: Profile
    empty: Image
    movement: Movement


def repaired(profile: Profile, empty: Image, image_bgr: Image) -> Repaired:
    """The profile after the camera was bumped, dice in the tray or not.

    empty: picture of the empty tray the profile was made with; image_bgr: what the camera sees now, of the
    same size. Raises BadInputError when the movement cannot be told well enough: find the tray again.
    """
    movement = Reference(empty).compare(image_bgr)
    if movement.standing is Standing.SAME:
        return Repaired(profile, empty, movement)
    sure = movement.small or movement.points >= AGREEING * movement.tried
    if movement.standing is not Standing.BUMPED or not sure:
        raise BadInputError("The picture no longer shows the tray as it was; find the tray again.")
    size = (empty.shape[1], empty.shape[0])
    # What comes into the picture at its edge was never seen empty: there the picture of now stands in.
    fresh = image_bgr.copy()
    cv2.warpAffine(empty, movement.change, size, dst=fresh, borderMode=cv2.BORDER_TRANSPARENT)
    return Repaired(profile.moved(movement.change), fresh, movement)
