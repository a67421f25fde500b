"""Whether a hand is in a picture: what has the colour of skin and reaches in, with or without a sleeve."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pips import Picture

Mask = NDArray[np.bool_]

HAND_PIXELS = 12_000
HAND_SHARE = (0.015, 0.6)
HAND_REACH = 0.22
"""How far into the picture an arm comes, as a share of its width or height."""
SLEEVE, SLEEVED_SHARE = 0.2, (0.03, 0.11)
"""A bare hand with a sleeve behind it begins so near the rim, and covers such a share; a tray covers more."""
WRIST = 0.15
"""An arm is at least so broad at the rim, in shares of the root of what it covers."""
SPREAD_SHARE = 0.45
"""A hand with its fingers that nothing but a hand can be covers at most this share."""
SOLID = 0.65
"""An arm and its hand fill more than this share of their convex hull; the rim of a wooden tray less."""
BOX = 0.82
"""And less than this share of the upright box round them; a tray more."""
SPREAD = 0.86
"""A hand with its fingers, or a hand on an arm, fills less than this share of its convex hull."""
STANDS_OUT, CLEARLY = 22.0, 40.0
"""How much a hand differs from what lies round it at least (Lab, 0-255), and what nothing but a hand does."""
CUFF, SLEEVE_SOLID, SLEEVE_SHARE = (0.3, 1.3), 0.8, 0.3
"""A sleeve meets its hand over such a share of the hand's breadth, fills more than the second of its convex
hull, and covers less of the picture than the third."""
_SKIN_L, _SKIN_A, _SKIN_B_OVER_A = 50.0, (8.0, 26.0), (0.95, 1.85)
"""Skin in Lab (OpenCV, 0-255): pale or dark, its hue keeps to a narrow band; cork and most wood are
yellower."""
_AROUND = np.ones((3, 3), np.uint8)
_THICK = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (11, 11))
"""What is thinner than this is no arm: HAND_PIXELS are about 146 by 82."""


NOWHERE = np.zeros((0, 2))


def shows_hand(image_bgr: Picture, dice: NDArray[np.float64] = NOWHERE, *, clearly: bool = False) -> bool:
    """Whether something of the colour of skin reaches into the picture (h, w, 3) uint8 BGR from a side.

    dice: (n, 2), where dice were read, in shares of width and height: what they lie on is no hand. clearly:
    only what stands out as nothing but a hand does.
    """
    height, width = image_bgr.shape[:2]
    scale = min(1.0, (HAND_PIXELS / (height * width)) ** 0.5)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    if min(size) < 32:
        return False
    resized = cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA)
    small = np.asarray(cv2.cvtColor(resized, cv2.COLOR_BGR2LAB), np.uint8)
    found, skin = _colours(small)
    masks = [found == k for k in skin]
    if skin:
        # light and shade divide one hand into several colours; the rim of a tray may have them too
        whole = np.isin(found, skin)
        masks += [whole, cv2.morphologyEx(whole.astype(np.uint8), cv2.MORPH_OPEN, _THICK) > 0]
    least = CLEARLY if clearly else STANDS_OUT
    return any(
        not _bears(patch, dice) and _reaches_in(patch, small, found, least)
        for mask in masks
        for patch in _patches(mask)
    )


def _bears(patch: Mask, dice: NDArray[np.float64]) -> bool:
    """Whether one of the dice (n, 2; shares of width and height) lies within the outline of a patch."""
    outline = _outline(patch)
    return any(
        cv2.pointPolygonTest(outline, (x * patch.shape[1], y * patch.shape[0]), measureDist=False) > 0
        for x, y in dice.tolist()
    )


def _colours(lab: Picture) -> tuple[NDArray[np.int32], list[int]]:
    """(h, w) which of eight colours each pixel of a picture (h, w, 3; Lab) has, and those of skin."""
    weights = np.array([0.5, 1.0, 1.0], np.float32)  # light and shadow on one hand count for less
    cv2.setRNGSeed(1)  # the same picture gives the same answer
    _, labels, centers = cv2.kmeans(
        lab.reshape(-1, 3).astype(np.float32) * weights,
        8,
        np.zeros((lab.shape[0] * lab.shape[1], 1), np.int32),
        (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 12, 1.0),
        1,
        cv2.KMEANS_PP_CENTERS,
    )
    skin = []
    for k, center in enumerate(np.asarray(centers, np.float32)):
        light, a, b = float(center[0]) * 2.0, float(center[1]) - 128.0, float(center[2]) - 128.0
        hue = _SKIN_A[0] < a < _SKIN_A[1] and _SKIN_B_OVER_A[0] < b / a < _SKIN_B_OVER_A[1]
        if hue and light > _SKIN_L:
            skin.append(k)
    return np.asarray(labels, np.int32).reshape(lab.shape[:2]), skin


def _patches(mask: Mask) -> Iterator[Mask]:
    """The connected parts of a mask that are as large as a hand, and shaped neither as a tray nor its rim."""
    clean = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, _AROUND)
    clean = cv2.morphologyEx(clean, cv2.MORPH_OPEN, _AROUND)
    _, label, stats, _ = cv2.connectedComponentsWithStats(clean)
    for k in range(1, len(stats)):
        _, _, w, h, area = (int(v) for v in stats[k])
        if HAND_SHARE[0] < area / mask.size < HAND_SHARE[1] and area <= BOX * w * h:
            patch = label == k
            if area >= SOLID * _hull_area(patch):
                yield patch


def _reaches_in(patch: Mask, lab: Picture, found: NDArray[np.int32], least: float) -> bool:
    """Whether a patch (h, w) comes in from the rim like an arm, or out of a sleeve.

    lab: (h, w, 3) uint8, the picture; found: (h, w), its colours by number. A hand differs from what is round
    it by `least`, a cloud of a wood's grain little.
    """
    stands_out = _stands_out(patch, lab)
    if stands_out < least:
        return False
    height, width = patch.shape
    x, y, w, h = cv2.boundingRect(patch.astype(np.uint8))
    across = x <= 1 or x + w >= width - 1
    along = y <= 1 or y + h >= height - 1
    reach = max(w / width if across else 0.0, h / height if along else 0.0)
    clear = stands_out > CLEARLY
    rim, least_rim = _at_rim(patch), max(2.0, WRIST * float(patch.sum()) ** 0.5)
    if rim > least_rim:
        return reach > HAND_REACH and rim < (0.6 if clear else 0.33) * max(height, width)
    return _from_sleeve(patch, (x, y, w, h), clear=clear) or (clear and _sleeve_behind(patch, found))


def _at_rim(patch: Mask) -> int:
    """How many pixels of the picture's rim a patch covers."""
    sides = (patch[:, :2].any(1), patch[:, -2:].any(1), patch[:2].any(0), patch[-2:].any(0))
    return sum(int(side.sum()) for side in sides)


def _outline(patch: Mask) -> NDArray[np.int32]:
    """(n, 1, 2) px, the outer contour of a patch."""
    contours, _ = cv2.findContours(patch.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(max(contours, key=cv2.contourArea), np.int32)


def _hull_area(patch: Mask) -> float:
    return float(cv2.contourArea(cv2.convexHull(cv2.findNonZero(patch.astype(np.uint8)))))


def _stands_out(patch: Mask, lab: Picture) -> float:
    """Mean distance in Lab (OpenCV, 0-255) of what surrounds a patch closely from the patch's rim."""
    around = np.ones((5, 5), np.uint8)
    mine = patch.astype(np.uint8)
    outer = (cv2.dilate(mine, around) > 0) & ~patch
    inner = patch & (cv2.erode(mine, around) == 0)
    rim = cv2.blur(lab.astype(np.float32) * inner[..., None], (9, 9))
    count = cv2.blur(inner.astype(np.float32), (9, 9))
    beside = outer & (count > 0)
    away = lab[beside] - rim[beside] / count[beside][:, None]
    return float(np.sqrt((away**2).sum(1)).mean()) if len(away) else 0.0


def _from_sleeve(patch: Mask, box: tuple[int, int, int, int], *, clear: bool) -> bool:
    """Whether a patch that ends short of the rim is a hand: large, near the rim, and spread or long."""
    x, y, w, h = box
    height, width = patch.shape
    gap = min(x / width, y / height, (width - x - w) / width, (height - y - h) / height)
    most = SPREAD_SHARE if clear else SLEEVED_SHARE[1]
    if gap > SLEEVE or not SLEEVED_SHARE[0] < patch.mean() < most or max(w / width, h / height) < HAND_REACH:
        return False
    outline = _outline(patch)
    inside = cv2.contourArea(outline)
    filled = float(patch.sum()) / max(inside, 1.0)
    return bool(filled > 0.85 and inside < SPREAD * cv2.contourArea(cv2.convexHull(outline)))


def _sleeve_behind(patch: Mask, found: NDArray[np.int32]) -> bool:
    """Whether a sleeve leads from the rim to a patch: of one colour, straight, and as broad as it there."""
    near = cv2.dilate(patch.astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
    (_, (long, short), _) = cv2.minAreaRect(cv2.findNonZero(patch.astype(np.uint8)))
    broad = min(long, short)
    for k in np.unique(found[near & ~patch]).tolist():
        clean = cv2.morphologyEx(((found == k) & ~patch).astype(np.uint8), cv2.MORPH_OPEN, _AROUND)
        _, label = cv2.connectedComponents(clean)
        for part in np.unique(label[near & (label > 0)]).tolist():
            sleeve = label == part
            if not 0 < _at_rim(sleeve) < 0.33 * max(patch.shape) or sleeve.mean() > SLEEVE_SHARE:
                continue
            cuff = float((sleeve & near).sum()) / 3.0  # the dilated band is three pixels wide
            fits = CUFF[0] * broad < cuff < CUFF[1] * broad
            if fits and float(sleeve.sum()) > SLEEVE_SOLID * _hull_area(sleeve):
                return True
    return False
