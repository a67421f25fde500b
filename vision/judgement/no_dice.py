"""Proofs that what shows faces is no die: the bar of a domino, the printed markers of a tray.

Two faces on one body with a bar between them are a domino.
"""

import cv2
import numpy as np

from vision.inference.networks import on_fitting_level
from vision.judgement.evidence import Evidence
from vision.pips import Flags, Floats, Picture

_ALONG = np.linspace(-0.5, 0.5, 41, dtype=np.float32)
_INNER = np.abs(_ALONG) < 0.31
_ENDS = (_ALONG < -0.39, _ALONG > 0.39)
CLEAR_BAR, FAINT_BAR, EVEN = 0.38, 0.2, 0.7
"""How much a domino's bar is like its pips at least, in shares of their contrast; the fainter one is nowhere
less so than the third share of what is usual of it."""
ONE_END, BOTH_ENDS = 0.15, 0.25
"""At the bar's ends the body is seen, less unlike it than this share of the bar, where one is seen and where
both are: a seam between two dice that touch is widest at its ends."""
ANOTHER = 0.75
"""Faces are those of two dice where their middles are farther apart than this, edges."""
_OUTWARDS = np.array([*np.linspace(0.42, 0.58, 9), 0.72, 0.8, 0.88], np.float32)
_AT_BAR = _OUTWARDS < 0.6
GOES_ON = 0.12
"""Beyond a bar the same body is less unlike than this, in shares of the contrast of the pips."""
_ACROSS = np.linspace(-0.14, 0.14, 15).astype(np.float32)


def dominoes(image_bgr: Picture, dice: Evidence) -> Flags:
    """(n,) which faces are halves of a domino: a bar of the pips' colour, beyond it another half of the body.

    The bar ends before the body does; between two dice that touch the seam runs to the end, or there is none.
    The other half may show no face: something may lie on it.
    """
    flags = _barred(image_bgr, dice)
    for i in range(len(dice)):
        for k in range(i + 1, len(dice)):
            edge = 0.5 * float(dice.edge[i] + dice.edge[k])
            step = np.array([dice.x[k] - dice.x[i], dice.y[k] - dice.y[i]], np.float32)
            gap = float(np.hypot(*step))
            if not 0.85 * edge < gap < 1.16 * edge:
                continue
            norm = float(np.sqrt((dice.contrast[i] ** 2).sum()))
            unlike = float(np.sqrt(((dice.body[i] - dice.body[k]) ** 2).sum()))
            if norm < 1.0 or unlike > 0.35 * norm or not _aligned(dice, i, k, step):
                continue
            if _in_company(dice, i, k):
                continue
            if _bar(image_bgr, dice, i, k, step / gap, gap):
                flags[[i, k]] = True
    return flags


def _barred(image_bgr: Picture, dice: Evidence) -> Flags:
    """(n,) which faces beside which none lies have a bar along a side, beyond which their body goes on.

    A 1 has no direction of its own, so its sides are not known.
    """
    alone = [n for n in range(len(dice)) if dice.face[n] != 1 and not _in_company(dice, n, n)]
    flags = np.zeros(len(dice), np.bool_)
    if not alone:
        return flags
    mine = dice.take(np.array(alone, np.intp))
    turns = np.radians(mine.angle[:, None] + 90.0 * np.arange(4))
    outwards = np.stack([np.cos(turns), np.sin(turns)], -1).astype(np.float32)
    middles = np.stack([mine.x, mine.y], -1)[:, None]
    off = _seen(image_bgr, middles, outwards, mine.edge[:, None], _OUTWARDS) - mine.body[:, None, None, None]
    like_pip, unlike_body = _likeness(off, mine.contrast[:, None, None, None])
    least, usual, ends = _along_bar(like_pip[..., _AT_BAR], unlike_body[..., _AT_BAR])
    bar = (least > np.maximum(EVEN * usual, FAINT_BAR)) & (np.maximum(*ends) < ONE_END * usual)
    bar &= np.median(unlike_body[..., _INNER, :][..., ~_AT_BAR], (-2, -1)) < GOES_ON
    flags[alone] = bar.any(1)
    return flags


def _seen(image_bgr: Picture, middle: Floats, outwards: Floats, size: Floats, steps: Floats) -> Floats:
    """(..., along, steps, 3) the picture beside middles (..., 2), px, as far outwards as steps say.

    outwards: (..., 2) directions. size: (...) px, of which steps and what is along are shares.
    """
    out = outwards[..., None, None, :]
    side = np.stack([-out[..., 1], out[..., 0]], -1)
    at = _ALONG[:, None, None] * side + steps[None, :, None] * out
    at = np.asarray(at * size[..., None, None, None] + middle[..., None, None, :], np.float32)
    maps = at.reshape(-1, len(_ALONG) * len(steps), 2)
    seen = cv2.remap(image_bgr, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR)
    return seen.reshape(*at.shape[:-1], 3).astype(np.float32)


def _likeness(off: Floats, contrast: Floats) -> tuple[Floats, Floats]:
    """How like pips, and how unlike the body, what differs from it so is: shares of the contrast of pips."""
    norm2 = (contrast**2).sum(-1) + 1e-3
    return (off * contrast).sum(-1) / norm2, np.sqrt((off**2).sum(-1) / norm2)


def _along_bar(like_pip: Floats, unlike_body: Floats) -> tuple[Floats, Floats, tuple[Floats, Floats]]:
    """How like pips a bar is where it is least and usually, and how unlike the body at its ends.

    like_pip, unlike_body: (..., along, across). In one place it may be less: a thin one has gaps.
    """
    inner = like_pip.max(-1)[..., _INNER]
    first, last = (unlike_body.max(-1)[..., end].min(-1) for end in _ENDS)
    return np.partition(inner, 1)[..., 1], np.median(inner, -1), (first, last)


def _in_company(dice: Evidence, i: int, k: int) -> bool:
    """Whether a third face touches one of two: then they are dice in a row, for a domino has two halves.

    What is seen on one of the two themselves is none.
    """
    others = np.delete(np.arange(len(dice)), [i, k])
    away = [np.hypot(dice.x[others] - dice.x[n], dice.y[others] - dice.y[n]) / dice.edge[n] for n in (i, k)]
    nearest = np.minimum(*away)
    return bool(((nearest > ANOTHER) & (nearest < 1.2)).any())


def _aligned(dice: Evidence, i: int, k: int, step: Floats) -> bool:
    """Whether two faces stand in one line, edge to edge; a 1 has no direction of its own."""
    line = np.degrees(np.arctan2(step[1], step[0])) % 90.0
    turns = [float(dice.angle[n]) for n in (i, k) if dice.face[n] != 1]
    return all(min(abs(line - turn), 90.0 - abs(line - turn)) < 14.0 for turn in turns)


def _bar(image_bgr: Picture, dice: Evidence, i: int, k: int, unit: Floats, gap: float) -> bool:
    """Whether a bar lies between two faces. unit: direction from one to the other, gap: how far, px."""
    middle = np.array([dice.x[i] + dice.x[k], dice.y[i] + dice.y[k]], np.float32) * 0.5
    seen = _seen(image_bgr, middle, unit, np.array(gap, np.float32), _ACROSS)
    off = seen - 0.5 * (dice.body[i] + dice.body[k])
    likeness = _along_bar(*_likeness(off, 0.5 * (dice.contrast[i] + dice.contrast[k])))
    least, usual, ends = float(likeness[0]), float(likeness[1]), [float(end) for end in likeness[2]]
    # where both ends are seen a thin bar, blurred, may be fainter; one may lie under a pencil
    whole = least > max(EVEN * usual, FAINT_BAR) and max(ends) < BOTH_ENDS * usual
    return whole or (least > CLEAR_BAR and min(ends) < ONE_END * usual)


PRINTED = 4
"""How many markers the printed page has, numbered from 0."""
MARKER_PX = 24.0
"""Edge of a printed marker, px, with which all of its six by six cells are plain; larger ones are looked at
on a coarser level: of 450 drawn ones, 24 to 130 px wide and blurred, none is missed so."""


def markers(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> Flags:
    """(n,) which bodies are the printed markers of a tray (`yacht calibrate` prints such), no dice.

    levels: the picture and its halvings; x, y, edge: of what may be dice, px.
    """
    exactly = cv2.aruco.DetectorParameters()
    exactly.errorCorrectionRate = 0.0  # a 5 is not far from some marker
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), exactly)
    flags = np.zeros(len(x), np.bool_)
    for k in range(len(x)):
        picture, a, b, px = on_fitting_level(levels, (x[k : k + 1], y[k : k + 1], edge[k : k + 1]), MARKER_PX)
        half = max(8.0, 1.6 * float(px[0]))
        top, left = max(0, int(b[0] - half)), max(0, int(a[0] - half))
        part = picture[top : int(b[0] + half) + 1, left : int(a[0] + half) + 1]
        if min(part.shape[:2]) < 12:
            continue
        corners, ids, _ = detector.detectMarkers(np.ascontiguousarray(part))
        at = [float(a[0]) - left, float(b[0]) - top]
        flags[k] = any(
            number < PRINTED and cv2.pointPolygonTest(c.reshape(-1, 2), at, measureDist=False) >= 0
            for c, number in zip(corners, [] if ids is None else ids.ravel().tolist(), strict=True)
        )
    return flags
