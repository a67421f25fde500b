"""Which of the likely candidates are the dice of a picture, and whether another might be one as well.

How many dice are expected has no say in it.
"""

from statistics import median

import numpy as np
from numpy.typing import NDArray

from vision.columns import besides
from vision.judgement import fusion, posture
from vision.judgement.evidence import Evidence, EvidenceKind
from vision.pips import Floats
from vision.reading import Colour, DieReading

SEEN = 0.5
"""A candidate at least this likely is believed to be a die."""
SURE = 0.6
"""Every die of a ready reading is at least this likely by all witnesses."""
SURE_BODY = 0.7
"""The same for a die whose pips were not found one by one, only as a pattern on a body."""
SURE_PIP = 0.8
"""The same for a lone pip in a view from above: of a 3 on a round body a camera beside the table may see only
one. Of 260 ones in drawn scenes that are read rightly 9 are less likely, of 9 that are wrong 8."""
SIDE = 0.95
"""Nearer than this share of an edge to a die, what might be a face is that die's side."""
SIZES = 2.2
"""No die is this many times larger or smaller than its fellows usually are: dice have 12 to 25 mm."""
BESIDE_ITSELF = 0.5
"""So near to a die, edges, the same face is that die: the lone pip of a 1 leaves open where its edges are."""
SUSPECT = 0.4
"""A candidate at least this likely that is not counted makes the count doubtful."""


def least_chances(kind: NDArray[np.intp], *, from_above: bool) -> NDArray[np.float64]:
    """(n,) how likely each die of a ready reading must be. kind: of `EvidenceKind`; from_above: in a view."""
    least = np.where(kind == EvidenceKind.BODY, SURE_BODY, SURE)
    return np.where((kind == EvidenceKind.ONE) & from_above, SURE_PIP, least)


def backed_chances(found: Evidence, chance: NDArray[np.float64]) -> NDArray[np.float64]:
    """The chances, where a body and pips at one place that show the same face back each other."""
    gap = np.hypot(found.x[:, None] - found.x, found.y[:, None] - found.y)
    body = found.kind == EvidenceKind.BODY
    together = gap < 0.35 * np.minimum(found.edge[:, None], found.edge)
    together &= (found.face[:, None] == found.face) & ~body[:, None] & body[None]
    backing = np.where(together, chance[None], 0.0).max(1, initial=0.0)
    # not fully independent: both asked the same network
    both = 1.0 - np.minimum(1.0, 2.0 * (1.0 - backing)) * (1.0 - chance)
    backed = np.where(backing > 0.0, np.maximum(np.maximum(chance, backing), both), chance)
    return np.where(body & together.any(0), 0.0, backed)


def choose(found: Evidence, chance: NDArray[np.float64]) -> tuple[list[int], bool]:
    """The likeliest candidates that do not overlap, and whether another might be a die as well."""
    near = fusion.overlaps(found.x, found.y, found.edge)
    near |= near.T
    gap = np.hypot(found.x[:, None] - found.x, found.y[:, None] - found.y)
    chosen: list[int] = []
    doubtful = False
    for i in np.argsort(-chance).tolist():
        if chance[i] < SUSPECT or near[i, chosen].any():
            continue
        if chance[i] < SURE and (gap[i, chosen] < SIDE * found.edge[chosen]).any():
            continue
        if chance[i] >= SEEN:
            chosen.append(i)
        else:
            doubtful = True
    return chosen, doubtful


def odd_size(edge: Floats) -> bool:
    """Whether one of the dice has a size that does not go with the others, as four dots of a cloth may.

    >>> [odd_size(np.array([50.0, 60.0, largest], np.float32)) for largest in (90.0, 150.0)]
    [False, True]
    """
    sizes = sorted(edge.tolist())
    return any(
        not 1.0 / SIZES < size / median(sizes[:k] + sizes[k + 1 :]) < SIZES
        for k, size in enumerate(sizes)
        if len(sizes) > 1
    )


def meant_by(dice: Evidence, likely: Evidence) -> NDArray[np.bool_]:
    """(n,) which of the likely candidates are one of the dice once more: its face, hardly beside it."""
    gap = np.hypot(likely.x[:, None] - dice.x, likely.y[:, None] - dice.y)
    near = gap < BESIDE_ITSELF * np.minimum(likely.edge[:, None], dice.edge)
    meant: NDArray[np.bool_] = (near & (likely.face[:, None] == dice.face)).any(1)
    return meant


def apart(likely: Evidence) -> bool:
    """Whether some of the likely candidates that are too near each other cannot be one die seen twice."""
    gap = np.hypot(likely.x[:, None] - likely.x[None], likely.y[:, None] - likely.y[None])
    smaller = np.minimum(likely.edge[:, None], likely.edge[None])
    twice = (gap > 0.4 * smaller) & (gap < posture.PILED * smaller)
    return bool(twice.any())


def struck_out(struck: Evidence, places: Floats, edges: float = posture.PILED) -> NDArray[np.bool_]:
    """(n,) which of the places (n, 2 and more; x, y and others) lie that near to what is struck out."""
    return ~besides(places.T, (struck.x, struck.y, struck.edge), edges)


def clear_of(struck: Evidence, places: Floats, edges: float = posture.PILED) -> Floats:
    """Those of the places (n, 2 and more; x, y and others) that many edges off all that is struck out."""
    clear: Floats = places[~struck_out(struck, places, edges)]
    return clear


def dice_of(found: Evidence, chance: NDArray[np.float64], chosen: list[int]) -> tuple[DieReading, ...]:
    """The chosen candidates as dice, whose colours are not known yet."""
    return tuple(
        DieReading(
            face=int(found.face[i]),
            confidence=float(chance[i]),
            center=(float(found.x[i]), float(found.y[i])),
            size=float(found.size[i]),
            angle=float(found.angle[i]),
            colour=Colour.WHITE,
        )
        for i in chosen
    )
