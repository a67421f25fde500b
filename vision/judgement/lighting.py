"""Light falls from above: the tops of dice seen from beside are not darker than their fronts."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.inference.networks import on_fitting_level
from vision.pips import Floats, Picture

LIGHTER, FEW = 1.2, 3
"""Where the fronts of all dice are so many times as light as their tops, these are no tops: the picture
stands on its head, and what lies above a top was read. Of 42 photographs seen from beside none has more than
1.1, of 78 drawn scenes one. More dice than the second number are not taken for their fronts so: of 310 drawn
scenes with up to eight dice, turned upside down, 20 were read wrongly, all with three dice at most."""
LOOKED_AT_PX = 24.0
"""Edge of a die, px, in the picture in which its lightness is measured: enough."""
_ALONG, _ACROSS = (axis.ravel() for axis in np.mgrid[-1:1:9j, -1:1:9j].astype(np.float32))
INNER_TOP, INNER_FRONT, INNER_ACROSS = 0.75, 0.6, 0.7
"""How much of a top, of a front, and of the width of both, is looked at."""


def may_be_fronts(
    levels: tuple[Picture, ...], places: tuple[Floats, Floats, Floats], foot: NDArray[np.float64]
) -> bool:
    """Whether what was read of a few dice seen from beside may be fronts, by their light."""
    few = 0 < len(places[0]) <= FEW
    return few and bool((front_lightness(levels, places, foot) >= LIGHTER).all())


def front_lightness(
    levels: tuple[Picture, ...], places: tuple[Floats, Floats, Floats], foot: NDArray[np.float64]
) -> Floats:
    """(n,) how many times as light the front of each die is as its top.

    levels: the picture and its halvings, (h, w, 3) uint8 BGR each; places: (n,) x, y and edge of the tops,
    px; foot: (2,), where that of a top is, edges. The median of grey levels: pips are the smaller part.
    """
    image, x, y, edge = on_fitting_level(levels, places, LOOKED_AT_PX)
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    far = math.hypot(*foot)
    towards, squeezed = np.asarray(foot / far, np.float32), math.cos(2 * math.atan(far / 2))
    middle, half = np.stack([x, y], 1), np.float32(squeezed / (1 + squeezed)) * edge
    half_tall, across = np.float32(far / 2) * edge, np.float32(INNER_ACROSS / 2) * edge
    top = _seen(grey, middle, towards, half * np.float32(INNER_TOP), across)
    below = middle + towards * (half + half_tall)[:, None]
    front = _seen(grey, below, towards, half_tall * np.float32(INNER_FRONT), across)
    return np.asarray(np.median(front, 1) / np.maximum(np.median(top, 1), 1.0), np.float32)


def _seen(grey: Picture, middle: Floats, towards: Floats, along: Floats, across: Floats) -> Picture:
    """(n, 81) grey levels round the middles, so many px along and across the way to the foot."""
    aside = np.array([-towards[1], towards[0]], np.float32)
    places = middle[:, None] + (along[:, None] * _ALONG)[..., None] * towards
    places = places + (across[:, None] * _ACROSS)[..., None] * aside
    columns, rows = (np.ascontiguousarray(places[..., axis]) for axis in range(2))
    seen = cv2.remap(grey, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)
