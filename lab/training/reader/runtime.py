"""The networks run by ONNX Runtime, which is faster than OpenCV and a tool of measuring alone."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lab.two_networks.engine import Network


def with_onnx_runtime(name: str, folder: Path) -> Network:
    """`name`.onnx of a folder, on one thread."""
    import onnxruntime  # noqa: PLC0415 - what is beside needs none

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    held = onnxruntime.InferenceSession(str(folder / f"{name}.onnx"), options, ["CPUExecutionProvider"])

    def run(shown: NDArray[np.float32]) -> NDArray[np.float32]:
        (answer,) = held.run(None, {"seen": shown})
        return np.asarray(answer, np.float32)

    return run
