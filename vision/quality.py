"""Whether a picture is fit to be read at all: its light, its sharpness, and whether a hand is in it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import Reason

Picture = NDArray[np.uint8]

SHARPNESS_PIXELS = 700_000
"""The picture is halved to at most this size before its sharpness is measured: what is left of a blur there
is one that hides pips."""
BLUR = 2.1
"""Edges of a sharp picture are hardly steeper after it is made four times smaller (measured: 0.9 to 1.9 for
photographs that can be read), those of a blurred one up to four times."""
DARKEST = 62
"""Where the brightest hundredth is darker than this (0-255), pips drown in noise."""
BURNT_SHARE = 0.5
"""Share of the picture that has lost all drawing."""


def unfit(levels: tuple[Picture, ...]) -> tuple[Reason, ...]:
    """What is wrong with the light or focus of a picture and its halvings, each (h, w, 3) uint8 BGR.

    These are grounds for a reading that did not succeed, not tests that every picture must pass.
    """
    number = next((k for k, one in enumerate(levels) if one.shape[0] * one.shape[1] <= SHARPNESS_PIXELS), -1)
    grey = cv2.cvtColor(levels[number], cv2.COLOR_BGR2GRAY)
    found = []
    counts = np.bincount(grey[::2, ::2].ravel(), minlength=256)
    running = np.cumsum(counts) / counts.sum()
    if np.searchsorted(running, 0.99) < DARKEST:
        found.append(Reason.DARK)
    if counts[251:].sum() > BURNT_SHARE * counts.sum():
        found.append(Reason.OVEREXPOSED)
    if _blur(grey.astype(np.uint8, copy=False)) > BLUR:
        found.append(Reason.BLURRED)
    return tuple(found)


def _blur(grey: Picture) -> float:
    """How much steeper edges are in a picture four times smaller, in the direction in which they are most."""
    if min(grey.shape) < 32:
        return 0.0
    small = cv2.resize(grey, (grey.shape[1] // 4, grey.shape[0] // 4), interpolation=cv2.INTER_AREA)
    ratios = []
    for x, y in ((1, 0), (0, 1)):
        fine = np.abs(cv2.Sobel(grey, cv2.CV_16S, x, y)).ravel()
        coarse = np.abs(cv2.Sobel(small, cv2.CV_16S, x, y)).ravel()
        steepest = np.partition(fine, -max(1, len(fine) * 3 // 1000))[-max(1, len(fine) * 3 // 1000)]
        steep = np.partition(coarse, -max(1, len(coarse) // 100))[-max(1, len(coarse) // 100)]
        # a picture without edges is plain, not blurred
        ratios.append(float(steep) / max(float(steepest), 12.0))
    return max(ratios)


HAND_PIXELS = 12_000
HAND_SHARE = (0.015, 0.45)
HAND_REACH = 0.22
"""How far into the picture an arm comes, as a share of its width or height."""
_SKIN_L, _SKIN_A, _SKIN_B_OVER_A = 95.0, (11.0, 26.0), (0.95, 1.85)
"""Skin in Lab (OpenCV, 0-255): pale or dark, its hue keeps to a narrow band; cork and wood are yellower."""


def hand(image_bgr: Picture) -> bool:
    """Whether something of the colour of skin reaches in from one side of the picture (h, w, 3) uint8 BGR."""
    height, width = image_bgr.shape[:2]
    scale = min(1.0, (HAND_PIXELS / (height * width)) ** 0.5)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    if min(size) < 32:
        return False
    small = cv2.cvtColor(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2LAB)
    weights = np.array([0.5, 1.0, 1.0], np.float32)  # light and shadow on one hand count for less
    cv2.setRNGSeed(1)  # the same picture gives the same answer
    _, labels, centers = cv2.kmeans(
        small.reshape(-1, 3).astype(np.float32) * weights,
        8,
        np.zeros((small.shape[0] * small.shape[1], 1), np.int32),
        (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 12, 1.0),
        1,
        cv2.KMEANS_PP_CENTERS,
    )
    found = labels.reshape(small.shape[:2])
    for k, center in enumerate(centers):
        light, a, b = float(center[0]) * 2.0, float(center[1]) - 128.0, float(center[2]) - 128.0
        skin = light > _SKIN_L and _SKIN_A[0] < a < _SKIN_A[1]
        if skin and _SKIN_B_OVER_A[0] < b / a < _SKIN_B_OVER_A[1] and _reaches_in(found == k):
            return True
    return False


def _reaches_in(mask: NDArray[np.bool_]) -> bool:
    """Whether one patch of the mask (h, w) comes in from the rim like an arm: far, and narrow there."""
    around = np.ones((3, 3), np.uint8)
    clean = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, around)
    clean = cv2.morphologyEx(clean, cv2.MORPH_OPEN, around)
    _, label, stats, _ = cv2.connectedComponentsWithStats(clean)
    height, width = mask.shape
    for k in range(1, len(stats)):
        x, y, w, h, area = (int(v) for v in stats[k])
        if not HAND_SHARE[0] < area / mask.size < HAND_SHARE[1] or area > 0.82 * w * h:
            continue
        patch = label == k
        across = x <= 1 or x + w >= width - 1
        along = y <= 1 or y + h >= height - 1
        reach = max(w / width if across else 0.0, h / height if along else 0.0)
        rim = patch[:, :2].any(1).sum() + patch[:, -2:].any(1).sum()
        rim += patch[:2].any(0).sum() + patch[-2:].any(0).sum()
        if reach > HAND_REACH and 2 < rim < 0.33 * max(height, width):
            return True
    return False
