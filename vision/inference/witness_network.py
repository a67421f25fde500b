"""A second face network, larger, and taught by more real dice seen at an angle and in hard light.

It errs elsewhere than the first. It is slow, 5 ms a patch, and so is asked only about what that one doubts.
lab/training/README.md says how it was made.
"""

import numpy as np
from numpy.typing import NDArray

from vision.inference.networks import crop_patches, shared, softmax
from vision.pips import Floats, Picture

WITNESS = "witness"
SIDE_PX = 80
WAYS = ((1.81, 0), (1.81, 2), (1.56, 1), (1.56, 3))
"""How many edges wide a patch is, and by how many quarters it is turned."""
SURE = 0.6
"""From here on it is believed."""

NO_DIE = 0.8
"""From here on it is believed that a place holds no die."""


def _normalised(patches: Picture) -> Floats:
    """(n, 3, h, w) RGB of about -1 to 1, of patches (n, h, w, 3) BGR."""
    scaled = (patches[..., ::-1].astype(np.float32) - np.float32(127)) / np.float32(128)
    return np.ascontiguousarray(scaled.transpose(0, 3, 1, 2))


def faces_at(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> Floats:
    """(n, 7) how likely there is no die at each place (px of level 0), or one with that face on top.

    Loads the model at the first call; raises ModelError when it cannot.
    """
    odds = np.zeros((len(x), 7), np.float32)
    for edges, quarters in WAYS:
        patches = crop_patches(levels, (x, y, edge * np.float32(edges)), SIDE_PX)
        answer = shared(WITNESS).of_patches(np.rot90(patches, quarters, (1, 2)), _normalised)
        odds += softmax(answer.reshape(-1, 7)) / np.float32(len(WAYS))
    return odds


def sees_none(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> NDArray[np.bool_]:
    """(n,) at which places (px of level 0) it is sure that there is no die."""
    none: NDArray[np.bool_] = faces_at(levels, x, y, edge)[:, 0] >= NO_DIE
    return none
