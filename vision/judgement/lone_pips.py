"""A lone pip is round: a numeral, a letter or a picture in the middle of a face is no 1."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.inference.face_looks import faces_at
from vision.inference.networks import crop_patches
from vision.judgement.evidence import SMALLEST_BODY, Evidence, EvidenceKind
from vision.pips import Floats, Picture

ROUND = 0.85
"""A mark that fills less of its ellipse is no pip. Of 449 ones in photographs and renders that are read
rightly none fills less than 0.90; a numeral mostly fills 0.4 to 0.8, a star 0.8."""
LEAST, MOST = 0.05, 0.3
"""Radius of a pip, edges: of those the smallest has 0.06, the largest 0.2."""
INK = 0.6
"""What has at least so much of a mark's contrast belongs to it: light on a glossy body mostly has less."""
FACE = 0.8
"""A pip in which the network sees more than one pip of its own with this chance is no pip. In those of 207
labelled photographs that are read rightly it sees them with 0.64 at most."""
WITHIN = 0.36
"""Radius, edges, of what is looked at of a face."""
NEAR = 0.12
"""So near to where the face was read, edges, its mark is sought."""
BODY = 0.42
"""Radius, edges, of what mostly has the body's colour."""
SIDE_PX = 45
"""Sides of the square in the middle of a face that is looked at."""
_STEP = 0.02
_ALONG = (np.arange(SIDE_PX, dtype=np.float32) - SIDE_PX // 2) * np.float32(_STEP)
_GRID = np.stack(np.meshgrid(_ALONG, _ALONG), -1)
_OUT = np.hypot(_GRID[..., 0], _GRID[..., 1])
_DISC = (_OUT[20:25, 20:25] < 0.05).astype(np.float32)
_DISC /= _DISC.sum()
_THIN = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
"""What this does not fit into is no part of a mark: a streak of light that touches a pip."""


def unlike_pips(levels: tuple[Picture, ...], dice: Evidence) -> NDArray[np.bool_]:
    """(n,) which dice were read as a 1 though what stands in their middle is no round pip.

    levels: the picture and its halvings, (h, w, 3) uint8 BGR each.
    """
    unlike: NDArray[np.bool_] = dice.face == 1
    unlike[unlike] = [roundness(levels, dice, k) < ROUND for k in np.flatnonzero(unlike).tolist()]
    return unlike | whole_dice(levels, dice)


def whole_dice(levels: tuple[Picture, ...], dice: Evidence) -> NDArray[np.bool_]:
    """(n,) which dice were read as a 1 though their pip shows a face of its own: it is a whole small die."""
    found: NDArray[np.bool_] = (dice.face == 1) & (dice.kind != EvidenceKind.BODY)
    found &= dice.r * 2 >= SMALLEST_BODY
    if not found.any():
        return found
    says = faces_at(levels, dice.x[found], dice.y[found], dice.r[found] * 2)
    found[found] = says[:, 2:].max(1, initial=0.0) > FACE
    return found


def roundness(levels: tuple[Picture, ...], dice: Evidence, k: int) -> float:
    """How much of the ellipse with its moments the mark in the middle of die k fills, 0-1; 0 without one.

    Nothing but an ellipse fills all of it, so a pip does from wherever it is seen. The mark has the contrast
    of what stands out most or, as light on a glossy body may do that, of the pip that was found, unless this
    is the body within a numeral, where that has the opposite one, or the die as a whole.
    """
    edge = dice.size[k]
    place = np.array([[dice.x[k]], [dice.y[k]], [SIDE_PX * _STEP * edge]], np.float32)
    seen = crop_patches(levels, (place[0], place[1], place[2]), SIDE_PX)[0]
    off = seen.astype(np.float32) - np.median(seen[_OUT < BODY], axis=0)
    even = cv2.filter2D(off, -1, _DISC)
    most = even.reshape(-1, 3)[np.where(_OUT <= NEAR, np.linalg.norm(even, axis=2), -np.inf).argmax()]
    found = dice.contrast[k]
    known = dice.kind[k] == EvidenceKind.ONE and dice.r[k] < MOST * edge and found @ most > 0.0
    return max(_filled(off, even, contrast) for contrast in ([most, found] if known else [most]))


def _filled(off: Floats, even: Floats, contrast: Floats) -> float:
    """How much of its ellipse the mark of that contrast (3,) near the middle fills.

    off: how far what is seen of a face (h, w, 3) is from its body's colour; even: the same, smoothed.
    """
    at = np.where(_OUT <= NEAR, even @ contrast, -np.inf).argmax()
    ink = (off @ contrast > INK * (contrast @ contrast)) & (_OUT < WITHIN)
    whole = cv2.morphologyEx(ink.astype(np.uint8), cv2.MORPH_OPEN, _THIN)
    _, parts = cv2.connectedComponents(whole, connectivity=4)
    mark = (whole > 0) & (parts == parts.flat[at])
    area = float(mark.sum()) * _STEP**2
    if area < np.pi * LEAST**2:
        return 0.0
    spread = np.cov(_GRID[mark].T, bias=True) + np.eye(2) * (_STEP**2 / 12)
    return area / float(4 * np.pi * np.sqrt(np.linalg.det(spread)))
