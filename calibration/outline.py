"""The corners of a tray's floor, or of the dice keeper, as an area of a picture."""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Points = tuple[tuple[float, float], ...]
Corners = Sequence[tuple[float, float]] | NDArray[np.floating[Any]]
"""Corners in pixels of the picture, in order; an array has the shape (n, 2)."""


def inside(corners: Corners, x: float, y: float) -> bool:
    """Whether a point lies within these corners or on their edge.

    >>> inside(((0, 0), (4, 0), (4, 4), (0, 4)), 1, 3), inside(((0, 0), (4, 0), (4, 4), (0, 4)), 5, 3)
    (True, False)
    """
    ring = np.asarray(corners, np.float32)
    return cv2.pointPolygonTest(ring, (float(x), float(y)), measureDist=False) >= 0


def area(corners: Corners, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """A mask: 255 within these corners, 0 outside. shape: of the picture, (height, width, …)."""
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(np.asarray(corners)).astype(np.int32)], (255,))
    return mask
