"""An even face has no pip in its middle: what looks like one there may be one that is worn, or blurred."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.inference.networks import crop_patches
from vision.judgement.evidence import Evidence, EvidenceKind
from vision.pips import Picture, sampled

FAINT = 1 / 3
"""Of how far the pips stand out from the body, so much in the middle is doubted. Of 1,588 even faces in
photographs and renders that are read rightly none has more than 0.26; a 3 of 18 pixels whose middle pip is
washed out, and which the network gives 0.99 as a 2, has 0.41."""
WITHIN = 0.5
"""How much of a pip's radius is looked at."""
TRACE, MOST = 1 / 4, 0.9
"""The tenth that is most like a pip, where one would be, may be so much more like one than the tenth that is
most like one round it: the rim or a sickle is what a lamp or wear leaves of a pip. Of 1,080 even faces that
are read rightly one has more than 0.13: through its clear body, with 0.24, the pip of its bottom is seen. Of
43 that are a 3 or a 5 whose middle pip was washed out or worn in the picture 23 have more than this."""
PIP, FROM, TO = 1.1, 1.4, 2.2
"""Where a pip would be, and what is round it, in its radii."""
SIDE_PX = 23
"""Sides of the square round the middle that is looked at."""
_GRID = np.stack(np.meshgrid(*[np.linspace(-1, 1, 7, dtype=np.float32)] * 2), -1).reshape(-1, 2)
_DISC = _GRID[np.hypot(*_GRID.T) <= 1] * np.float32(WITHIN)
_STEP = 0.2
_WIDE = np.stack(np.meshgrid(*[(np.arange(SIDE_PX) - SIDE_PX // 2) * _STEP] * 2), -1).reshape(-1, 2)
_OUT = np.hypot(*_WIDE.T)
_PIP, _ROUND = _OUT <= PIP, (_OUT > FROM) & (_OUT < TO)


def may_hide_pip(levels: tuple[Picture, ...], dice: Evidence) -> NDArray[np.bool_]:
    """(n,) which dice were read as even though something like a pip, or a trace of one, is in the middle.

    levels: the picture and its halvings, (h, w, 3) uint8 BGR each. Of lattices only, whose pips are known.
    """
    known: NDArray[np.bool_] = (dice.kind == EvidenceKind.LATTICE) & (dice.face % 2 == 0) & (dice.r > 0)
    middle = np.stack([dice.x, dice.y], 1)[known]
    places = middle[:, None] + dice.r[known, None, None] * _DISC
    if not len(middle):
        return known
    seen = sampled(levels, np.zeros(len(middle), np.int32), places, cv2.BORDER_REPLICATE)
    contrast = dice.contrast[known]
    out = ((seen.mean(1) - dice.body[known]) * contrast).sum(1)
    traces = [_leaves_trace(levels, dice, k) for k in np.flatnonzero(known).tolist()]
    known[known] = (out > FAINT * (contrast**2).sum(1)) | np.array(traces)
    return known


def _leaves_trace(levels: tuple[Picture, ...], dice: Evidence, k: int) -> bool:
    """Whether something in the middle of die k is more like its pips than all round it."""
    contrast = dice.contrast[k]
    place = np.array([[dice.x[k]], [dice.y[k]], [SIDE_PX * _STEP * dice.r[k]]], np.float32)
    seen = crop_patches(levels, (place[0], place[1], place[2]), SIDE_PX)[0]
    like = seen.reshape(-1, 3).astype(np.float32) @ contrast
    inside, around = np.quantile(like[_PIP], MOST), np.quantile(like[_ROUND], MOST)
    return bool(inside - around > TRACE * (contrast @ contrast))
