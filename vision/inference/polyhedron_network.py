"""A small network that tells a die with another number of sides (d20, d12, …) from one with six.

Both stand on the table and have signs on their sides, so the other networks take the one for the other.
"""

import threading
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from vision.inference.foot_network import AUGMENTATIONS, PATCH_EDGES, PATCH_PX
from vision.inference.networks import RecentAnswers, crop_squares, load_model, run_on_patches
from vision.pips import Floats, Picture

POLYHEDRA = "polyhedra"
SURE = 4.0
"""Log-odds above which every look has to see a polyhedron."""


class PolyhedronNetwork:
    """The loaded network; may be shared by threads, which take turns."""

    def __init__(self) -> None:
        self._network = load_model(POLYHEDRA)
        self._recent = RecentAnswers()
        self._turn = threading.Lock()

    def odds(self, patches: NDArray[np.uint8]) -> Floats:
        """(n,) log-odds of a polyhedron in patches (n, PATCH_PX, PATCH_PX, 3) uint8 BGR."""
        if not len(patches):
            return np.zeros(0, np.float32)
        with self._turn:
            return self._recent.answers(patches, partial(run_on_patches, self._network))[:, 0]


@lru_cache(maxsize=1)
def _shared() -> PolyhedronNetwork:
    return PolyhedronNetwork()


def are_polyhedra(image_bgr: Picture, x: Floats, y: Floats, edge: Floats) -> NDArray[np.bool_]:
    """(n,) at which places a die stands for certain that has not six sides.

    image_bgr: (h, w, 3) uint8. x, y, edge: px, as the finder proposes dice. Each of eight looks must be sure.
    """
    patches = crop_squares(image_bgr, (x, y, edge), PATCH_EDGES, PATCH_PX)
    sure = np.ones(len(patches), np.bool_)
    for way in AUGMENTATIONS:
        sure[sure] = _shared().odds(way.apply(patches[sure])) > SURE
    return sure
