"""Runs every part of the reader once, before anybody throws.

Networks are loaded and prepared for a size of picture on first use, and tables are computed; on a slow board
the first throw of an evening would wait for that.
"""

import math
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.inference import witness_network
from vision.inference.hand_network import hand_probabilities
from vision.pips import pyramid
from vision.reader import Reader

CLOTH, BODY, PIP = (62, 94, 38), (236, 238, 238), (24, 22, 22)
PIPS = {1: ((0, 0),), 2: ((-1, -1), (1, 1)), 3: ((-1, -1), (0, 0), (1, 1)),
        4: ((-1, -1), (1, -1), (-1, 1), (1, 1)), 5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1))}  # fmt: skip


def some_dice(size_wh: tuple[int, int]) -> NDArray[np.uint8]:
    """A picture (h, w, 3) of five plain dice in a row, one to five, each turned a little more."""
    width, height = size_wh
    image = np.full((height, width, 3), CLOTH, np.uint8)
    edge = 0.05 * width
    for face, spots in PIPS.items():
        turn = 0.3 * face
        across = np.array([math.cos(turn), math.sin(turn)]) * edge
        down = np.array([-across[1], across[0]])
        middle = np.array([width * face / 6, height / 2])
        corners = [middle + x * across / 2 + y * down / 2 for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        cv2.fillConvexPoly(image, np.round(corners).astype(np.int32), BODY, cv2.LINE_AA)
        for x, y in spots:
            at = np.round(middle + 0.26 * (x * across + y * down)).astype(int)
            cv2.circle(image, (int(at[0]), int(at[1])), round(edge * 0.1), PIP, -1, cv2.LINE_AA)
    return cv2.GaussianBlur(image, (0, 0), 0.7).astype(np.uint8, copy=False)


warmed: set[tuple[int, int]] = set()
"""Sizes that this process is ready for, width and height."""


def warm(size_wh: tuple[int, int], going_on: Callable[[], None] = lambda: None) -> None:
    """Read a drawn picture of that size, closely and quickly, on the first call for the size.

    going_on: see `Reader`. Raises ModelError where a network is missing.
    """
    if size_wh in warmed:
        return
    reader, image = Reader(len(PIPS), going_on=going_on), some_dice(size_wh)
    reader.read(image)
    reader.read(image, again=True)
    hand_probabilities(image)
    witness_network.faces_at(pyramid(image), *np.array([[100.0], [100.0], [50.0]], np.float32))
    warmed.add(size_wh)
