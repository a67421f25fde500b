"""Dice with each foot, for the network of `vision/inference/foot_network.py`: drawn, rendered, photographed.

Drawn scenes and renders know how each die lies. Of a photograph only that all its dice lie flat is known:
their feet must follow one rule, whatever it is, and that is a lesson too.
"""

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.holdout import held_out
from lab.training import shelf
from lab.training.pools import MAY_TRAIN
from lab.training.scenes import DieTruth, Scene, State, Wish
from lab.training.tray_lessons import case_lessons, rim_lessons
from vision.inference.foot_network import Posture
from vision.inference.networks import crop_square
from vision.picture import load
from vision.reader import Reader
from vision.reading import Status

CUT_PX, CUT_EDGES = 128, 4.2
WISH = Wish(
    edge_px=(16.0, 64.0),
    dice=(2, 7),
    cocked=0.3,
    lean_deg=(7.0, 60.0),
    stacked=0.12,
    hand=0.3,
    clutter=0.5,
)
"""Scenes with many dice that lean, from little to standing on a corner."""
BESIDE = replace(WISH, dice=(2, 8), cocked=0.2, tilt_deg=(25.0, 60.0))
"""The same from the table's edge, where tops are squeezed and sides show faces as large."""
SEED, SCENES, TRAYS = 77, 250, 100
SEEN_WHOLE, SEEN_HALF, SEEN_LITTLE = 0.85, 0.65, 0.15
LEANS_DEG = 6.0
SIDE_DEG = 52.0
"""A side turned to the camera by less than this may be taken for a top; its foot is far from theirs."""
SURE = 0.97
FLOCK_MIN = 3
"""Two dice follow any rule."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A die, or a place without one.

    cut: (CUT_PX, CUT_PX, 3) uint8 BGR round its top face. foot: (2,), in edges, or None where not known.
    lies: what to call it, None for no lesson in that. held: not to learn from.
    """

    cut: NDArray[np.uint8]
    foot: NDArray[np.float64] | None
    lies: Posture | None
    tilt_deg: float
    held: bool


@dataclass(frozen=True, slots=True)
class Flock:
    """The dice of one photograph, which all lie flat.

    cuts: (n, CUT_PX, CUT_PX, 3) uint8. at: (n, 2), places from the picture's middle, in its longer side.
    """

    cuts: NDArray[np.uint8]
    at: NDArray[np.float64]
    name: str
    held: bool


def _project(camera: dict[str, Any], point: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pixel of a point in cm, by the renders' own camera model (their README)."""
    x, y, z = np.array(camera["R"]) @ point + np.array(camera["t"]).ravel()
    radial = 1.0 + camera["dist"][0] * ((x / z) ** 2 + (y / z) ** 2)
    k = camera["K"]
    return np.array([k[0][0] * x / z * radial + k[0][2], k[1][1] * y / z * radial + k[1][2]])


def foot_of(camera: dict[str, Any], die: dict[str, Any]) -> NDArray[np.float64]:
    """(2,) where the picture goes from the middle of the top face down the die, in edges of that face."""
    turned = np.array(die["R"])
    up = max((turned[:, k] * sign for k in range(3) for sign in (1, -1)), key=lambda axis: axis[2])
    edge_cm = die["edge_mm"] / 10
    top = np.array(die["pos_cm"]) + up * edge_cm / 2
    step = 0.05 * edge_cm
    down: NDArray[np.float64] = (_project(camera, top - up * step) - _project(camera, top)) / 0.05
    return down / die["edge_px"]


def _called(visible: float, *, leans: bool, stacked: bool) -> Posture | None:
    """What a die is to be called; None where a person would hesitate."""
    if visible < SEEN_HALF:
        return Posture.HIDDEN if visible > SEEN_LITTLE else None
    if leans:
        return Posture.LEANING
    if visible < SEEN_WHOLE:
        return None
    return Posture.STACKED if stacked else Posture.FLAT


def renders(folder: Path) -> Iterator[Sample]:
    """Every die of the renders that is seen, and a few places without one."""
    rng = np.random.default_rng(1)
    for labels in sorted(folder.glob("*/labels.jsonl")):
        stations = {}
        for line in (labels.parent / "stations.jsonl").read_text(encoding="utf-8").splitlines():
            label = json.loads(line)
            stations[label.get("station", label.get("name", label.get("id")))] = label
        for line in labels.read_text(encoding="utf-8").splitlines():
            picture = json.loads(line)
            # settled frames are all alike
            if not picture.get("dice") or picture.get("state") == "moving" or picture.get("frame", 0) % 4:
                continue
            image = np.asarray(cv2.imread(str(labels.parent / picture["file"])), np.uint8)
            held = held_out(f"{labels.parent.name}/{picture['file']}")
            camera = stations[picture["station"]]["cam"]
            dice = [die for die in picture["dice"] if die.get("in_frame") and "top_center" in die]
            for die in dice:
                called = _called(
                    die["top_visible"], leans=die["tilt_deg"] > LEANS_DEG, stacked=die["stacked"]
                )
                foot = foot_of(camera, die) if die["top_visible"] > SEEN_WHOLE else None
                cut = _cut(image, die["top_center"], die["edge_px"])
                if called is not None or foot is not None:
                    yield Sample(cut, foot, called, float(die["tilt_deg"]), held)
            edge = picture["px_per_cm"] * 1.6
            for place in _elsewhere(rng, image, [die["top_center"] for die in dice], edge, 2):
                yield Sample(_cut(image, place, edge), None, Posture.NOT, 0.0, held)


def drawn(scenes: Iterable[Scene], *, held: bool) -> Iterator[Sample]:
    """Every die of drawn scenes, some of their sides, the things, and places without any."""
    rng = np.random.default_rng(2)
    for scene in scenes:
        for die in scene.dice:
            yield from _drawn(scene, die, rng, held=held)
        for x, y, size in scene.things:
            place = np.array([x, y]) + rng.normal(0, 0.2 * size, 2)
            cut = _cut(scene.image, place, size * float(rng.uniform(0.4, 1.0)))
            yield Sample(cut, None, Posture.NOT, 0.0, held)
        edge = float(np.median([die.top.edge_px for die in scene.dice])) if scene.dice else 30.0
        for place in _elsewhere(rng, scene.image, [die.top.center for die in scene.dice], edge, 1):
            yield Sample(_cut(scene.image, place, edge), None, Posture.NOT, 0.0, held)


def _drawn(scene: Scene, die: DieTruth, rng: np.random.Generator, *, held: bool) -> Iterator[Sample]:
    edge, leans = die.top.edge_px, die.tilt_deg > LEANS_DEG
    x, y = die.top.center
    height, width = scene.image.shape[:2]
    inside = min(x, width - x, y, height - y) > 0.4 * edge
    if edge < 10 or not inside:
        return
    called = _called(die.visible, leans=leans, stacked=die.thrown is State.STACKED)
    foot = np.array(die.top.foot) if die.visible > SEEN_WHOLE else None
    if called is not None or foot is not None:
        yield Sample(_cut(scene.image, die.top.center, edge), foot, called, die.tilt_deg, held)
    for side in die.sides:
        if side.angle_deg < SIDE_DEG and die.visible > SEEN_WHOLE and rng.random() < 0.4:
            cut = _cut(scene.image, side.center, side.edge_px)
            yield Sample(cut, np.array(side.foot), None, die.tilt_deg, held)


def trays(seeds: int) -> Iterator[Sample]:
    """Every die of simulated trays on which they lie by the rim; the last of the seeds is held out."""
    for seed in range(seeds):
        yield from drawn(rim_lessons(seed, TRAYS), held=seed == seeds - 1)


def cases() -> Iterator[Sample]:
    """Every die of the simulated camera's hard cases; none is held out."""
    return drawn(case_lessons(), held=False)


def photographs(folder: Path) -> Iterator[Flock]:
    """Dice of the photographs that may be learnt from, three and more in one, where the reader sees them."""
    with (folder / "manifest.csv").open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            faces = tuple(sorted(int(face) for face in row["faces"].split("-") if face))
            if row["licence"] not in MAY_TRAIN or len(faces) < FLOCK_MIN:
                continue
            flock = flock_of(load(folder / row["file"]), faces, row["file"], held=held_out(row["file"]))
            if flock is not None:
                yield flock


def flock_of(image_bgr: NDArray[np.uint8], faces: tuple[int, ...], name: str, *, held: bool) -> Flock | None:
    """The dice of a picture whose faces are known, as the reader sees them; None when it sees too few."""
    reading = Reader(len(faces)).read(image_bgr)
    right = reading.status is Status.READY and reading.faces == faces
    dice = [die for die in reading.dice if right or die.confidence > SURE]
    if len(dice) < FLOCK_MIN:
        return None
    size = np.array(image_bgr.shape[1::-1])
    at = (np.array([die.center for die in dice]) - size / 2) / size.max()
    return Flock(np.stack([_cut(image_bgr, die.center, die.size) for die in dice]), at, name, held)


def _cut(image: NDArray[np.uint8], place: Any, edge: float) -> NDArray[np.uint8]:
    return crop_square(image, (float(place[0]), float(place[1])), edge * CUT_EDGES, CUT_PX)


def _elsewhere(
    rng: np.random.Generator, image: NDArray[np.uint8], dice: list[Any], edge: float, count: int
) -> Iterator[tuple[float, float]]:
    for _ in range(count):
        x, y = float(rng.uniform(0, image.shape[1])), float(rng.uniform(0, image.shape[0]))
        if all(np.hypot(x - a, y - b) > 1.3 * edge for a, b in dice):
            yield x, y


def scenes(folder: Path, count: int, wish: Wish = WISH) -> Iterator[tuple[Scene, bool]]:
    """The scenes of `count` shards, drawn where missing, and whether held out (the last shard is)."""
    for shard in range(count):
        path = folder / f"{'lean' if wish.tilt_deg is None else 'beside'}_{shard:02d}.npz"
        if not path.exists():
            shelf.save(shelf.draw_shard(SEED, shard, SCENES, wish), path)
        for scene in shelf.load(path):
            yield scene, shard == count - 1
