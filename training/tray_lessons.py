"""Trays of the simulated camera on which many dice lean, as further lessons for the leaning network.

Another hand than `scenes.py`: other bodies, floors, lamps and lenses, so that the network learns the lean and
not the drawing.
"""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulator.arrange import cocked, fits, near, random_styles
from simulator.draw import draw
from simulator.geometry import AXIS_OF_FACE, CameraView, face_corners
from simulator.readable import stage
from simulator.scene import SceneDie, lying
from simulator.truth import DieTruth

STEP = 0.05
DICE = (6, 9)
LEAN_SHARE = 0.35


@dataclass(frozen=True, slots=True)
class Lesson:
    """A drawn tray: image (h, w, 3) uint8 BGR, and for each die its truth and foot (2,) in edges."""

    image: NDArray[np.uint8]
    dice: tuple[tuple[DieTruth, NDArray[np.float64]], ...]


def foot_of(view: CameraView, die: SceneDie, edge_px: float) -> NDArray[np.float64]:
    """(2,) where the picture goes from the middle of the upper face down the die, in edges of that face."""
    axis, sign = AXIS_OF_FACE[die.face]
    up = np.zeros(3)
    up[axis] = sign
    normal = die.rotation @ up
    middle = np.asarray(die.position_mm) + normal * die.edge_mm / 2
    outer, inner = view.project([middle, middle - normal * STEP * die.edge_mm])
    foot: NDArray[np.float64] = (inner - outer) / (STEP * edge_px)
    return foot


def lessons(seed: int, count: int) -> Iterator[Lesson]:
    """`count` trays; the same for the same seed."""
    rng = random.Random(f"leaning/{seed}")  # noqa: S311 - pictures, no secrets
    while count > 0:
        made = _lesson(rng)
        if made is not None:
            count -= 1
            yield made


def _lesson(rng: random.Random) -> Lesson | None:
    size = rng.choice(((640, 480), (960, 540), (800, 600)))
    on = stage(rng, size_wh=size, die_px=(28, 64), tilt_deg=(0.0, rng.choice((6.0, 14.0, 30.0))))
    styles = random_styles(rng, rng.randint(*DICE), mixed=rng.random() < 0.6)
    dice: list[SceneDie] = []
    for style in styles:
        for _ in range(60):
            at = (rng.uniform(-1, 1) * on.tray.half_mm[0], rng.uniform(-1, 1) * on.tray.half_mm[1])
            towards = rng.uniform(0, 2 * math.pi)
            leans = rng.random() < LEAN_SHARE
            die = (
                cocked(rng, style, on.edge_mm, at, towards)
                if leans
                else lying(style, rng.randint(1, 6), at, towards, on.edge_mm)
            )
            gap = rng.choice((0.0, 0.1, 0.4)) * on.edge_mm
            if fits(on.view, on.tray, die) and not any(near(die, other, gap) for other in dice):
                dice.append(die)
                break
    scene = on.scene(rng, tuple(dice))
    if scene is None or not dice:
        return None
    picture = draw(scene)
    told = []
    for die in dice:
        corners = face_corners(die.face, die.edge_mm / 2) @ die.rotation.T + np.array(die.position_mm)
        top = on.view.project(corners)
        truth = min(picture.dice, key=lambda one: float(np.abs(one.top - top).max()))
        told.append((truth, foot_of(on.view, die, truth.size)))
    return Lesson(picture.image, tuple(told))
