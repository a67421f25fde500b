"""A small network that tells a die with another number of sides (d20, d12, …) from one with six.

Both stand on the table and have signs on their sides, so the other networks take the one for the other.
"""

import numpy as np
from numpy.typing import NDArray

from vision.inference.foot_network import AUGMENTATIONS, PATCH_EDGES, PATCH_PX
from vision.inference.networks import crop_squares, shared, standardised
from vision.pips import Floats, Picture

POLYHEDRA = "polyhedra"
SURE = 4.0
"""Log-odds above which every look has to see a polyhedron."""


def are_polyhedra(image_bgr: Picture, x: Floats, y: Floats, edge: Floats) -> NDArray[np.bool_]:
    """(n,) at which places a die stands for certain that has not six sides.

    image_bgr: (h, w, 3) uint8. x, y, edge: px, as the finder proposes dice. Each of eight looks must be sure.
    """
    patches = crop_squares(image_bgr, (x, y, edge), PATCH_EDGES, PATCH_PX)
    sure = np.ones(len(patches), np.bool_)
    for way in AUGMENTATIONS:
        log_odds = shared(POLYHEDRA).of_patches(way.apply(patches[sure]), standardised)
        sure[sure] = log_odds.ravel() > SURE
    return sure
