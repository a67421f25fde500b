"""Where dice may lie, in any light and on any cloth: a small network that looks at the whole picture.

It proposes, the classical reader and the face network decide: a proposal is no die yet.
"""

from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.inference.networks import MODELS, Network, shared
from vision.pips import Floats, Picture

FINDER = "finder"
PIXELS = 640 * 360  # of the squeezed picture, whatever its shape
COARSE = 3  # the second look, for large dice, is this many times smaller
QUICK = 2  # and a quick look, which is the only one then, this many times
STRIDE = 4
EDGE_UNIT = 16.0  # edge in squeezed pixels for which the network's size channel is 0
LEAST_SCORE = 0.3
HALVED = 1.95  # pictures so many times too large are halved
SAME_DIE = 0.5  # proposals closer than this share of the larger edge are one die

Real = TypeVar("Real", np.float32, np.float64)


def blob(image_bgr: Picture) -> Floats:
    """(1, 3, h, w) float32, mean 0, deviation at most 1, of a picture (h, w, 3) uint8 BGR."""
    mean, spread = _light(image_bgr)
    return np.asarray(cv2.dnn.blobFromImage(image_bgr, 1 / spread, mean=(mean,) * 3), np.float32)


def _light(image_bgr: Picture) -> tuple[float, float]:
    """The mean of all values of a picture and their deviation, which counts for at least 16."""
    mean, deviation = cv2.meanStdDev(image_bgr.reshape(len(image_bgr), -1))
    return float(mean[0, 0]), max(float(deviation[0, 0]), 16.0)


def decoded(maps: Floats, least: float = LEAST_SCORE) -> NDArray[np.float64]:
    """Peaks (n, 4) x, y, edge, score of the network's maps (4, h, w), in pixels of its input."""
    heat = 1 / (1 + np.exp(-maps[0]))
    peaks = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat >= least)
    row, column = np.nonzero(peaks)
    _, size, across, down = maps[:, row, column].astype(np.float64)
    middle = STRIDE / 2 - 0.5
    x, y = (column + across) * STRIDE + middle, (row + down) * STRIDE + middle
    return np.stack([x, y, EDGE_UNIT * 2.0**size, heat[row, column]], 1)


def merged(proposals: NDArray[Real], share: float = SAME_DIE) -> NDArray[Real]:
    """The proposals (n, 4), best first, without those that mean a die already proposed.

    share: proposals closer than this share of the larger edge are one die.
    """
    best = proposals[np.argsort(-proposals[:, 3], kind="stable")]
    x, y, edge = best[:, :3].T
    free = np.ones(len(best), np.bool_)
    for k in range(len(best)):
        if free[k]:
            apart = np.hypot(x[k + 1 :] - x[k], y[k + 1 :] - y[k])
            free[k + 1 :] &= apart > share * np.maximum(edge[k + 1 :], edge[k])
    merged: NDArray[Real] = best[free]
    return merged


def squeezed(image_bgr: Picture, pixels: float) -> Picture:
    """The picture averaged down to about `pixels` pixels; smaller ones stay as they are."""
    height, width = image_bgr.shape[:2]
    shrink = float(np.sqrt(width * height / pixels))
    # By halves first: OpenCV averages four pixels into one several times faster than any other number.
    while shrink >= HALVED and min(width, height) > 1:
        width, height, shrink = width // 2, height // 2, shrink / 2
        even = image_bgr[: height * 2, : width * 2]
        image_bgr = np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    if shrink > 1.05:
        size = (max(1, round(image_bgr.shape[1] / shrink)), max(1, round(image_bgr.shape[0] / shrink)))
        image_bgr = np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
    return image_bgr


def halves(image_bgr: Picture, *, quick: bool) -> bool:
    """Whether `propose` would first halve a picture (h, w, 3) exactly: then its half does as well."""
    height, width = image_bgr.shape[:2]
    pixels = PIXELS / QUICK**2 if quick else PIXELS
    return height % 2 == width % 2 == 0 and height * width >= HALVED**2 * pixels


def _look(network: Network, small: Picture, size_wh: tuple[int, int]) -> NDArray[np.float64]:
    """Proposals (n, 4) in pixels of a picture of `size_wh`, of which `small` is a squeezed copy."""
    height, width = small.shape[:2]
    whole = cv2.copyMakeBorder(small, 0, -height % 8, 0, -width % 8, cv2.BORDER_REPLICATE)
    mean, spread = _light(np.asarray(whole, np.uint8))
    # as `blob`, but the bytes become floats within the network, which keeps what it is given
    bytes_ = np.asarray(cv2.dnn.blobFromImage(whole, ddepth=cv2.CV_8U), np.uint8)
    found = decoded(network.of_picture(bytes_, 1 / spread, mean))
    across, down = size_wh[0] / width, size_wh[1] / height
    found[:, 0] = (found[:, 0] + 0.5) * across - 0.5
    found[:, 1] = (found[:, 1] + 0.5) * down - 0.5
    found[:, 2] *= float(np.sqrt(across * down))
    return found


def propose(image_bgr: Picture, *, quick: bool = False, models: Path = MODELS) -> NDArray[np.float64]:
    """Where dice may lie: (n, 4) float64 x, y, edge, score; best first. quick: a quarter of the work.

    image_bgr: (h, w, 3) uint8 of any size. x, y: middle of the top face; edge: of that face; in pixels of the
    picture. score: 0-1. Leaning and half-covered dice are proposed as well. Loads the model of the folder
    `models` at the first call; raises ModelError when it cannot.
    """
    if quick:
        views = {"quick": squeezed(image_bgr, PIXELS / QUICK**2)}
    else:
        fine = squeezed(image_bgr, PIXELS)
        views = {"fine": fine, "coarse": squeezed(fine, fine.shape[0] * fine.shape[1] / COARSE**2)}
    size_wh = (image_bgr.shape[1], image_bgr.shape[0])
    found = [_look(shared(FINDER, models, size), view, size_wh) for size, view in views.items()]
    return merged(np.concatenate(found))
