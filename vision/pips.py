"""Finds pips: small round spots that differ from a homogeneous surround, of any colour and polarity.

The search knows no die size. The picture is halved again and again; on each level the same small filter
finds spots of 3 to 7 level pixels across, so that together all sizes are covered. Each candidate is then
looked at in polar coordinates: how far from its middle does the colour turn into the surround's, is that
distance the same all around, and is the surround one colour.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Picture = NDArray[np.uint8]

RING_STEP = 0.6
"""Level pixels from one polar ring to the next."""


@dataclass(frozen=True, slots=True)
class _PolarGrid:
    """Polar sample points: cos and sin of each angle, radius of each ring in level pixels.

    points: (angles * rings, 2) float32 x, y of each, ring by ring within the angle.
    """

    cos: Floats
    sin: Floats
    radii: Floats
    points: Floats

    @classmethod
    def of(cls, angles: int, rings: int) -> "_PolarGrid":
        turn = np.arange(angles) * 2.0 * np.pi / angles
        radii = (np.arange(rings) * RING_STEP).astype(np.float32)
        cos, sin = np.cos(turn).astype(np.float32), np.sin(turn).astype(np.float32)
        return cls(cos, sin, radii, (np.stack([cos, sin], 1)[:, None] * radii[:, None]).reshape(-1, 2))


_GLANCE = _PolarGrid.of(8, 8)
_CLOSE = _PolarGrid.of(16, 13)
_TOWARDS = np.stack([_GLANCE.cos, _GLANCE.sin], 1) * np.float32(2 / len(_GLANCE.cos))
"""Of the rim's distance at each angle, how far and whereto the true middle lies."""
_COMPASS = np.array([(-4, 0), (-3, -3), (0, -4), (3, -3), (4, 0), (3, 3), (0, 4), (-3, 3)], np.int32)

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


@dataclass(frozen=True, slots=True)
class Pips:
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

    def __len__(self) -> int:
        return len(self.x)

    def take(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> "Pips":
        """Those of the index or mask."""
        return Pips(*(getattr(self, name)[chosen] for name in self.__slots__))

    def part(self, start: int, end: int) -> "Pips":
        """Those from `start` up to `end`, without a copy."""
        return Pips(*(getattr(self, name)[start:end] for name in self.__slots__))


def distance(colours: Floats, body: Floats) -> Floats:
    """How far colours (..., 3) are from the body's, 0-441."""
    off = colours - body
    # a product with ones, which is several times quicker than a sum of three
    far: Floats = np.sqrt((off * off).reshape(-1, 3) @ np.ones(3, np.float32)).reshape(off.shape[:-1])
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


def pyramid(image_bgr: Picture, *, side_min: int = 40, levels_max: int = 7) -> tuple[Picture, ...]:
    """The picture, its half, its quarter, …: (h, w, 3) uint8 BGR each, by area averaging."""
    levels = [image_bgr]
    while min(levels[-1].shape[:2]) >= 2 * side_min and len(levels) < levels_max:
        height, width = levels[-1].shape[:2]
        half = cv2.resize(levels[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        levels.append(half.astype(np.uint8, copy=False))
    return tuple(levels)


class Search:
    """Looks for spots level by level and remembers what each level gave."""

    def __init__(self, levels: tuple[Picture, ...]) -> None:
        self.levels = levels
        self._peaks: dict[int, _Peaks] = {}
        self._seen: dict[tuple[int, int], tuple[Pips, bool]] = {}

    def find(self, first: int = 0, *, most: int = MANY) -> Pips:
        """All spots on the levels from `first` on, one entry for each (the better level wins).

        most: how many spots of a level are looked at closely.
        """
        numbers = range(first, len(self.levels))
        return _unique(_joined([pips for pips, _ in self._at(numbers, most)]))

    def hurried(self, first: int, most: int) -> bool:
        """Whether some level from `first` on has more spots than the `most` that were looked at."""
        return any(more for _, more in self._at(range(first, len(self.levels)), most))

    def _at(self, numbers: range, most: int) -> list[tuple[Pips, bool]]:
        """The spots of each of the levels and whether there were more.

        What is new, all at once; where many spots are looked at, level by level, for the sake of memory.
        """
        for number in numbers:
            few = self._seen.get((number, FEW))
            if few is not None and not few[1]:
                self._seen[number, most] = few
        new = [number for number in numbers if (number, most) not in self._seen]
        for some in [new] if most < MANY and new else [[number] for number in new]:
            spots = [_spots(self._peaks_of(number, keep=most < MANY), most) for number in some]
            for number, found in zip(some, _on_levels(self.levels, some, spots), strict=True):
                self._seen[number, most] = found
        return [self._seen[number, most] for number in numbers]

    def _peaks_of(self, number: int, *, keep: bool) -> "_Peaks":
        """The peaks of a level; keep: they may be asked for again."""
        peaks = self._peaks.pop(number, None) or _peaks(self.levels[number])
        if keep:
            self._peaks[number] = peaks
        return peaks


def _joined(parts: list[Pips]) -> Pips:
    """All of them, in order; of none, none."""
    if parts:
        return Pips(*(np.concatenate([getattr(p, name) for p in parts]) for name in Pips.__slots__))
    none, flat = np.zeros(0, np.float32), np.zeros((0, 3), np.float32)
    return Pips(none, none, none, np.zeros(0, np.int32), flat, flat, none, none)


def find(levels: tuple[Picture, ...], first: int = 0, *, most: int = MANY) -> Pips:
    """All spots of a picture, see Search."""
    return Search(levels).find(first, most=most)


def _unique(pips: Pips) -> Pips:
    """Drop a spot that lies inside a better one of about its size."""
    badness = pips.spread + 0.5 * pips.ring
    order = np.argsort(pips.x, kind="stable")
    x, y, r = pips.x[order], pips.y[order], pips.r[order]
    last = np.searchsorted(x, x + 0.8 * 2.0 * r, side="right")
    count = np.maximum(last - np.arange(len(x)) - 1, 0)
    i = np.repeat(np.arange(len(x)), count)
    j = i + 1 + np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    ratio = r[i] / r[j]
    near = (x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2 < (0.8 * np.maximum(r[i], r[j])) ** 2
    near &= (ratio > 0.45) & (ratio < 2.2)
    i, j = order[i[near]], order[j[near]]
    worse = np.where((badness[i] > badness[j]) | ((badness[i] == badness[j]) & (i > j)), i, j)
    keep = np.ones(len(pips), np.bool_)
    keep[worse] = False
    return pips.take(keep)


@dataclass(frozen=True, slots=True)
class _Peaks:
    """Where on a level the near differs most from the surround: (n, 2) x, y, row by row; (n,) how much.

    inner: the level's three channels, each pixel averaged with its neighbours.
    """

    inner: tuple[NDArray[np.uint8], ...]
    xy: NDArray[np.int32]
    strength: NDArray[np.uint8]


def _peaks(level: Picture) -> _Peaks:
    """By strips: of a whole picture all that is computed on the way takes several times its memory."""
    inner = cv2.blur(level, (3, 3))
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
    channels = tuple(np.asarray(channel, np.uint8) for channel in cv2.split(inner))
    return _Peaks(channels, np.concatenate(places), np.concatenate(strengths))


def _spots(peaks: _Peaks, most: int) -> tuple[NDArray[np.int32], bool]:
    """(n, 2) int32 x, y: peaks that stand out on most sides.

    And whether there were more than were looked at or returned.
    """
    xy = peaks.xy
    if not len(xy):
        return xy, False
    more = most < MANY and len(xy) > 3 * most
    if more:
        strongest = np.argpartition(-peaks.strength.astype(np.int32), 3 * most)
        xy = xy[strongest[: 3 * most]]
    parts = [_scores(peaks.inner, xy[start : start + AT_ONCE]) for start in range(0, len(xy), AT_ONCE)]
    score = np.concatenate(parts)
    xy, score = xy[score > 0.0], score[score > 0.0]
    if len(xy) > most:
        xy, more = xy[np.argpartition(-score, most)[:most]], True
    return xy, more


def _scores(inner: tuple[NDArray[np.uint8], ...], xy: NDArray[np.int32]) -> Floats:
    """(n,) how much each spot, x and y on a level, stands out from what lies around; 0 when it does not.

    inner: see _Peaks.
    """
    height, width = inner[0].shape
    x, y = xy.T
    across = np.minimum(np.maximum(x + _COMPASS[:, :1], 0), width - 1)
    down = np.minimum(np.maximum(y + _COMPASS[:, 1:], 0), height - 1)
    around, here = down * width + across, y * width + x
    # channels first: numpy is quick along the last axis, and that is the spots'
    differs = np.empty((3, len(_COMPASS), len(xy)), np.float32)
    for channel, away in zip(inner, differs, strict=True):
        np.subtract(channel.take(here), channel.take(around), out=away, dtype=np.float32)
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


def _polar(level: Picture, x: Floats, y: Floats, grid: _PolarGrid) -> Floats:
    """(n, angles, rings, 3) float32: the picture round each point (level pixels), bilinear."""
    n = len(x)
    map_x, map_y = x[:, None] + grid.points[:, 0], y[:, None] + grid.points[:, 1]
    seen = cv2.remap(level, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return seen.reshape(n, len(grid.cos), len(grid.radii), 3).astype(np.float32)


def _rim(p: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Where each ray (n, angles, rings; 1 in the middle, 0 in the surround) falls through one half."""
    n, angles, rings = p.shape
    below = p < 0.5
    below[:, :, 0] = False
    first = below.argmax(2)
    crossed = first > 0
    k = np.where(crossed, first, rings - 1)
    flat, at = p.ravel(), np.arange(n * angles).reshape(n, angles) * rings + k
    before, after = flat[at - 1], flat[at]
    part = (before - np.float32(0.5)) / np.maximum(before - after, np.float32(1e-3))
    part = np.minimum(np.maximum(part, np.float32(0.0)), np.float32(1.0))
    return (part + (k - 1).astype(np.float32)) * np.float32(RING_STEP), crossed


def _mean(seen: Floats, first: int, end: int) -> Floats:
    """(n, 3) mean colour of the rings from `first` up to `end`; a product, which is quicker than a mean."""
    n, angles, rings, _ = seen.shape
    weight = np.zeros((angles, rings), np.float32)
    weight[:, first:end] = 1.0 / (angles * (end - first))
    mean: Floats = np.matmul(weight.reshape(1, 1, -1), seen.reshape(n, angles * rings, 3))[:, 0]
    return mean


def _projected(seen: Floats, body: Floats) -> tuple[Floats, Floats, Floats]:
    """How pip-like each sample is (1 middle, 0 body), the contrast (n, 3) and its length (n,)."""
    n, angles, rings, _ = seen.shape
    contrast = _mean(seen, 0, 2) - body
    norm = np.sqrt((contrast * contrast).sum(1)) + np.float32(1e-3)
    unit = contrast / (norm * norm)[:, None]
    p = np.matmul(seen.reshape(n, angles * rings, 3), unit[:, :, None]).reshape(n, angles, rings)
    return p - (body * unit).sum(1)[:, None, None], contrast, norm


def _on_levels(
    levels: tuple[Picture, ...], numbers: list[int], found: list[tuple[NDArray[np.int32], bool]]
) -> list[tuple[Pips, bool]]:
    """What was found on each of the levels (see `_spots`) as pips, and whether there was more.

    Sampled from each level, then measured all together: numpy's price is by the call.
    """
    spots, more = zip(*found, strict=True)
    level = np.repeat(np.array(numbers, np.int32), [len(xy) for xy in spots])
    x, y = np.concatenate(spots).astype(np.float32).T
    seen = _polar_at(levels, level, x, y, _GLANCE)
    p, _, norm = _projected(seen, _mean(seen, 5, 8))
    rim, crossed = _rim(p)
    good = (crossed.sum(1) > 0.85 * crossed.shape[1]) & (norm > 15.0)
    shift = np.clip(rim @ _TOWARDS, -1.5, 1.5)
    x, y = (x + shift[:, 0])[good], (y + shift[:, 1])[good]
    level = level[good]
    seen = _polar_at(levels, level, x, y, _CLOSE)
    around = np.sort(seen[:, ::2, 5:9].reshape(len(x), 32, 3), axis=1)
    body = around[:, 14:18].mean(1)
    p, contrast, _ = _projected(seen, body)
    pips = _measured(level, x, y, p, contrast, body)
    ends = np.searchsorted(pips.level, numbers, side="right").tolist()
    return [(pips.part(start, end), many) for start, end, many in zip([0, *ends], ends, more, strict=False)]


def _polar_at(
    levels: tuple[Picture, ...], level: NDArray[np.int32], x: Floats, y: Floats, grid: _PolarGrid
) -> Floats:
    """As _polar, each point on its own level; the levels ascend."""
    parts = [
        _polar(levels[number], x[level == number], y[level == number], grid)
        for number in np.unique(level).tolist()
    ]
    none = np.zeros((0, len(grid.cos), len(grid.radii), 3), np.float32)
    return np.concatenate(parts) if parts else none


def _measured(
    level: NDArray[np.int32], x: Floats, y: Floats, p: Floats, contrast: Floats, body: Floats
) -> Pips:
    """The spots that are round enough and have surround enough of one colour, in px of level 0."""
    rim, crossed = _rim(p)
    ordered = np.sort(rim, axis=1)
    r = 0.5 * (ordered[:, 7] + ordered[:, 8])
    spread = (ordered[:, 12] - ordered[:, 3]) / np.maximum(r, 0.5)
    k = np.minimum(np.maximum(np.float32(1.5 / RING_STEP) * r, 1.0), p.shape[2] - 1.01)
    low = k.astype(np.intp)
    part = (k - low)[:, None]
    n = np.arange(len(r))
    ring = np.abs(p[n, :, low] * (1 - part) + p[n, :, low + 1] * part)
    ring = np.sort(ring, axis=1)[:, 12]
    good = (crossed.sum(1) > 0.9 * crossed.shape[1]) & (r > 1.15) & (r < 3.9) & (spread < 0.7) & (ring < 0.9)
    good &= (contrast * contrast).sum(1) > 18.0**2
    scale = np.exp2(level[good]).astype(np.float32)
    return Pips(
        (x[good] + np.float32(0.5)) * scale - np.float32(0.5),
        (y[good] + np.float32(0.5)) * scale - np.float32(0.5),
        (r[good] * scale).astype(np.float32),
        level[good],
        contrast[good].astype(np.float32),
        body[good].astype(np.float32),
        spread[good].astype(np.float32),
        ring[good].astype(np.float32),
    )
