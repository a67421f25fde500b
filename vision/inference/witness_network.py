"""A second face network, larger, and taught by more real dice seen at an angle and in hard light.

It errs elsewhere than the first. It is slow, 5 ms a patch, and so is asked only about what that one doubts.
lab/training/README.md says how it was made.
"""

import threading
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.inference.networks import MODELS, crop_patches, load_model, run_network, softmax
from vision.pips import Floats, Picture

WITNESS = "witness"
SIDE_PX = 80
WAYS = ((1.81, 0), (1.81, 2), (1.56, 1), (1.56, 3))
"""How many edges wide a patch is, and by how many quarters it is turned."""
SURE = 0.6
"""From here on it is believed. It sees a face in 1 of 60 pictures without dice that are called empty, all of
them with things in them that resemble dice but seven."""

NO_DIE = 0.8
"""From here on it is believed that a place holds no die."""


class WitnessNetwork:
    """A loaded network; may be shared by threads, which take turns."""

    def __init__(self, folder: Path = MODELS) -> None:
        """Raises ModelError when the model is missing or damaged."""
        self._network = load_model(WITNESS, folder)
        self._turn = threading.Lock()

    def faces_at(self, levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> Floats:
        """See `faces_at`."""
        odds = np.zeros((len(x), 7), np.float32)
        for edges, quarters in WAYS:
            patches = crop_patches(levels, (x, y, edge * np.float32(edges)), SIDE_PX)
            with self._turn:
                answer = run_network(self._network, _normalised(np.rot90(patches, quarters, (1, 2))))
            odds += softmax(answer.reshape(-1, 7)) / np.float32(len(WAYS))
        return odds


def _normalised(patches: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(n, 3, h, w) RGB of about -1 to 1, of patches (n, h, w, 3) BGR."""
    scaled = (patches[..., ::-1].astype(np.float32) - np.float32(127)) / np.float32(128)
    return np.ascontiguousarray(scaled.transpose(0, 3, 1, 2))


@lru_cache(maxsize=1)
def _shared() -> WitnessNetwork:
    return WitnessNetwork()


def faces_at(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> Floats:
    """(n, 7) how likely there is no die at each place (px of level 0), or one with that face on top.

    Loads the model at the first call; raises ModelError when it cannot.
    """
    return _shared().faces_at(levels, x, y, edge) if len(x) else np.zeros((0, 7), np.float32)


def sees_none(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> NDArray[np.bool_]:
    """(n,) at which places (px of level 0) it is sure that there is no die."""
    none: NDArray[np.bool_] = faces_at(levels, x, y, edge)[:, 0] >= NO_DIE
    return none
