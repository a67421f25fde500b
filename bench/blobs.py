"""The reader everyone copies: SimpleBlobDetector for pips, DBSCAN for dice.

After the recipe that dozens of public projects share: blur, find round blobs, cluster them by distance, and
call a cluster of n blobs a die that shows n.
"""

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


def read(image_bgr: NDArray[np.uint8]) -> tuple[int, ...]:
    """The faces it counts, sorted. image_bgr: (h, w, 3) uint8, 0-255."""
    settings = cv2.SimpleBlobDetector.Params()  # the recipe's, its one distance fitted to nothing
    settings.filterByInertia = True
    settings.minInertiaRatio = 0.6
    blobs = cv2.SimpleBlobDetector.create(settings).detect(cv2.medianBlur(image_bgr, 7))
    points = np.array([blob.pt for blob in blobs]).reshape(-1, 2)
    if not len(points):
        return ()
    return tuple(sorted(np.bincount(clusters(points, EPS_PX)).tolist()))
