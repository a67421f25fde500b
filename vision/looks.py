"""Which looks at a picture are taken, finer and finer, and what one of them is good for."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vision.detection.peaks import FEW, MANY
from vision.detection.pip_search import Search
from vision.pips import Floats
from vision.reading import DieReading

COARSE_PIXELS = 1_500_000
"""Pictures larger than this are searched at half their size, and finer only when that does not do."""
QUICK_PIXELS = 300_000
"""Pictures larger than this get a quick look at half their size before."""
QUICK_EDGE = 18.0
"""Dice of a smaller edge, px of the level searched, are seldom sure in a quick look."""
LARGE = 22.0
"""Dice of at least this edge, px of the level searched: no other die can be too small to be seen there."""


@dataclass(frozen=True, slots=True)
class Look:
    """One look at a picture: the level it begins on, and how many spots of a level are looked at closely."""

    first: int
    most: int
    quick: bool = False


def looks(search: Search, smallest: float = np.inf) -> Iterator[Look]:
    """The looks at a picture, finer and finer.

    A quick look mostly does; a textured ground or small dice need the longer one. smallest: edge, px, of
    the smallest die that a quick look has to do for, on a finer level if need be.
    """
    levels = search.levels
    first = 0
    while levels[first].shape[0] * levels[first].shape[1] > COARSE_PIXELS and first + 1 < len(levels):
        first += 1
    if smallest < QUICK_EDGE * 2 ** (first + 1):
        yield Look(first, FEW, quick=True)
    elif first + 1 < len(levels) and levels[first].shape[0] * levels[first].shape[1] > QUICK_PIXELS:
        yield Look(first + 1, FEW, quick=True)
    yield Look(first, FEW)
    if search.hurried(first, FEW):
        yield Look(first, MANY)
    if first > 0:
        yield Look(first - 1, MANY)


def large(dice: tuple[DieReading, ...], look: Look) -> bool:
    """Whether all dice of a look, and there are some, are so large that no other die was too small for it."""
    return bool(dice) and min(die.size for die in dice) >= LARGE * 2**look.first


def seem_small(edge: Floats, look: Look) -> bool:
    """Whether dice that seem likely, of such edges (px), are mostly too small for a quick look to do."""
    return len(edge) > 0 and float(np.median(edge)) < QUICK_EDGE * 2**look.first
