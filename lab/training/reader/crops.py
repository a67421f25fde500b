"""Crops of whole pictures and what the detector should say of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.training.reader.looks import relit, stored
from lab.training.reader.plan import Batch, Plan
from lab.training.reader.sources import OWN_MAKE, Die, Picture
from lab.two_networks.engine import normalised
from lab.two_networks.places import STRIDE, UNIT_PX

CROP = 256
SMALLEST_PX, LARGEST_PX = 11.0, 250.0
LARGEST_GROWTH = 2.0
NEAR_A_DIE = 0.85
INSIDE = 0.7  # how often a crop stays within its picture where it can
RENDERED = 0.6  # how often a group of renders is drawn, against one of photographs


@dataclass(frozen=True, slots=True, eq=False)
class Crop:
    """A crop (256, 256, 3) BGR with the dice in it, in its own pixels."""

    picture: NDArray[np.uint8]
    dice: tuple[Die, ...]
    doubtful: tuple[Die, ...]


Look = Callable[[np.random.Generator, NDArray[np.uint8]], NDArray[np.uint8]]


def changed(rng: np.random.Generator, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """In other light and from another camera."""
    return stored(rng, relit(rng, picture))


def crop(rng: np.random.Generator, picture: Picture, image: NDArray[np.uint8], look: Look = changed) -> Crop:
    """A piece of a picture, scaled, turned, perhaps mirrored, then changed by `look`."""
    height, width = image.shape[:2]
    boxes = picture.dice or picture.doubtful or (Die(None, width / 2, height / 2, width / 9, width / 9),)
    one = boxes[int(rng.integers(len(boxes)))]
    size = float(np.exp(rng.uniform(np.log(SMALLEST_PX), np.log(LARGEST_PX))))
    scale = min(size / max(one.size, 1.0), LARGEST_GROWTH)
    middle = np.array([one.x, one.y], float)
    if rng.random() < NEAR_A_DIE:
        middle += rng.uniform(-0.48, 0.48, 2) * CROP / scale
    else:
        middle = rng.uniform(0, 1, 2) * (width, height)
    if rng.random() < INSIDE:
        reach = np.minimum(0.5 * CROP / scale, 0.5 * np.array([width, height]))
        middle = np.clip(middle, reach, (width, height) - reach)
    stretch = np.exp(rng.normal(0, 0.1))
    turn = np.radians(90 * rng.integers(4) + rng.normal(0, 6))
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    matrix = matrix @ np.diag([scale * stretch * rng.choice((-1, 1)), scale / stretch])
    shrink = min(1.0, 1.6 * scale)
    seen = image
    if shrink < 0.8:
        seen = np.asarray(
            cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8
        )
    whole = np.hstack([matrix, (CROP / 2 - matrix @ middle)[:, None]])
    back = np.diag([width / seen.shape[1], height / seen.shape[0], 1.0])
    # Outside the picture nothing is mirrored: the dice there would have no box.
    edge = cv2.BORDER_CONSTANT if rng.random() < 0.5 else cv2.BORDER_REPLICATE
    ground = rng.integers(0, 256, 3).tolist()
    cut = cv2.warpAffine(
        seen, whole @ back, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=edge, borderValue=ground
    )
    moved = [tuple(_moved(die, whole, matrix) for die in dice) for dice in (picture.dice, picture.doubtful)]
    return Crop(look(rng, np.asarray(cut, np.uint8)), *moved)


def _moved(die: Die, whole: NDArray[np.float64], matrix: NDArray[np.float64]) -> Die:
    x, y = whole[:, :2] @ (die.x, die.y) + whole[:, 2]
    turned = np.abs(matrix)
    main = np.where(turned > turned.max(1, keepdims=True) * 0.7, turned, 0.0)  # a small turn widens no box
    w, h = main @ (die.w, die.h)
    return Die(die.face, float(x), float(y), float(w), float(h))


def target(cut: Crop, side: int = CROP) -> NDArray[np.float32]:
    """What the detector should say of a crop: (6, side / 4, side / 4).

    Heat; log2 of size / 32; x, y against the cell's middle in cells; where these three are known; weight.
    """
    cells = side // STRIDE
    planes = np.zeros((6, cells, cells), np.float32)
    planes[5] = 1
    rows, columns = np.mgrid[0:cells, 0:cells].astype(np.float32)
    for die in cut.doubtful:
        planes[5][_within(die, rows, columns, 0.6)] = 0
    for die in cut.dice:
        x, y = die.x / STRIDE - 0.5, die.y / STRIDE - 0.5
        column, row = round(x), round(y)
        if not (0 <= column < cells and 0 <= row < cells):
            planes[5][_within(die, rows, columns, 0.5)] = 0  # cut off: neither a die nor background
            continue
        spread = max(0.8, 0.09 * die.size / STRIDE)
        heat = np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * spread**2))
        planes[0] = np.maximum(planes[0], heat)
        planes[0, row, column] = 1
        near = (np.abs(columns - column) <= 1) & (np.abs(rows - row) <= 1)
        planes[1][near] = np.log2(max(die.size, 4.0) / UNIT_PX)
        planes[2][near], planes[3][near] = (x - columns)[near], (y - rows)[near]
        planes[4][near] = 1
        planes[5][near] = 1
    return planes


def _within(
    die: Die, rows: NDArray[np.float32], columns: NDArray[np.float32], part: float
) -> NDArray[np.bool_]:
    across = np.abs((columns + 0.5) * STRIDE - die.x) < part * die.w
    return np.asarray(across & (np.abs((rows + 0.5) * STRIDE - die.y) < part * die.h))


class CropMaker:
    """Makes batches of crops by their number; a group of pictures is drawn by the root of its dice."""

    def __init__(self, pictures: Sequence[Picture], plan: Plan) -> None:
        self.plan = plan
        groups = sorted({one.group for one in pictures})
        self.shelves = [[one for one in pictures if one.group == group] for group in groups]
        count = np.sqrt([sum(max(1, len(p.dice)) for p in shelf) for shelf in self.shelves])
        count *= [RENDERED if shelf[0].maker == OWN_MAKE else 1.0 for shelf in self.shelves]
        self.shares = count / count.sum()

    def batch(self, number: int) -> Batch:
        """Crops (n, 3, 256, 256) as the network takes them, and their targets (n, 6, 64, 64)."""
        rng, crops = np.random.default_rng([self.plan.seed, number]), []
        for _ in range(self.plan.batch):
            shelf = self.shelves[rng.choice(len(self.shelves), p=self.shares)]
            picture = shelf[int(rng.integers(len(shelf)))]
            image = np.asarray(cv2.imread(str(picture.path)), np.uint8)
            crops.append(crop(rng, picture, image))
        return normalised(np.array([one.picture for one in crops])), np.array([target(one) for one in crops])
