"""What a profile rules out: dice outside the tray, dice of a size that is not in use, and the bare ground."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.outline import area
from calibration.profile import CalibrationProfile
from vision.empty_tray.background_model import BackgroundModel
from vision.pips import Floats, Picture
from vision.reading import DieReading, Reading, Reason, Status

SURE_BEFORE = 0.9
"""A die that the first look was so sure of must be seen by the second too."""
SURE_ANEW = 0.95
"""And one that only the second sees must be as sure as this."""
SIZE_SLACK = 1.6
"""A top face may look this many times larger or smaller than the die in use: perspective, a rough edge."""


def possible_dice(
    profile: CalibrationProfile, x: Floats, y: Floats, edge: Floats, size_wh: tuple[int, int]
) -> NDArray[np.bool_]:
    """(n,) which places x, y with top edges `edge` (px of a picture of size_wh) can be dice.

    >>> outline = ((0, 0), (100, 0), (100, 100), (0, 100))
    >>> known = CalibrationProfile(outline=outline, mm_per_px=0.5, die_mm=16.0)
    >>> x, y = np.array([50.0, 150.0, 50.0], np.float32), np.array([50.0, 50.0, 20.0], np.float32)
    >>> possible_dice(known, x, y, np.array([30.0, 30.0, 90.0], np.float32), (200, 200)).tolist()
    [True, False, False]
    """
    scale = size_wh[0] / profile.size_wh[0] if profile.size_wh else 1.0
    there = np.ones(len(x), np.bool_)
    if profile.outline is not None:
        outline = np.array(profile.outline, np.float32) * np.float32(scale)
        there &= np.array(
            [
                cv2.pointPolygonTest(outline, (float(a), float(b)), measureDist=True) > -0.3 * float(e)
                for a, b, e in zip(x, y, edge, strict=True)
            ],
            np.bool_,
        ).reshape(len(x))
    sizes = _sizes(profile)
    if sizes is not None:
        smallest, largest = sizes[0] * scale, sizes[1] * scale
        there &= (edge > smallest / SIZE_SLACK) & (edge < largest * SIZE_SLACK)
    return there


def background_of(profile: CalibrationProfile, empty_bgr: Picture) -> BackgroundModel:
    """The empty tray of a profile, prepared for comparisons with pictures of its size."""
    size_wh = (empty_bgr.shape[1], empty_bgr.shape[0])
    scale = size_wh[0] / profile.size_wh[0] if profile.size_wh else 1.0
    sizes = _sizes(profile)
    die_px = None if sizes is None else float(np.sqrt(sizes[0] * sizes[1])) * scale
    inside = None
    if profile.outline is not None:
        corners = np.array(profile.outline) * scale
        inside, ring = area(corners, empty_bgr.shape), np.round(corners).astype(np.int32)
        # What stands at the rim is seen beyond the outline of the floor.
        cv2.polylines(inside, [ring], isClosed=True, color=(255,), thickness=max(3, int(die_px or 30.0)))
    return BackgroundModel(empty_bgr, inside, die_px)


def clearer_reading(first: Reading, second: Reading) -> Reading:
    """Of a reading that is not ready and a second look with the ground painted over, the one to give.

    The second may be ready only where it denies nothing that the first was sure of, and is very sure of
    what the first had not seen at all.
    """
    if second.status is Status.EMPTY and first.status is Status.UNSURE and not first.dice:
        return second
    if second.status is not Status.READY or {Reason.COCKED, Reason.STACKED} & set(first.reasons):
        return first
    denied = any(die.confidence >= SURE_BEFORE and not _confirmed(die, second.dice) for die in first.dice)
    unproven = any(die.confidence < SURE_ANEW and not _confirmed(die, first.dice) for die in second.dice)
    return first if denied or unproven else second


def _confirmed(die: DieReading, others: tuple[DieReading, ...]) -> bool:
    """Whether another look sees the same face there."""
    return any(
        one.face == die.face and np.hypot(*np.subtract(die.center, one.center)) < 0.5 * die.size
        for one in others
    )


def _sizes(profile: CalibrationProfile) -> tuple[float, float] | None:
    """Smallest and largest edge in use, px of the profile's picture; None when not known."""
    if profile.mm_per_px and profile.dice is not None and profile.dice.edge_mm:
        edges = profile.dice.edge_mm
        return min(edges) / profile.mm_per_px, max(edges) / profile.mm_per_px
    return None if profile.die_px is None else (profile.die_px, profile.die_px)
