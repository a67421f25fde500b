"""Where the detector sees dice in a picture that is made as large as asked."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.two_networks.engine import Network, normalised

STRIDE = 4  # pixels a cell of the detector's maps
UNIT_PX = 32.0  # sizes are told as log2 of size / UNIT_PX
LONG_SIDES = (640, 320, 480, 160, 960)
"""Of the picture as the detector sees it, one after the other: 160 for dice as large as half of it."""
MULTIPLE = 16  # of which both sides of what the detector is shown are
LEAST_HEAT = 0.1
MOST_PLACES = 60
APART = 0.6  # middles nearer than this part of the smaller size are one die, its top and a side of it
GREY = (127, 127, 127)


@dataclass(frozen=True, slots=True)
class Place:
    """Where the detector sees a die: middle and size in pixels of the picture, and its heat (0 to 1)."""

    x: float
    y: float
    size: float
    heat: float


def places(detector: Network, image: NDArray[np.uint8], long_side: int) -> tuple[Place, ...]:
    """Where dice are in a picture (h, w, 3) BGR whose longer side is made so long."""
    scale = long_side / max(image.shape[:2])
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    seen = cv2.resize(image, None, fx=scale, fy=scale, interpolation=how)
    rims = [-side % MULTIPLE for side in seen.shape[:2]]
    seen = cv2.copyMakeBorder(seen, 0, rims[0], 0, rims[1], cv2.BORDER_CONSTANT, value=GREY)
    (maps,) = detector(normalised(np.asarray(seen, np.uint8)[None]))
    return apart(peaks(maps), scale)


def find_places(detector: Network, image: NDArray[np.uint8]) -> list[Place]:
    """Where dice are in a picture at any of the sizes, likeliest first."""
    every = (place for side in LONG_SIDES for place in places(detector, image, side))
    return sorted(every, key=lambda one: -one.heat)


def peaks(maps: NDArray[np.float32]) -> list[Place]:
    """The hottest cells of the detector's maps (4, h, w), in pixels of what it was shown, hottest first."""
    heat = 1 / (1 + np.exp(-maps[0]))
    highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= highest) & (heat >= LEAST_HEAT))
    found = []
    for row, column in zip(rows, columns, strict=True):
        size, x, y = maps[1:4, row, column]
        found.append(
            Place(
                float((column + 0.5 + x) * STRIDE),
                float((row + 0.5 + y) * STRIDE),
                float(UNIT_PX * 2**size),
                float(heat[row, column]),
            )
        )
    return sorted(found, key=lambda one: -one.heat)


def apart(found: Sequence[Place], scale: float = 1.0) -> tuple[Place, ...]:
    """The hottest of places that are one, in pixels of the picture that was made larger by `scale`."""
    kept: list[Place] = []
    for one in found:
        if all(np.hypot(one.x - k.x, one.y - k.y) > APART * min(one.size, k.size) for k in kept):
            kept.append(one)
    return tuple(
        Place((k.x + 0.5) / scale - 0.5, (k.y + 0.5) / scale - 0.5, k.size / scale, k.heat)
        for k in kept[:MOST_PLACES]
    )
