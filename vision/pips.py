"""Pips that were found, the halvings of a picture on which they are sought, and sums over colours of both."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.columns import Columns

Floats = NDArray[np.float32]
Matrix = NDArray[np.float64]
Flags = NDArray[np.bool_]
Picture = NDArray[np.uint8]
SIDE_MIN, LEVELS_MAX = 40, 7
"""Pictures are halved no smaller than this, px, and no more often than makes so many of them."""


@dataclass(frozen=True, slots=True)
class Pips(Columns):
    """Spots found, each array with n entries, strongest evidence not sorted.

    x, y: middle, px of level 0; r: radius, px of level 0; level: pyramid level of detection (int).
    contrast: (n, 3) float32, pip minus body colour, BGR, -255..255; body: (n, 3) float32, 0-255.
    spread: 0 = round, 1 = distance to the rim varies by the radius. ring: 0 = surround of one colour,
    1 = as different from itself as from the pip.
    """

    x: Floats
    y: Floats
    r: Floats
    level: NDArray[np.int32]
    contrast: Floats
    body: Floats
    spread: Floats
    ring: Floats


def distance(colours: Floats | Picture, body: Floats) -> Floats:
    """How far colours (..., 3) are from the body's, 0-441."""
    # channel by channel: numpy is quick along a long axis, and several times slower along one of three
    blue, green, red = (colours[..., channel] - body[..., channel] for channel in range(3))
    far: Floats = np.sqrt(blue * blue + green * green + red * red)
    return far


def middle_of(values: Floats) -> Floats:
    """The median along the last axis, which has an even number of values; quicker than numpy's for few.

    >>> middle_of(np.array([[3.0, 9.0, 1.0, 4.0]], np.float32)).tolist()
    [3.5]
    """
    ordered = np.sort(values, axis=-1)
    half = ordered.shape[-1] // 2
    middle: Floats = np.float32(0.5) * (ordered[..., half - 1] + ordered[..., half])
    return middle


def median_of(values: Floats, counted: NDArray[np.bool_]) -> Floats:
    """(n,) the median of those of values (n, k) that are counted; each row has at least one.

    >>> median_of(np.array([[3.0, 9.0, 1.0]], np.float32), np.array([[True, False, True]])).tolist()
    [2.0]
    """
    ordered = np.sort(np.where(counted, values, np.float32(np.inf)), axis=1)
    count, rows = counted.sum(1), np.arange(len(values))
    median: Floats = np.float32(0.5) * (ordered[rows, (count - 1) // 2] + ordered[rows, count // 2])
    return median


def shares_of(values: Floats, shares: tuple[float, ...]) -> Floats:
    """(n, len(shares)) float32: which value so large a share of each row of values (n, k) does not exceed.

    >>> shares_of(np.array([[3.0, 9.0, 1.0]], np.float32), (0.25, 0.5)).tolist()
    [[2.0, 3.0]]
    """
    ordered = np.sort(values, axis=1)
    at = np.array(shares) * (values.shape[1] - 1)
    low = at.astype(np.intp)
    below, above = ordered[:, low], ordered[:, low + 1]
    return np.asarray(below + (above - below) * (at - low), np.float32)


def windows(x: Floats, reach: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All i < j of ascending x with x[j] <= x[i] + reach[i].

    >>> [some.tolist() for some in windows(np.array([1.0, 2.0, 4.0]), np.array([1.0, 2.0, 9.0]))]
    [[0, 1], [1, 2]]
    """
    last, after = np.searchsorted(x, x + reach, side="right"), np.arange(1, len(x) + 1)
    return ranges(after, np.maximum(last - after, 0))


def ranges(start: NDArray[np.intp], count: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The numbers of all ranges that begin so and have so many (n,): of which range each is, and the number.

    >>> [some.tolist() for some in ranges(np.array([5, 0, 7]), np.array([2, 0, 1]))]
    [[0, 0, 2], [5, 6, 7]]
    """
    of = np.repeat(np.arange(len(count)), count)
    return of, np.arange(len(of)) + (start - np.cumsum(count) + count)[of]


def sampled(
    levels: tuple[Picture, ...], level: NDArray[np.int32], where: Floats, border: int = cv2.BORDER_CONSTANT
) -> Picture:
    """(n, k, 3) uint8 colours at where (n, k, 2; px of level 0), each row from its level; black beyond.

    border: as OpenCV names it, where something else is to be seen beyond.
    """
    seen = np.empty((*where.shape[:2], 3), np.uint8)
    for number in set(level.tolist()):
        rows = np.flatnonzero(level == number)
        scale = np.float32(2.0**-number)
        for start in range(0, len(rows), 512):
            part = rows[start : start + 512]
            map_x, map_y = (where[part, :, k] * scale + np.float32(0.5 * scale - 0.5) for k in (0, 1))
            seen[part] = cv2.remap(levels[number], map_x, map_y, cv2.INTER_LINEAR, borderMode=border)
    return seen


def pyramid(image_bgr: Picture) -> tuple[Picture, ...]:
    """The picture, its half, its quarter, …: (h, w, 3) uint8 BGR each, by area averaging."""
    levels = [image_bgr]
    while min(levels[-1].shape[:2]) >= 2 * SIDE_MIN and len(levels) < LEVELS_MAX:
        height, width = levels[-1].shape[:2]
        half = cv2.resize(levels[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        levels.append(half.astype(np.uint8, copy=False))
    return tuple(levels)
