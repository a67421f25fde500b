"""Finds pips: small round spots that differ from a homogeneous surround, of any colour and polarity.

The search knows no die size. The picture is halved again and again; on each level the same small filter
finds spots of 3 to 7 level pixels across, so that together all sizes are covered. Each candidate is then
looked at in polar coordinates: how far from its middle does the colour turn into the surround's, is that
distance the same all around, and is the surround one colour.
"""

import numpy as np
from numpy.typing import NDArray

from vision.detection.peaks import FEW, MANY, Peaks, find_peaks, smoothed, standing_out
from vision.detection.polar import measure_spots
from vision.pips import Picture, Pips, windows


class Search:
    """Looks for spots level by level and remembers what each level gave."""

    def __init__(self, levels: tuple[Picture, ...]) -> None:
        self.levels = levels
        self._peaks: dict[int, Peaks] = {}
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
            spots = [self._standing_out(number, most) for number in some]
            for number, found in zip(some, measure_spots(self.levels, some, spots), strict=True):
                self._seen[number, most] = found
        return [self._seen[number, most] for number in numbers]

    def _standing_out(self, number: int, most: int) -> tuple[NDArray[np.int32], bool]:
        """See `standing_out`; the peaks of a level are cached as long as they may be needed again."""
        inner = smoothed(self.levels[number])
        peaks = self._peaks.pop(number, None) or find_peaks(self.levels[number], inner)
        if most < MANY:
            self._peaks[number] = peaks
        return standing_out(inner, peaks, most)


def _joined(parts: list[Pips]) -> Pips:
    """All of them, in order; of none, none."""
    if parts:
        return Pips.joined(parts)
    none, flat = np.zeros(0, np.float32), np.zeros((0, 3), np.float32)
    return Pips(none, none, none, np.zeros(0, np.int32), flat, flat, none, none)


def _unique(pips: Pips) -> Pips:
    """Drop a spot that lies inside a better one of about its size."""
    badness = pips.spread + 0.5 * pips.ring
    order = np.argsort(pips.x, kind="stable")
    x, y, r = pips.x[order], pips.y[order], pips.r[order]
    i, j = windows(x, 0.8 * 2.0 * r)
    ratio = r[i] / r[j]
    near = (x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2 < (0.8 * np.maximum(r[i], r[j])) ** 2
    near &= (ratio > 0.45) & (ratio < 2.2)
    i, j = order[i[near]], order[j[near]]
    worse = np.where((badness[i] > badness[j]) | ((badness[i] == badness[j]) & (i > j)), i, j)
    keep = np.ones(len(pips), np.bool_)
    keep[worse] = False
    return pips.take(keep)
