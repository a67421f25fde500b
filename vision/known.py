"""What a profile rules out: dice outside the tray, and dice of a size that is not in use."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from vision.pips import Floats

SIZE_SLACK = 1.6
"""A top face may look so many times larger or smaller than the die in use: perspective, a rough edge."""


def possible(
    profile: Profile, x: Floats, y: Floats, edge: Floats, size_wh: tuple[int, int]
) -> NDArray[np.bool_]:
    """(n,) which places x, y with top edges `edge` (px of a picture of size_wh) can be dice.

    >>> known = Profile(outline=((0, 0), (100, 0), (100, 100), (0, 100)), mm_per_px=0.5, die_mm=16.0)
    >>> x, y = np.array([50.0, 150.0, 50.0], np.float32), np.array([50.0, 50.0, 20.0], np.float32)
    >>> possible(known, x, y, np.array([30.0, 30.0, 90.0], np.float32), (200, 200)).tolist()
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


def _sizes(profile: Profile) -> tuple[float, float] | None:
    """Smallest and largest edge in use, px of the profile's picture; None when not known."""
    if profile.mm_per_px and profile.dice is not None and profile.dice.edge_mm:
        edges = profile.dice.edge_mm
        return min(edges) / profile.mm_per_px, max(edges) / profile.mm_per_px
    return None if profile.die_px is None else (profile.die_px, profile.die_px)
