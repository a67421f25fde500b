"""The reader of those with one camera and one set of dice: a die is a square outline with dots in it.

After the recipe of public readers that do well before their own camera: keep what is far lighter, or far
darker, than most of the picture and has a square outline of the usual size; tell its pips by Otsu's
threshold, and count the round ones. It is quick, and right where dice of one colour lie apart on an even
ground.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]
EDGE = (0.02, 0.25)
"""Edges of dice, as shares of the picture's smaller side."""
LONGEST = 1.35
"""Longer side of an outline over its shorter one, at most."""
FILLED = 0.75
"""Of the square round it, an outline fills at least so much."""
LIKE_OTHERS = 0.6
"""An outline's edge is at least so much of the usual one, and its inverse at most."""
PIP_AREA = (0.006, 0.09)
"""A pip's area, as shares of the face's."""
ROUND = 0.55
"""Of the circle round it, a pip fills at least so much."""


def _standing_out(grey: Grey) -> list[Grey]:
    """(h, w) 255 where a picture is far lighter than most of it, and where it is far darker."""
    darkest, ground, lightest = np.percentile(grey[::4, ::4], (0.5, 50, 99.5))
    light = cv2.compare(grey, (ground + lightest) / 2, cv2.CMP_GT)
    dark = cv2.compare(grey, (ground + darkest) / 2, cv2.CMP_LT)
    return [np.asarray(light, np.uint8), np.asarray(dark, np.uint8)]


def _squares(tones: Grey) -> list[cv2.typing.RotatedRect]:
    """The outlines that may be dice."""
    smaller = min(tones.shape)
    outlines, _ = cv2.findContours(tones, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    found = []
    for outline in outlines:
        box = cv2.minAreaRect(outline)
        short, long = sorted(box[1])
        like_a_die = EDGE[0] * smaller <= short <= long <= min(EDGE[1] * smaller, LONGEST * short)
        if like_a_die and cv2.contourArea(cv2.convexHull(outline)) >= FILLED * short * long:
            found.append(box)
    usual = float(np.median([min(box[1]) for box in found])) if found else 0.0
    return [box for box in found if LIKE_OTHERS * usual <= min(box[1]) <= usual / LIKE_OTHERS]


def _pips(face: Grey) -> int:
    """How many round spots the upright picture of a face shows, counted by Otsu's threshold."""
    _, light = cv2.threshold(face, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    few = cv2.bitwise_not(light) if light.mean() > 127 else light
    spots, _ = cv2.findContours(few, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return sum(_is_pip(spot, face.size) for spot in spots)


def _is_pip(spot: cv2.typing.MatLike, face_area: int) -> bool:
    """Whether an outline on a face of that area, px², is round and of a pip's size."""
    area, (_, radius) = cv2.contourArea(spot), cv2.minEnclosingCircle(spot)
    return PIP_AREA[0] <= area / face_area <= PIP_AREA[1] and area >= ROUND * np.pi * radius**2


def read(image_bgr: NDArray[np.uint8]) -> tuple[int, ...]:
    """The faces it counts, sorted. image_bgr: (h, w, 3) uint8, 0-255."""
    grey = np.asarray(cv2.cvtColor(cv2.GaussianBlur(image_bgr, (5, 5), 0), cv2.COLOR_BGR2GRAY), np.uint8)
    faces = []
    bodies = (_squares(tones) for tones in _standing_out(grey))
    for (x, y), sides, angle in max(bodies, key=lambda squares: sum(w * h for _, (w, h), _ in squares)):
        side = round(min(sides))
        shift = np.array([[0, 0, side / 2 - 0.5 - x], [0, 0, side / 2 - 0.5 - y]])
        upright = cv2.getRotationMatrix2D((x, y), angle, 1.0) + shift
        pips = _pips(np.asarray(cv2.warpAffine(grey, upright, (side, side)), np.uint8))
        if 1 <= pips <= 6:
            faces.append(pips)
    return tuple(sorted(faces))
