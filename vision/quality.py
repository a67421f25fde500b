"""Whether a picture is fit to be read at all: light and sharpness."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import Reason


def faults(small_bgr: NDArray[np.uint8]) -> tuple[Reason, ...]:
    """What is wrong with the light or focus of a picture, given small (h, w, 3) uint8 BGR, 0-255.

    These are grounds for a reading that did not succeed, not tests that it must pass.
    """
    grey = cv2.cvtColor(small_bgr, cv2.COLOR_BGR2GRAY)
    low, middle, high = np.percentile(grey, (5, 50, 99))
    found = []
    if high < 60 or middle < 18:
        found.append(Reason.DARK)
    if low > 200 or (grey > 250).mean() > 0.35:
        found.append(Reason.OVEREXPOSED)
    edges = cv2.Laplacian(grey, cv2.CV_32F, ksize=3)
    gradient = np.abs(cv2.Sobel(grey, cv2.CV_32F, 1, 0)) / 4.0
    strong = gradient > max(12.0, float(np.percentile(gradient, 98)))
    if strong.any() and float(np.abs(edges[strong]).mean()) < 0.9 * float(gradient[strong].mean()):
        found.append(Reason.BLURRED)
    return tuple(found)
