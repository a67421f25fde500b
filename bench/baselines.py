"""What this reader is measured against: the two recipes that public readers follow, which are always sure.

`make bench ARGS='reader --reader "python -m bench.baselines NAME"'` measures one as any reader that
is a command.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bench import blobs, outlines
from vision.picture import load

BASELINES: dict[str, Callable[[NDArray[np.uint8]], tuple[int, ...]]] = {
    "blobs": blobs.read,
    "outlines": outlines.read,
}
"""Each by its name: the faces it counts in a picture (h, w, 3) uint8 BGR, sorted."""


def main(name: str, pictures: list[str]) -> None:
    """Print what the baseline of that name reads in each picture."""
    cv2.setNumThreads(1)
    for path in pictures:
        image = load(Path(path))
        began = time.thread_time()
        faces = BASELINES[name](image)
        ms = (time.thread_time() - began) * 1000.0
        print(json.dumps({"file": path, "status": "ready", "faces": faces, "ms": ms}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[4:])  # `--dice N` between them: they have no use for it
