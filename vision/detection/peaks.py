"""The small filter: where on one level of a picture something of 3 to 7 px differs from what lies around."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pips import Floats, Picture

RESPONSE_MIN = 9
"""Least difference of centre and surround (0-255, strongest channel) that counts as a spot."""
STRIP_PIXELS, STRIP_MARGIN = 130_000, 6
"""Pixels filtered together, and how many more rows each strip needs."""
AT_ONCE = 4096
"""Spots whose surround is compared at once: a carpet has ten times as many."""
CLEAR = 90.0
"""Contrast (BGR distance) beyond which a spot is not the more a pip for being starker."""
FEW, MANY = 100, 700
"""Spots looked at closely per level, best first: dice have a few dozen, a carpet has thousands."""
_COMPASS = np.array([(-4, 0), (-3, -3), (0, -4), (3, -3), (4, 0), (3, 3), (0, 4), (-3, 3)], np.int32)


@dataclass(frozen=True, slots=True)
class Peaks:
    """Where on a level the near differs most from the surround: (n, 2) x, y, row by row; (n,) how much."""

    xy: NDArray[np.int32]
    strength: NDArray[np.uint8]


def smoothed(level: Picture) -> Picture:
    """(h, w, 3) a level, each pixel averaged with its neighbours."""
    return np.asarray(cv2.blur(level, (3, 3)), np.uint8)


def find_peaks(level: Picture, inner: Picture) -> Peaks:
    """By strips: of a whole picture all that is computed on the way takes several times its memory.

    inner: the level, `smoothed`.
    """
    height, width = level.shape[:2]
    rows = max(32, STRIP_PIXELS // width)
    places: list[NDArray[np.int32]] = [np.zeros((0, 2), np.int32)]
    strengths: list[NDArray[np.uint8]] = [np.zeros(0, np.uint8)]
    for top in range(0, height, rows):
        end = min(height, top + rows)
        first, last = max(0, top - STRIP_MARGIN), min(height, end + STRIP_MARGIN)
        outer = cv2.blur(level[first:last], (9, 9))
        blue, green, red = cv2.split(cv2.absdiff(inner[first:last], outer))
        differs = cv2.blur(cv2.max(cv2.max(blue, green), red), (3, 3))
        peak = cv2.compare(differs, cv2.dilate(differs, np.ones((3, 3), np.uint8)), cv2.CMP_EQ)
        peak = cv2.bitwise_and(peak, cv2.threshold(differs, RESPONSE_MIN, 255, cv2.THRESH_BINARY)[1])
        points = cv2.findNonZero(peak[top - first : end - first])
        if points is not None:
            x, y = points[:, 0].T
            strengths.append(np.asarray(differs[y + (top - first), x], np.uint8))
            places.append(np.stack([x, y + top], 1).astype(np.int32))
    return Peaks(np.concatenate(places), np.concatenate(strengths))


def standing_out(inner: Picture, peaks: Peaks, most: int) -> tuple[NDArray[np.int32], bool]:
    """(n, 2) int32 x, y: peaks that stand out on most sides; inner: their level, `smoothed`.

    And whether there were more than were looked at or returned.
    """
    xy = peaks.xy
    if not len(xy):
        return xy, False
    more = most < MANY and len(xy) > 3 * most
    if more:
        strongest = np.argpartition(-peaks.strength.astype(np.int32), 3 * most)
        xy = xy[strongest[: 3 * most]]
    parts = [_scores(inner, xy[start : start + AT_ONCE]) for start in range(0, len(xy), AT_ONCE)]
    score = np.concatenate(parts)
    xy, score = xy[score > 0.0], score[score > 0.0]
    if len(xy) > most:
        xy, more = xy[np.argpartition(-score, most)[:most]], True
    return xy, more


def _scores(inner: Picture, xy: NDArray[np.int32]) -> Floats:
    """(n,) how much each spot, x and y on a level, stands out from what lies around; 0 when it does not."""
    height, width = inner.shape[:2]
    x, y = xy.T
    across = np.minimum(np.maximum(x + _COMPASS[:, :1], 0), width - 1)
    down = np.minimum(np.maximum(y + _COMPASS[:, 1:], 0), height - 1)
    around, here = down * width + across, y * width + x
    # channels first: numpy is quick along the last axis, and that is the spots'
    differs = np.empty((3, len(_COMPASS), len(xy)), np.float32)
    colours = inner.reshape(-1, 3)
    near, far = colours.take(here, axis=0), colours.take(around, axis=0)
    np.subtract(near.T[:, None], far.transpose(2, 0, 1), out=differs, dtype=np.float32)
    mean = differs.sum(1) * np.float32(1 / len(_COMPASS))
    norm = np.sqrt((mean * mean).sum(0)) + np.float32(1e-3)
    differs *= mean[:, None]
    along = _third_least(differs.sum(0) / (norm * norm))
    good = (norm > 1.5 * RESPONSE_MIN) & (along > 0.35)
    # beyond a clear contrast only evenness counts: a chequered cloth is starker than any pip
    return np.where(good, np.minimum(norm, CLEAR) * np.minimum(along, 1.0), np.float32(0.0))


def _third_least(values: Floats) -> Floats:
    """(n,) the third least of each column of values (k, n); quicker than numpy's for few rows.

    >>> _third_least(np.array([[3.0], [9.0], [1.0], [4.0]], np.float32)).tolist()
    [4.0]
    """
    least = [np.full(values.shape[1], np.inf, np.float32)] * 3
    for row in values:
        for k, one in enumerate(least):
            least[k], row = np.minimum(one, row), np.maximum(one, row)  # noqa: PLW2901
    return least[2]
