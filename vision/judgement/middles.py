"""An even face has no pip in its middle: what looks like one there may be one that is worn, or blurred."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.judgement.evidence import Evidence, EvidenceKind
from vision.pips import Picture

FAINT = 1 / 3
"""Of how far the pips stand out from the body, so much in the middle is doubted. Of 1,588 even faces in
photographs and renders that are read rightly none has more than 0.26; a 3 of 18 pixels whose middle pip is
washed out, and which the network gives 0.99 as a 2, has 0.41."""
WITHIN = 0.5
"""How much of a pip's radius is looked at."""
_GRID = np.stack(np.meshgrid(*[np.linspace(-1, 1, 7, dtype=np.float32)] * 2), -1).reshape(-1, 2)
_DISC = _GRID[np.hypot(*_GRID.T) <= 1] * np.float32(WITHIN)


def may_hide_pip(levels: tuple[Picture, ...], dice: Evidence) -> NDArray[np.bool_]:
    """(n,) which dice were read as even though something like a pip is in their middle.

    levels: the picture and its halvings, (h, w, 3) uint8 BGR each. Of lattices only, whose pips are known.
    """
    known: NDArray[np.bool_] = (dice.kind == EvidenceKind.LATTICE) & (dice.face % 2 == 0) & (dice.r > 0)
    middle = np.stack([dice.x, dice.y], 1)[known]
    places = middle[:, None] + dice.r[known, None, None] * _DISC
    columns, rows = (np.ascontiguousarray(places[..., axis]) for axis in range(2))
    if not len(middle):
        return known
    seen = cv2.remap(levels[0], columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    contrast = dice.contrast[known]
    out = ((seen.mean(1) - dice.body[known]) * contrast).sum(1)
    known[known] = out > FAINT * (contrast**2).sum(1)
    return known
