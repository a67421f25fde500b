"""Double Cameroon: the best way to split ten dice over two boxes."""

from itertools import combinations

import numpy as np
import numpy.typing as npt

from station.strategy.model.multisets import Floats, Indices

_BASE = 11
"""Of the numbers that stand for counts of faces; there are never more than ten of one."""


def pair_points(
    rolls: tuple[tuple[int, ...], ...], groups: tuple[tuple[int, ...], ...], points: Floats
) -> dict[tuple[int, int], Floats]:
    """For every two boxes (lower number first) the most points each roll of ten brings in them.

    `points` (boxes, groups) are those of each group of five; the answers have the shape (rolls,).
    """
    whole, part = _counts(rolls), _counts(groups)
    fits = np.ones((len(rolls), len(groups)), dtype=np.bool_)
    for face in range(6):  # all at once would take six times the memory
        fits &= whole[:, np.newaxis, face] >= part[:, face]
    roll, group = np.nonzero(fits)
    numbers = _numbers(part)
    order = np.argsort(numbers)
    other = order[np.searchsorted(numbers, _numbers(whole[roll] - part[group]), sorter=order)]
    starts = np.searchsorted(roll, np.arange(len(rolls)))
    return {
        (one, two): np.maximum.reduceat(points[one, group] + points[two, other], starts)
        for one, two in combinations(range(len(points)), 2)
    }


def _counts(rolls: tuple[tuple[int, ...], ...]) -> npt.NDArray[np.int8]:
    """(rolls, 6) how often each face comes up, as small whole numbers."""
    return np.array([[roll.count(face) for face in range(1, 7)] for roll in rolls], dtype=np.int8)


def _numbers(counts: npt.NDArray[np.int8]) -> Indices:
    """One number for each row of counts."""
    weights = np.array([_BASE**face for face in range(6)], dtype=np.intp)
    numbers: Indices = counts.astype(np.intp) @ weights
    return numbers
