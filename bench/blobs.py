"""The reader everyone copies, as the baseline: SimpleBlobDetector for pips, DBSCAN for dice.

After the recipe that dozens of public projects share: blur, find round blobs, cluster them by distance,
and call a cluster of n blobs a die that shows n. It has no notion of being unsure: what it counts, it says.

`make bench ARGS='reader --reader "python -m bench.blobs"'` measures it as any other reader that is a command.
"""

import json
import sys
import time

import cv2
import numpy as np
from numpy.typing import NDArray

EPS_PX = 40.0
"""Distance within which two blobs belong to one die, as the recipe has it."""


def clusters(points: NDArray[np.float64], eps: float) -> NDArray[np.intp]:
    """DBSCAN with one point being enough for a cluster: (n,) a number for each of points (n, 2)."""
    labels = np.full(len(points), -1, np.intp)
    gaps = np.hypot(points[:, None, 0] - points[None, :, 0], points[:, None, 1] - points[None, :, 1])
    near = gaps <= eps
    number = 0
    for start in range(len(points)):
        if labels[start] >= 0:
            continue
        reached = [start]
        while reached:
            k = reached.pop()
            if labels[k] < 0:
                labels[k] = number
                reached.extend(np.flatnonzero(near[k] & (labels < 0)).tolist())
        number += 1
    return labels


class Baseline:
    """SimpleBlobDetector with the recipe's settings, its one distance fitted to nothing."""

    def __init__(self) -> None:
        settings = cv2.SimpleBlobDetector.Params()
        settings.filterByInertia = True
        settings.minInertiaRatio = 0.6
        self._detector = cv2.SimpleBlobDetector.create(settings)

    def read(self, image_bgr: NDArray[np.uint8]) -> tuple[int, ...]:
        """The faces it counts, sorted. image_bgr: (h, w, 3) uint8, 0-255."""
        blurred = cv2.medianBlur(image_bgr, 7)
        points = np.array([blob.pt for blob in self._detector.detect(blurred)]).reshape(-1, 2)
        if not len(points):
            return ()
        return tuple(sorted(np.bincount(clusters(points, EPS_PX)).tolist()))


def main(arguments: list[str]) -> None:
    """Print what it reads in each picture: `--dice N`, which it has no use for, and paths."""
    cv2.setNumThreads(1)
    baseline = Baseline()
    for path in arguments[2:]:
        image = cv2.imread(path)
        began = time.thread_time()
        faces = baseline.read(np.asarray(image, np.uint8))
        ms = (time.thread_time() - began) * 1000.0
        print(json.dumps({"file": path, "status": "ready", "faces": faces, "ms": ms}))


if __name__ == "__main__":
    main(sys.argv[1:])
