"""Pools of patches cut from drawn scenes, renders and permitted photographs, kept outside the project.

A pool's patch is larger than what the network sees, so that training can still turn, shift and scale it:
96 pixels for 8/3 face edges, the middle of the face in its middle.
"""

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.holdout import held_out
from lab.training.scenes import Scene, State
from vision.inference.face_looks import NOT_A_FACE
from vision.inference.networks import crop_square

SIDE = 96
EDGES = 8 / 3
SIDE_FACE_DEG = 44.0  # a face seen more steeply than this is another side's business
TOP_DEG = 40.0  # up to here a face counts as looking at the camera
MAY_TRAIN = ("MIT", "BSD-3-Clause", "Apache-2.0")


@dataclass(frozen=True, slots=True)
class Cut:
    """Where to cut: middle x, y and edge in pixels of the picture, and the label 0-6."""

    x: float
    y: float
    edge_px: float
    label: int


@dataclass(frozen=True, slots=True)
class Pool:
    """patches: (n, 96, 96, 3) uint8 BGR; labels: (n,) uint8; groups: (n,) str, the origin of each."""

    patches: NDArray[np.uint8]
    labels: NDArray[np.uint8]
    groups: NDArray[np.str_]

    def save(self, path: Path) -> None:
        """Write to an uncompressed npz."""
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(path, patches=self.patches, labels=self.labels, groups=self.groups)

    def only(self, keep: NDArray[np.bool_]) -> "Pool":
        """The part of it where `keep` (n,) holds."""
        return Pool(self.patches[keep], self.labels[keep], self.groups[keep])


def load(path: Path) -> Pool:
    """A pool as saved."""
    with np.load(path) as held:
        return Pool(held["patches"], held["labels"], held["groups"])


def join(pools: Iterable[Pool]) -> Pool:
    """All in one."""
    parts = list(pools)
    return Pool(
        np.concatenate([p.patches for p in parts]),
        np.concatenate([p.labels for p in parts]),
        np.concatenate([p.groups for p in parts]),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """A picture (h, w, 3) uint8 BGR, what is to be cut from it, its origin.

    dice: x, y, edge (px) of all its dice; None where not everything else in it may be called no die.
    """

    image: NDArray[np.uint8]
    cuts: tuple[Cut, ...]
    group: str
    dice: tuple[tuple[float, float, float], ...] | None = None


def cut_pool(pictures: Iterable[Labelled]) -> Pool:
    """The cuts of pictures as a pool."""
    patches, labels, groups = [], [], []
    for picture in pictures:
        patches += [crop_square(picture.image, (c.x, c.y), c.edge_px * EDGES, SIDE) for c in picture.cuts]
        labels += [c.label for c in picture.cuts]
        groups += [picture.group] * len(picture.cuts)
    return Pool(
        np.array(patches, np.uint8).reshape(-1, SIDE, SIDE, 3),
        np.array(labels, np.uint8),
        np.array(groups, dtype="U60"),
    )


def _inside(cut: Cut, image: NDArray[np.uint8]) -> bool:
    return 0 <= cut.x < image.shape[1] and 0 <= cut.y < image.shape[0]


def _elsewhere(
    rng: np.random.Generator,
    image: NDArray[np.uint8],
    dice: list[tuple[float, float]],
    edge: float,
    count: int,
) -> Iterator[Cut]:
    """Places without a die."""
    for _ in range(count * 4):
        x, y = rng.uniform(0, image.shape[1]), rng.uniform(0, image.shape[0])
        if all(np.hypot(x - dx, y - dy) > 1.2 * edge for dx, dy in dice):
            count -= 1
            yield Cut(x, y, edge * float(np.exp(rng.uniform(-0.4, 0.4))), NOT_A_FACE)
        if count <= 0:
            return


def scene_cuts(rng: np.random.Generator, scene: Scene) -> list[Cut]:
    """What a drawn scene gives: tops, steep sides, unreadable dice, things, bare floor."""
    cuts = []
    for die in scene.dice:
        x, y = die.top.center
        edge = die.top.edge_px
        if die.state is State.FLAT and die.top.angle_deg < TOP_DEG:
            cuts.append(Cut(x, y, edge, die.value))
        elif die.state in {State.COCKED, State.STACKED, State.COVERED}:
            cuts.append(Cut(x, y, edge, NOT_A_FACE))
        cuts += [
            Cut(float(side.center[0]), float(side.center[1]), edge * float(rng.uniform(0.7, 1.1)), NOT_A_FACE)
            for side in die.sides
            if side.angle_deg > SIDE_FACE_DEG and rng.random() < 0.25
        ]
    for x, y, size in scene.things:
        middle = np.array([x, y]) + rng.normal(0, 0.25 * size, 2)
        cuts.append(Cut(float(middle[0]), float(middle[1]), size * float(rng.uniform(0.25, 1.0)), NOT_A_FACE))
    edge = float(np.median([d.top.edge_px for d in scene.dice])) if scene.dice else 30.0
    middles = [tuple(d.top.center) for d in scene.dice]
    cuts += _elsewhere(rng, scene.image, middles, edge, 1)
    return [c for c in cuts if _inside(c, scene.image) and c.edge_px > 8]


def drawn(scenes: Iterable[Scene], seed: int) -> Iterator[Labelled]:
    """Drawn scenes with their cuts; group = `drawn`."""
    rng = np.random.default_rng(seed)
    for scene in scenes:
        yield Labelled(scene.image, tuple(scene_cuts(rng, scene)), "drawn")


def _render_cut(die: dict[str, Any]) -> Cut | None:
    corners = np.array(die["top_poly"], float)
    edge = float(np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).mean())
    x, y = die["top_center"]
    good = die["readable"] and die.get("legible", True)
    bad = die["cocked"] or die["stacked"] or not die["readable"]
    if not die["in_frame"] or edge < 8 or not (good or bad):
        return None
    # A die that leans a little looks, in one patch, like a flat one seen from the side: no lesson in it.
    if die["cocked"] and float(die["tilt_deg"]) < 25 and not die["stacked"]:
        return None
    return Cut(float(x), float(y), edge, int(die["value"]) if good else NOT_A_FACE)


def renders(folder: Path, seed: int) -> Iterator[Labelled]:
    """Renders with their cuts; group = `render/STRATUM/STATION`."""
    rng = np.random.default_rng(seed)
    for labels in sorted(folder.glob("*/labels.jsonl")):
        for line in labels.read_text().splitlines():
            label = json.loads(line)
            if label.get("state") == "moving" or label["stratum"] == "charuco":
                continue
            if label["stratum"] == "sequence" and label["frame"] % 3:
                continue  # settled frames are all alike
            if held_out(f"{labels.parent.name}/{label.get('sequence') or label['file']}"):
                continue
            image = cv2.imread(str(labels.parent / label["file"]))
            dice = [d for d in label["dice"] if "top_poly" in d]
            cuts = [c for c in map(_render_cut, dice) if c]
            edge = label["px_per_cm"] * 1.6
            cuts += _elsewhere(rng, image, [tuple(d["top_center"]) for d in dice], edge, 3)
            places = tuple((*d["top_center"], d["edge_px"]) for d in dice)
            known = None if "domino" in label.get("distractors", ()) else places
            yield Labelled(image, tuple(cuts), f"render/{label['stratum']}/{label['station']}", known)


def photographs(folder: Path, seed: int, *, for_training: bool) -> Iterator[Labelled]:
    """Photographs with their cuts; group = `photo/SOURCE`.

    for_training: only those whose licence permits it and that are not held out; else only the others, to be
    measured on.
    """
    rng = np.random.default_rng(seed)
    with (folder / "manifest.csv").open(newline="") as rows:
        for row in csv.DictReader(rows):
            taught = row["licence"] in MAY_TRAIN and not held_out(row["file"])
            if not row["boxes"] or taught != for_training:
                continue
            image = cv2.imread(str(folder / row["file"]))
            boxes = json.loads(row["boxes"])
            cuts = list(_box_cuts(boxes, row["box_kind"]))
            middles = [(x + w / 2, y + h / 2) for _, x, y, w, h in boxes]
            edge = float(np.median([c.edge_px for c in cuts])) if cuts else image.shape[1] / 12
            cuts += _elsewhere(rng, image, middles, edge, 3)
            places = tuple((x + w / 2, y + h / 2, 0.8 * max(w, h)) for _, x, y, w, h in boxes)
            yield Labelled(image, tuple(cuts), "photo/" + row["file"].split("/")[0], places)


def _box_cuts(boxes: list[list[float]], kind: str) -> Iterator[Cut]:
    """Cuts of a photograph's boxes; the edge is 0.8 of a die's box, 1.3 of a box round many pips."""
    if kind == "die":
        for face, x, y, w, h in boxes:
            yield Cut(x + w / 2, y + h / 2, 0.8 * max(w, h), int(face))
        return
    many = [1.28 * max(w, h) for face, _, _, w, h in boxes if face >= 4]
    few = [1.45 * max(w, h) for face, _, _, w, h in boxes if face in {2, 3}]
    if many or few:
        edge = float(np.median(many or few))
        for face, x, y, w, h in boxes:
            yield Cut(x + w / 2, y + h / 2, edge, int(face))


def crops(folder: Path) -> Iterator[Labelled]:
    """The single-die crops; group = `crop/SOURCE`."""
    with (folder / "crops" / "manifest.csv").open(newline="") as rows:
        for row in csv.DictReader(rows):
            image = cv2.imread(str(folder / "crops" / row["file"]))
            source = row["file"].split("/")[0]
            if source.startswith("tomitomi3"):
                cut = _in_cup(image, int(row["face"]))
            else:
                height, width = image.shape[:2]
                cut = Cut(width / 2, height / 2, 0.78 * max(width, height), int(row["face"]))
            if cut:
                yield Labelled(image, (cut,), f"crop/{source}")


def _in_cup(image: NDArray[np.uint8], face: int) -> Cut | None:
    """The die of the cup: the middle of its pips, when as many are found as the label says.

    All dice there are about 47 pixels wide; pips are small spots that a 13-pixel opening or closing removes.
    """
    grey = image[..., 0]
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (13, 13))
    inner = np.hypot(*(np.mgrid[0:128, 0:128] - 64.0)) < 38
    for kind in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT):
        spots = (cv2.morphologyEx(grey, kind, kernel) > 50) & inner
        _, _, stats, middles = cv2.connectedComponentsWithStats(spots.astype(np.uint8))
        good = (stats[1:, cv2.CC_STAT_AREA] > 20) & (stats[1:, cv2.CC_STAT_AREA] < 250)
        if int(good.sum()) == face:
            x, y = middles[1:][good].mean(0)
            return Cut(float(x), float(y), 47.0, face)
    return None
