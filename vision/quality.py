"""Whether a picture is fit to be read at all: its light, its sharpness, and whether a hand is in it.

Sharpness and glare are looked for on the dice themselves: a sharp table under blurred dice is of no use.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.networks import crop_square
from vision.pips import Floats
from vision.reading import Reason

Picture = NDArray[np.uint8]

SHARPNESS_PIXELS = 700_000
"""The picture is halved to at most this size before its sharpness is measured: what is left of a blur there
is one that hides pips."""
BLUR = 2.1
"""Edges of a sharp picture are hardly steeper after it is made four times smaller (measured: 0.9 to 1.9 for
photographs that can be read), those of a blurred one up to four times."""
DARKEST = 62
"""Where the brightest hundredth is darker than this (0-255), pips drown in noise."""
BURNT_SHARE = 0.5
"""Share of the picture that has lost all drawing."""


DIE_PX, DIE_EDGES = 24, 1.6
"""How a die is looked at for its sharpness: in this patch a pip is three pixels wide, at any size of die."""
SOFT = 0.165
"""Steepest change from pixel to pixel in that patch, as a share of its contrast, in the direction in which it
is least: 0.2 to 0.4 on photographs that can be read, 0.09 to 0.14 where pips run together."""
CONTRAST_MIN = 12.0
BURNT = 248
"""All three channels of a pixel at least this: its drawing is lost."""
GLARE_SHARE, GLARE_ON_WHITE = 0.08, 0.6
"""Share of a top face burnt out beyond which pips may be lost, on a coloured and on a white die."""


def picture_faults(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> tuple[Reason, ...]:
    """What is wrong with the light or focus of a picture and its halvings, each (h, w, 3) uint8 BGR.

    x, y, edge: px of the first, where dice lie or seem to. These are grounds for a reading that did not
    succeed, not tests that every picture must pass.
    """
    number = next((k for k, one in enumerate(levels) if one.shape[0] * one.shape[1] <= SHARPNESS_PIXELS), -1)
    grey = cv2.cvtColor(levels[number], cv2.COLOR_BGR2GRAY)
    found = []
    counts = np.bincount(grey[::2, ::2].ravel(), minlength=256)
    running = np.cumsum(counts) / counts.sum()
    if np.searchsorted(running, 0.99) < DARKEST:
        found.append(Reason.DARK)
    if counts[251:].sum() > BURNT_SHARE * counts.sum():
        found.append(Reason.OVEREXPOSED)
    sharp = sharpness(levels[0], x, y, edge)
    if sharp < SOFT if sharp is not None else _blur(grey.astype(np.uint8, copy=False)) > BLUR:
        found.append(Reason.BLURRED)
    return tuple(found)


def sharpness(image_bgr: Picture, x: Floats, y: Floats, edge: Floats) -> float | None:
    """How sharp the dice at x, y with such edges (px) are, see SOFT; None where none has any contrast."""
    found = []
    for a, b, e in zip(x, y, edge, strict=True):
        patch = crop_square(image_bgr, (float(a), float(b)), float(e) * DIE_EDGES, DIE_PX)
        grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY).astype(np.float32)
        low, high = np.percentile(grey, [3, 97])
        if high - low < CONTRAST_MIN:
            continue
        grey = cv2.GaussianBlur(grey, (0, 0), 0.5).astype(np.float32)
        steps = [grey[1:-1, 2:] - grey[1:-1, :-2], grey[2:, 1:-1] - grey[:-2, 1:-1]]
        steps += [(grey[2:, 2:] - grey[:-2, :-2]) / 2**0.5, (grey[2:, :-2] - grey[:-2, 2:]) / 2**0.5]
        # a shaken camera smears in one direction only
        found.append(min(float(np.percentile(np.abs(step), 97)) for step in steps) / 2 / (high - low))
    return float(np.median(found)) if found else None


def glare(image_bgr: Picture, x: Floats, y: Floats, edge: Floats) -> NDArray[np.bool_]:
    """(n,) on which top faces (middle x, y; edge; px) a highlight has burnt out what may have been pips."""
    flags = np.zeros(len(x), np.bool_)
    for k in range(len(x)):
        patch = crop_square(image_bgr, (float(x[k]), float(y[k])), float(edge[k]), DIE_PX)
        burnt = np.all(patch >= BURNT, axis=2)[_ON_FACE]
        rest = patch[_ON_FACE][~burnt]
        coloured = len(rest) > 0 and float(np.median(rest.max(1).astype(np.float32))) < COLOURED
        flags[k] = burnt.mean() > (GLARE_SHARE if coloured else GLARE_ON_WHITE)
    return flags


COLOURED = 215
"""Brightest channel (0-255) below which the rest of a face is not simply a white body."""
_ROW, _COLUMN = np.indices((DIE_PX, DIE_PX)) - (DIE_PX - 1) / 2
_ON_FACE = np.hypot(_ROW, _COLUMN) < 0.45 * DIE_PX


def _blur(grey: Picture) -> float:
    """How much steeper edges are in a picture four times smaller, in the direction in which they are most."""
    if min(grey.shape) < 32:
        return 0.0
    small = cv2.resize(grey, (grey.shape[1] // 4, grey.shape[0] // 4), interpolation=cv2.INTER_AREA)
    ratios = []
    for x, y in ((1, 0), (0, 1)):
        fine = np.abs(cv2.Sobel(grey, cv2.CV_16S, x, y)).ravel()
        coarse = np.abs(cv2.Sobel(small, cv2.CV_16S, x, y)).ravel()
        steepest = np.partition(fine, -max(1, len(fine) * 3 // 1000))[-max(1, len(fine) * 3 // 1000)]
        steep = np.partition(coarse, -max(1, len(coarse) // 100))[-max(1, len(coarse) // 100)]
        # a picture without edges is plain, not blurred
        ratios.append(float(steep) / max(float(steepest), 12.0))
    return max(ratios)


HAND_PIXELS = 12_000
HAND_SHARE = (0.015, 0.45)
HAND_REACH = 0.22
"""How far into the picture an arm comes, as a share of its width or height."""
SLEEVE, SLEEVED_SHARE = 0.2, (0.03, 0.11)
"""A bare hand with a sleeve behind it begins so near the rim, and covers such a share; a tray covers more."""
SOLID = 0.65
"""An arm and its hand fill more than this share of their convex hull; the rim of a wooden tray less."""
SPREAD = 0.86
"""A hand with its fingers, or a hand on an arm, fills less than this share of its convex hull."""
STANDS_OUT, CLEARLY = 22.0, 40.0
"""How much a hand differs from what lies round it at least (Lab, 0-255), and what nothing but a hand does."""
_SKIN_L, _SKIN_A, _SKIN_B_OVER_A = 50.0, (8.0, 26.0), (0.95, 1.85)
"""Skin in Lab (OpenCV, 0-255): pale or dark, its hue keeps to a narrow band; cork and most wood are
yellower."""


def shows_hand(image_bgr: Picture) -> bool:
    """Whether something of the colour of skin reaches in from one side of the picture (h, w, 3) uint8 BGR."""
    height, width = image_bgr.shape[:2]
    scale = min(1.0, (HAND_PIXELS / (height * width)) ** 0.5)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    if min(size) < 32:
        return False
    small = cv2.cvtColor(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2LAB)
    weights = np.array([0.5, 1.0, 1.0], np.float32)  # light and shadow on one hand count for less
    cv2.setRNGSeed(1)  # the same picture gives the same answer
    _, labels, centers = cv2.kmeans(
        small.reshape(-1, 3).astype(np.float32) * weights,
        8,
        np.zeros((small.shape[0] * small.shape[1], 1), np.int32),
        (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 12, 1.0),
        1,
        cv2.KMEANS_PP_CENTERS,
    )
    found = labels.reshape(small.shape[:2])
    for k, center in enumerate(np.asarray(centers, np.float32)):
        light, a, b = float(center[0]) * 2.0, float(center[1]) - 128.0, float(center[2]) - 128.0
        skin = light > _SKIN_L and _SKIN_A[0] < a < _SKIN_A[1]
        if (
            skin
            and _SKIN_B_OVER_A[0] < b / a < _SKIN_B_OVER_A[1]
            and _reaches_in(found == k, small.astype(np.uint8, copy=False))
        ):
            return True
    return False


def _reaches_in(mask: NDArray[np.bool_], lab: Picture) -> bool:
    """Whether one patch of the mask (h, w) comes in from the rim like an arm, or from a sleeve near it.

    lab: (h, w, 3) uint8, the picture; a hand differs from what is round it, a cloud of a wood's grain little.
    """
    around = np.ones((3, 3), np.uint8)
    clean = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, around)
    clean = cv2.morphologyEx(clean, cv2.MORPH_OPEN, around)
    _, label, stats, _ = cv2.connectedComponentsWithStats(clean)
    height, width = mask.shape
    for k in range(1, len(stats)):
        x, y, w, h, area = (int(v) for v in stats[k])
        if not HAND_SHARE[0] < area / mask.size < HAND_SHARE[1] or area > 0.82 * w * h:
            continue
        patch = label == k
        if area < SOLID * cv2.contourArea(cv2.convexHull(cv2.findNonZero(patch.astype(np.uint8)))):
            continue
        stands_out = _stands_out(patch, lab)
        if stands_out < STANDS_OUT:
            continue
        across = x <= 1 or x + w >= width - 1
        along = y <= 1 or y + h >= height - 1
        reach = max(w / width if across else 0.0, h / height if along else 0.0)
        rim = patch[:, :2].any(1).sum() + patch[:, -2:].any(1).sum()
        rim += patch[:2].any(0).sum() + patch[-2:].any(0).sum()
        if reach > HAND_REACH and 2 < rim < (0.6 if stands_out > CLEARLY else 0.33) * max(height, width):
            return True
        if not (across or along) and _from_sleeve(patch, (x, y, w, h), area):
            return True
    return False


def _stands_out(patch: NDArray[np.bool_], lab: Picture) -> float:
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


def _from_sleeve(patch: NDArray[np.bool_], box: tuple[int, int, int, int], area: int) -> bool:
    """Whether a patch that ends short of the rim is a hand: large, near the rim, and spread or long."""
    x, y, w, h = box
    height, width = patch.shape
    gap = min(x / width, y / height, (width - x - w) / width, (height - y - h) / height)
    if (
        gap > SLEEVE
        or not SLEEVED_SHARE[0] < area / patch.size < SLEEVED_SHARE[1]
        or max(w / width, h / height) < HAND_REACH
    ):
        return False
    outline = max(
        cv2.findContours(patch.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0],
        key=cv2.contourArea,
    )
    inside = cv2.contourArea(outline)
    filled = area / max(inside, 1.0)
    return bool(filled > 0.85 and inside < SPREAD * cv2.contourArea(cv2.convexHull(outline)))
