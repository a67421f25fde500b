"""Whether the picture moves: the cheap decision that is taken at every frame."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

THUMB_WIDTH = 256
"""Width of the small picture that is compared, px; the smallest dice are still 4 px in it."""
STEP = 16
"""Difference in grey (0-255) beyond what a shift by one thumb pixel explains."""
HAND_SHARE = 0.03
"""Share of the picture that changes when a hand, not a die, moves."""
DIE_REACH, GROUND_REACH = 0.8, 1.4
"""A die is within the first share of its edge from its middle; between both shares lies what is around it."""


@dataclass(frozen=True, slots=True)
class FrameChange:
    """What changed between two thumbs. share: of the picture, 0-1; at_rim: it reaches the picture's rim."""

    share: float
    at_rim: bool

    @property
    def any(self) -> bool:
        """Whether more changed than noise or a shaking stand explains."""
        return self.share > 0.0

    @property
    def hand(self) -> bool:
        """Whether something much larger than a die moved in from outside."""
        return self.share > HAND_SHARE and self.at_rim


def thumbnail(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A small grey copy, (h, THUMB_WIDTH) uint8. image_bgr: (height, width, 3) uint8, 0-255."""
    height, width = image_bgr.shape[:2]
    # halving by area is far cheaper than one area step of an odd factor
    while width >= 4 * THUMB_WIDTH and height >= 8:
        height, width = height // 2, width // 2
        image_bgr = cv2.resize(image_bgr, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8)
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    size = (THUMB_WIDTH, max(1, round(height * THUMB_WIDTH / max(1, width))))
    return cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def shows(thumb: NDArray[np.uint8], x: float, y: float, edge: float) -> bool:
    """Whether a die like this one would be noticed when it comes to lie there; in the dark none may be.

    x, y, edge: its middle and the edge of its top face, px of the thumb.
    """

    def square(reach: float) -> tuple[slice, slice]:
        begin, end = (np.maximum(np.array([y, x]) + sign * reach * edge + 0.5, 0) for sign in (-1, 1))
        return slice(int(begin[0]), int(end[0]) + 1), slice(int(begin[1]), int(end[1]) + 1)

    ground = np.ones(thumb.shape, bool)
    ground[square(GROUND_REACH)] = False
    ground = ~ground
    ground[square(DIE_REACH)] = False
    bare = thumb.copy()
    bare[square(DIE_REACH)] = np.median(thumb[ground]) if ground.any() else 0
    return detect_change(bare, thumb).any


def detect_change(before: NDArray[np.uint8], now: NDArray[np.uint8]) -> FrameChange:
    """What differs between two thumbs of the same size, a shaking stand forgiven."""
    if before.shape != now.shape:
        return FrameChange(1.0, at_rim=True)
    around = np.ones((3, 3), np.uint8)
    above = cv2.subtract(now, cv2.dilate(before, around))
    below = cv2.subtract(cv2.erode(before, around), now)
    moved = cv2.threshold(cv2.max(above, below), STEP, 255, cv2.THRESH_BINARY)[1]
    # a shaking stand leaves thin lines along edges, a die or a finger leaves patches
    moved = cv2.morphologyEx(moved, cv2.MORPH_OPEN, around)
    share = cv2.countNonZero(moved) / moved.size
    rim = cv2.countNonZero(moved[:2]) + cv2.countNonZero(moved[-2:])
    rim += cv2.countNonZero(moved[:, :2]) + cv2.countNonZero(moved[:, -2:])
    return FrameChange(share if cv2.countNonZero(moved) >= 2 else 0.0, rim > 2)
