"""Whether a die that reads as a face also lies flat: each die's lean against that of its neighbours.

A small network looks at a die and says where its foot stands: how far, in edges of the top face, and in
which direction the picture's point under the middle of that face lies. Of flat dice all feet point away from
each other towards the point under the camera, so across a picture they follow one simple rule; a die that
leans breaks it. No threshold on one die alone could do this: a flat die at the rim looks like a leaning one
in the middle.
"""

import threading
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.network import LEAST_SPREAD, load_model, square
from vision.pips import Floats, Picture

LEANING = "leaning"
PATCH_PX = 56
PATCH_EDGES = 2.3
FOCAL = 1.0
"""Focal length over the picture's longer side: of cameras with 50 to 65 degrees of view it is 0.8 to 1.1."""
LIMIT = {1: 0.8, 2: 0.55}
"""By how many edges a foot may be out of place where one or two dice lie."""
LIMIT_MANY, LIMIT_SPREAD = 0.23, 1.2
"""The same for three and more, where the others show what is usual: so much, and so many times by how much
the others are out of line themselves (dice unlike those the network was taught on are seen less exactly)."""


class FootNetwork:
    """The loaded network; may be shared by threads, which take turns."""

    def __init__(self) -> None:
        self._network = load_model(LEANING)
        self._turn = threading.Lock()

    def feet(self, patches: NDArray[np.uint8]) -> Floats:
        """(n, 2) float32 x, y in edges, of patches (n, PATCH_PX, PATCH_PX, 3) uint8 BGR."""
        floats = patches.astype(np.float32).transpose(0, 3, 1, 2)
        rows = floats.reshape(len(floats), -1)
        middle, spread = rows.mean(1), rows.std(1) + np.float32(LEAST_SPREAD)
        ready = (floats - middle[:, None, None, None]) / spread[:, None, None, None]
        with self._turn:
            self._network.setInput(np.ascontiguousarray(ready))
            return np.asarray(self._network.forward(), np.float32).copy()


@lru_cache(maxsize=1)
def _shared() -> FootNetwork:
    return FootNetwork()


def feet(image_bgr: Picture, x: Floats, y: Floats, edge: Floats) -> Floats:
    """(n, 2) float32: where the foot of each die stands, in edges from the middle of its top face.

    image_bgr: (h, w, 3) uint8, 0-255; x, y, edge: of the top faces, px.
    """
    if len(x) == 0:
        return np.zeros((0, 2), np.float32)
    patches = [
        square(image_bgr, (float(a), float(b)), float(e) * PATCH_EDGES, PATCH_PX)
        for a, b, e in zip(x, y, edge, strict=True)
    ]
    return _shared().feet(np.stack(patches))


def out_of_line(x: Floats, y: Floats, foot: Floats, size_wh: tuple[int, int]) -> NDArray[np.bool_]:
    """(n,) which of the dice lean, by the places of all their feet.

    >>> x, y = np.array([100.0, 300.0, 500.0], np.float32), np.array([200.0, 200.0, 200.0], np.float32)
    >>> flat = np.array([[0.3, 0.0], [0.0, 0.0], [-0.3, 0.0]], np.float32)
    >>> out_of_line(x, y, flat, (600, 400)).tolist()
    [False, False, False]
    >>> tipped = flat + np.array([[0.0, 0.0], [0.0, 0.6], [0.0, 0.0]], np.float32)
    >>> out_of_line(x, y, tipped, (600, 400)).tolist()
    [False, True, False]
    """
    away = np.stack([x - size_wh[0] / 2, y - size_wh[1] / 2], 1) / (FOCAL * max(size_wh))
    left = foot + away
    n = len(left)
    off = np.zeros(n)
    for k in range(n):
        usual = np.median(np.delete(left, k, axis=0), axis=0) if n > 1 else np.zeros(2)
        off[k] = float(np.hypot(*(left[k] - usual)))
    if n <= max(LIMIT):
        return off > LIMIT.get(n, np.inf)
    spread = np.array([np.median(np.delete(off, k)) for k in range(n)])
    return off > LIMIT_MANY + LIMIT_SPREAD * spread
