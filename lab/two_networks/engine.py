"""A network as a function, whoever runs it, and pictures as the networks take them."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.inference.networks import load_model, run_network

Network = Callable[[NDArray[np.float32]], NDArray[np.float32]]
"""From inputs (n, 3, h, w) to an answer for each, (n, ...)."""


def with_opencv(name: str, folder: Path) -> Network:
    """`name`.onnx of a folder. Raises ModelError where it is missing or damaged."""
    network = load_model(name, folder)
    return lambda shown: run_network(network, shown)


def normalised(pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Pictures (n, h, w, 3) BGR as the networks take them: (n, 3, h, w) RGB, about -1 to 1."""
    scaled: NDArray[np.float32] = (pictures[..., ::-1].astype(np.float32) - np.float32(127)) / np.float32(128)
    return np.ascontiguousarray(scaled).transpose(0, 3, 1, 2)
