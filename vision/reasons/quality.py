"""Whether a picture is fit to be read at all: its light and its sharpness.

Sharpness and glare are looked for on the dice themselves: a sharp table under blurred dice is of no use.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.inference.networks import crop_squares
from vision.pips import Floats, Picture, shares_of
from vision.reading import Reason

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
    greys = np.empty((len(x), DIE_PX, DIE_PX), np.float32)
    for grey, patch in zip(greys, crop_squares(image_bgr, (x, y, edge), DIE_EDGES, DIE_PX), strict=True):
        grey[:] = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY)
    low, high = shares_of(greys.reshape(len(x), DIE_PX**2), (0.03, 0.97)).T
    clear = high - low >= CONTRAST_MIN
    if not clear.any():
        return None
    soft = np.stack([cv2.GaussianBlur(grey, (0, 0), 0.5) for grey in greys[clear]])
    steps = [soft[:, 1:-1, 2:] - soft[:, 1:-1, :-2], soft[:, 2:, 1:-1] - soft[:, :-2, 1:-1]]
    steps += [
        (soft[:, 2:, 2:] - soft[:, :-2, :-2]) / 2**0.5,
        (soft[:, 2:, :-2] - soft[:, :-2, 2:]) / 2**0.5,
    ]
    # a shaken camera smears in one direction only
    least = np.min([shares_of(np.abs(step).reshape(len(soft), -1), (0.97,))[:, 0] for step in steps], axis=0)
    return float(np.median(least / 2 / (high - low)[clear]))


def in_focus(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> NDArray[np.bool_]:
    """(n,) which places (middle x, y; edge; px of the first level) are in focus, each for itself."""
    each = (sharpness(levels[0], x[[k]], y[[k]], edge[[k]]) for k in range(len(x)))
    return np.array([one is not None and one >= SOFT for one in each], np.bool_)


def glare(image_bgr: Picture, x: Floats, y: Floats, edge: Floats) -> NDArray[np.bool_]:
    """(n,) on which top faces (middle x, y; edge; px) a highlight has burnt out what may have been pips."""
    flags = np.zeros(len(x), np.bool_)
    for k, patch in enumerate(crop_squares(image_bgr, (x, y, edge), 1.0, DIE_PX)):
        burnt = np.all(patch >= BURNT, axis=2)[_ON_FACE]
        rest = patch[_ON_FACE][~burnt]
        brightest, darkest = rest.max(1).astype(np.float32), rest.min(1).astype(np.float32)
        coloured = len(rest) > 0 and (
            float(np.median(brightest)) < COLOURED or float(np.median(brightest - darkest)) > SATURATED
        )
        flags[k] = burnt.mean() > (GLARE_SHARE if coloured else GLARE_ON_WHITE)
    return flags


COLOURED, SATURATED = 215, 80
"""Brightest channel (0-255) below which the rest of a face is not simply a white body; a bright red one is
recognised by how far its channels are apart."""
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
