"""A network as a function, run by ONNX Runtime, and pictures as the networks take them."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from messages.errors import cause
from vision.inference.networks import ModelError, verified_model

Network = Callable[[NDArray[np.float32]], NDArray[np.float32]]
"""From inputs (n, 3, h, w) to an answer for each, (n, ...)."""


def load_network(name: str, folder: Path) -> Network:
    """`name`.onnx of a folder, on one thread. Raises ModelError where it is missing or damaged.

    OpenCV takes three times as long for these two.
    """
    import onnxruntime  # noqa: PLC0415 - slow to import, and a station in good light never needs it

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena, options.log_severity_level = False, 3
    content = verified_model(name, folder)
    try:
        session = onnxruntime.InferenceSession(content, options, ["CPUExecutionProvider"])
    except RuntimeError as error:
        raise ModelError("vision/network/unreadable", file=str(folder / name), why=cause(error)) from error

    def run(shown: NDArray[np.float32]) -> NDArray[np.float32]:
        (answer,) = session.run(None, {"seen": shown})
        return np.asarray(answer, np.float32)

    return run


def normalised(pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Pictures (n, h, w, 3) BGR as the networks take them: (n, 3, h, w) RGB, about -1 to 1."""
    scaled: NDArray[np.float32] = (pictures[..., ::-1].astype(np.float32) - np.float32(127)) / np.float32(128)
    return np.ascontiguousarray(scaled.transpose(0, 3, 1, 2))
