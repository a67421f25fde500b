"""Drawn scenes from the table's edge as the reader turns them: as they would look from above.

The reader does not know exactly where a camera stands, so neither does the turn here: it is what the feet of
flat dice tell, and then a little wrong.
"""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lab.training.scenes import DieTruth, Face, Scene, State
from vision import pips
from vision.judgement.leaning import Stand
from vision.judgement.oblique import ViewFromAbove, view_from_above

SLOPE, SLOPE_KEPT = 0.7, 0.02
"""Length of the longer side over the focal length: what is expected of it, and how firmly."""
START_OFF, ASIDE, SLOPE_OFF = 0.1, 0.06, 0.25
"""How wrong a turn is: share of the feet's length, edges aside of them, share of the slope."""
LEAST_PX = 9.0
"""A top that is squeezed to fewer pixels than this in the picture as it came cannot be read by anybody."""
LEANS_DEG = 25.0
"""A die that leans by less is no lesson: it looks much like a flat one."""


def from_above(rng: np.random.Generator, scene: Scene) -> tuple[Scene, ViewFromAbove] | None:
    """The scene turned under its table, its truth with it; None where no die tells from where it is seen.

    How steeply a side is seen is told by its shape in that view: 0 degrees is a square.
    """
    flat = [die.top for die in scene.dice if die.thrown is State.FLAT]
    if not flat:
        return None
    start, slope = _rule(flat, scene.image.shape[1::-1])
    start = start * np.exp(rng.normal(0, START_OFF)) + (rng.normal(0, ASIDE), 0.0)
    stand = Stand(np.zeros(0), start, slope * float(np.exp(rng.normal(0, SLOPE_OFF))))
    view = view_from_above(pips.pyramid(scene.image), stand, None)
    dice = tuple(_die(view, die) for die in scene.dice)
    return Scene(view.levels[0], dice, tuple(_thing(view, thing) for thing in scene.things)), view


def _rule(flat: list[Face], size_wh: tuple[int, ...]) -> tuple[NDArray[np.float64], float]:
    """Start and slope of the feet of flat tops: foot = start - slope * place (`vision.judgement.leaning`)."""
    rows, feet = [np.array([[0, 0, SLOPE_KEPT]])], [np.array([SLOPE * SLOPE_KEPT])]
    for top in flat:
        x, y = (top.center - np.array(size_wh) / 2) / max(size_wh)
        rows.append(np.array([[1, 0, -x], [0, 1, -y]]))
        feet.append(np.array(top.foot))
    rule = np.linalg.lstsq(np.concatenate(rows), np.concatenate(feet), rcond=None)[0]
    return rule[:2], float(rule[2])


def _squeezed(corners: NDArray[np.float64]) -> tuple[float, float]:
    """Lengths in px of the longest and the shortest way across a side."""
    across = np.stack([corners[1] - corners[0], corners[3] - corners[0]], 1)
    longest, shortest = np.linalg.svd(across, compute_uv=False)
    return float(longest), float(shortest)


def _face(view: ViewFromAbove, face: Face) -> Face:
    corners = view.in_view(face.corners)
    longest, shortest = _squeezed(corners)
    return Face(corners, math.degrees(math.acos(min(1.0, shortest / longest))))


def _die(view: ViewFromAbove, die: DieTruth) -> DieTruth:
    no_lesson = die.state is State.COCKED and die.tilt_deg < LEANS_DEG
    no_lesson |= die.state is State.FLAT and _squeezed(die.top.corners)[1] < LEAST_PX
    state = State.UNCLEAR if no_lesson else die.state
    sides = tuple(_face(view, side) for side in die.sides)
    return replace(die, state=state, top=_face(view, die.top), sides=sides)


def _thing(view: ViewFromAbove, thing: tuple[float, float, float]) -> tuple[float, float, float]:
    x, y, size = thing
    middle, right, below = view.in_view(np.array([(x, y), (x + size / 2, y), (x, y + size / 2)]))
    across = np.hypot(*(right - middle)) + np.hypot(*(below - middle))
    return float(middle[0]), float(middle[1]), float(across)
