"""Pictures for the finder: scenes, renders and permitted photographs, squeezed to its few pixels."""

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.holdout import held_out
from lab.training.augment import degrade, recolour
from lab.training.from_above import from_above
from lab.training.mistaken import HARDER
from lab.training.pools import MAY_TRAIN
from lab.training.scenes import Scene, State
from simulator.cases import CASES, example
from vision.inference.finder import EDGE_UNIT, STRIDE

SIZE_WH = (256, 192)
VIEWS_SEED = 7
TRAYS_FIRST = 560_000
"""Far from the seeds of the golden frames, the tests and the benchmark."""
SEEN = 0.3
"""The share of a top that is seen, from which on the finder must find the die."""
EDGES = (8.0, 48.0)  # edges in pixels that the finder must find; beyond them it is not asked


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """One picture with its dice.

    image: (h, w, 3) uint8 BGR. dice: (n, 4) x, y, edge in pixels of every die, and 1 when the
    finder must find it, 0 when it need not (hidden, hardly to be seen). group: its origin.
    """

    image: NDArray[np.uint8]
    dice: NDArray[np.float64]
    group: str


def of_scenes(scenes: Iterable[Scene], group: str = "drawn") -> Iterator[Picture]:
    """Drawn scenes; also dice that cannot be read count, for a finder must not miss them."""
    for scene in scenes:
        dice = [(*die.top.center, die.top.edge_px, die.state is not State.UNCLEAR) for die in scene.dice]
        yield Picture(scene.image, np.array(dice, float).reshape(-1, 4), group)


def of_views(scenes: Iterable[Scene]) -> Iterator[Picture]:
    """Drawn scenes from the table's edge as they would look from above."""
    rng = np.random.default_rng(VIEWS_SEED)
    turned = (from_above(rng, scene) for scene in scenes)
    return of_scenes((each[0] for each in turned if each is not None), "above")


def of_trays(seeds: int) -> Iterator[Picture]:
    """Every case of the simulated tray so many times, the harder ones twice as often."""
    for number in range(2 * seeds):
        for name in CASES:
            if number < seeds or name.endswith(HARDER):
                made = example(name, TRAYS_FIRST + number)
                dice = [(*die.center, die.size, die.visible > SEEN) for die in made.dice]
                yield Picture(made.image, np.array(dice, float).reshape(-1, 4), "tray")


def _edge(corners: list[list[float]]) -> float:
    around = np.subtract(corners, np.roll(corners, 1, 0))
    return float(np.linalg.norm(around, axis=1).mean())


def of_renders(folder: Path) -> Iterator[Picture]:
    """Renders at rest, and their empty trays."""
    for labels in sorted(folder.glob("*/labels.jsonl")):
        for line in labels.read_text().splitlines():
            label = json.loads(line)
            skip = label["stratum"] == "sequence" and (label["state"] == "moving" or label["frame"] % 4)
            if skip or label["stratum"] == "charuco":
                continue
            if held_out(f"{labels.parent.name}/{label.get('sequence') or label['file']}"):
                continue
            image = cv2.imread(str(labels.parent / label["file"]))
            dice = [
                (*die["top_center"], _edge(die["top_poly"]), die["top_visible"] > SEEN)
                for die in label["dice"]
                if "top_poly" in die
            ]
            group = f"render/{label['stratum']}/{label['station']}"
            yield Picture(image, np.array(dice, float).reshape(-1, 4), group)
        for empty in sorted(labels.parent.glob("*_ref.jpg")):
            yield Picture(cv2.imread(str(empty)), np.zeros((0, 4)), f"render/{labels.parent.name}/empty")


def of_photographs(folder: Path, *, for_training: bool) -> Iterator[Picture]:
    """Photographs whose boxes hold dice; the edge is taken as 0.8 of the box."""
    with (folder / "manifest.csv").open(newline="") as rows:
        for row in csv.DictReader(rows):
            taught = row["licence"] in MAY_TRAIN and not held_out(row["file"])
            if not row["boxes"] or taught != for_training:
                continue
            boxes = json.loads(row["boxes"])
            whole = row["box_kind"] != "pips of top face"
            sizes = [0.8 * max(w, h) for _, _, _, w, h in boxes]
            if not whole:
                many = [1.28 * max(w, h) for face, _, _, w, h in boxes if face >= 4]
                if not many:
                    continue
                sizes = [float(np.median(many))] * len(boxes)
            dice = [
                (x + w / 2, y + h / 2, size, 1) for (_, x, y, w, h), size in zip(boxes, sizes, strict=True)
            ]
            image = cv2.imread(str(folder / row["file"]))
            yield Picture(image, np.array(dice, float).reshape(-1, 4), "photo/" + row["file"].split("/")[0])


def shrunk(picture: Picture, most_px: int) -> Picture:
    """The picture with its longer side at most `most_px`, to spare memory."""
    scale = min(1.0, most_px / max(picture.image.shape[:2]))
    if scale == 1.0:
        return picture
    image = cv2.resize(picture.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return Picture(image, picture.dice * (scale, scale, scale, 1), picture.group)


def view(rng: np.random.Generator, picture: Picture) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """A varied piece (192, 256, 3) of a picture, and the dice (n, 4) in it."""
    usual = float(np.median(picture.dice[:, 2])) if len(picture.dice) else 30.0
    wanted = float(np.exp(rng.uniform(*np.log(EDGES))))
    scale = float(np.clip(wanted / usual, 0.05, 1.6))
    turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.integers(4) * np.pi / 2
    linear = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    if rng.random() < 0.5:
        linear = linear @ np.diag([-1.0, 1.0])
    if len(picture.dice) and rng.random() < 0.85:
        aim = picture.dice[rng.integers(len(picture.dice)), :2]
    else:
        aim = rng.uniform(0, 1, 2) * picture.image.shape[1::-1]
    lands = np.array(SIZE_WH) * rng.uniform(0.15, 0.85, 2)
    image = picture.image
    if scale < 0.7:
        image = cv2.GaussianBlur(image, (0, 0), 0.35 / scale)
    matrix = np.column_stack([linear, lands - linear @ aim])
    piece = cv2.warpAffine(image, matrix, SIZE_WH, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    height, width = picture.image.shape[:2]
    x, y, edge_px, must = picture.dice.T
    must = must * (x > 0) * (y > 0) * (x < width) * (y < height)
    dice = np.column_stack([picture.dice[:, :2] @ linear.T + matrix[:, 2], edge_px * scale, must])
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]]) @ linear.T + matrix[:, 2]
    mask = cv2.fillConvexPoly(np.zeros(SIZE_WH[::-1], np.uint8), corners.astype(np.int32), 1)
    piece[mask == 0] = rng.integers(0, 256, 3)  # a reflected die would be a die without a label
    seen = recolour(rng, piece.astype(np.float32))
    return degrade(rng, seen), dice


def target(dice: NDArray[np.floating], size_wh: tuple[int, int] = SIZE_WH) -> NDArray[np.float32]:
    """What the finder should answer, (6, h/4, w/4).

    Heat 0-1, log2 of the size, dx, dy, the weight of these three, the weight of the heat.
    """
    width, height = size_wh[0] // STRIDE, size_wh[1] // STRIDE
    maps = np.zeros((6, height, width), np.float32)
    maps[5] = 1
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    for die_x, die_y, edge, must in dice:
        at_x, at_y = (die_x + 0.5) / STRIDE - 0.5, (die_y + 0.5) / STRIDE - 0.5
        if not (-2 < at_x < width + 1 and -2 < at_y < height + 1):
            continue
        spread = max(edge / STRIDE * 0.16, 0.55)
        heat = np.exp(-((x - at_x) ** 2 + (y - at_y) ** 2) / (2 * spread**2))
        column, row = round(at_x), round(at_y)
        if not must or not EDGES[0] * 0.85 <= edge <= EDGES[1] * 1.15:
            reach = max(edge / STRIDE * 0.7, 1)
            maps[5][np.hypot(x - at_x, y - at_y) < reach] = 0
            continue
        near = heat > 0.45
        better = near & (heat > maps[0])
        maps[0] = np.maximum(maps[0], heat)
        maps[1][better] = np.log2(edge / EDGE_UNIT)
        maps[2][better], maps[3][better] = (at_x - x)[better], (at_y - y)[better]
        maps[4][better] = 1
        if 0 <= column < width and 0 <= row < height:
            maps[0][row, column] = 1
    return maps
