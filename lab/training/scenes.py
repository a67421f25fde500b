"""Drawn scenes: dice in a simulated tray, flat, leaning, stacked or half hidden, with the exact truth."""

import math
import random
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from simulator import scene as simulated
from simulator.arrange import cocked, fits, near, random_styles
from simulator.draw import draw
from simulator.geometry import AXIS_OF_FACE, CameraView, face_corners, face_up
from simulator.readable import SceneSetup, stage, thing_beside
from simulator.refused import hand_by
from simulator.scene import DieStyle, SceneDie, lying
from simulator.things import kinds

CLEAR_LEAN_DEG = 38.0  # a leaning die whose top is seen less steeply looks, in one patch, like a flat one
AWAY_DEG = 88.0  # a side seen more steeply is not seen
LEANS_DEG = 1.0  # from flat
STEP = 0.05  # how far into a die, in edges, its foot's direction is measured
LEAST_CONTRAST = 7.0  # grey levels between a pip and its surroundings, below which nobody could read it
TILTS_DEG = (6.0, 14.0, 36.0)  # most tilt of a camera above the tray, by turns
TRIES = 60  # places tried for each die


class State(StrEnum):
    """How a die lies."""

    FLAT = "flat"
    COCKED = "cocked"
    STACKED = "stacked"
    COVERED = "covered"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Face:
    """A side of a die in the picture: corners (4, 2) in pixels and how steeply it is seen.

    foot: where the picture goes from its middle straight into the die, in edges of this side.
    """

    corners: NDArray[np.float64]
    angle_deg: float
    foot: tuple[float, float] = (0.0, 0.0)

    @property
    def center(self) -> NDArray[np.float64]:
        """Where the diagonals meet, x, y in pixels."""
        a, b, c, d = self.corners
        one, other = c - a, d - b
        cross = one[0] * other[1] - one[1] * other[0]
        share = ((b - a)[0] * other[1] - (b - a)[1] * other[0]) / cross if abs(cross) > 1e-6 else 0.5
        return np.asarray(a + share * one)

    @property
    def edge_px(self) -> float:
        """Mean length of the edges in pixels."""
        return float(np.linalg.norm(self.corners - np.roll(self.corners, 1, 0), axis=1).mean())


@dataclass(frozen=True, slots=True)
class DieTruth:
    """One die of a scene: the face that looks up (1-6), how it lies, its top, its other sides in sight.

    thrown: how it was laid down, whatever of that can be seen. tilt_deg: of its top against the floor.
    visible: the share of its top that is seen, 0-1.
    """

    value: int
    state: State
    top: Face
    sides: tuple[Face, ...]
    thrown: State = State.FLAT
    tilt_deg: float = 0.0
    visible: float = 1.0


@dataclass(frozen=True, slots=True)
class Scene:
    """image: (h, w, 3) uint8 BGR. things: x, y and size in pixels of what is not a die."""

    image: NDArray[np.uint8]
    dice: tuple[DieTruth, ...]
    things: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, slots=True)
class Wish:
    """What a scene should hold. size_wh and edge_px are of the finished picture.

    tilt_deg: of the camera against straight down, where it is to stand at the table's edge.
    """

    size_wh: tuple[int, int] = (320, 240)
    edge_px: tuple[float, float] = (14.0, 60.0)
    dice: tuple[int, int] = (1, 7)
    cocked: float = 0.1
    lean_deg: tuple[float, float] = (15.0, 45.0)
    stacked: float = 0.06
    hand: float = 0.12
    clutter: float = 0.5
    tilt_deg: tuple[float, float] | None = None


def seen_side(view: CameraView, die: SceneDie, face: int) -> Face:
    """A side of a die as the camera sees it, or would if it were turned to it."""
    axis, sign = AXIS_OF_FACE[face]
    normal = die.rotation[:, axis] * sign
    corners = face_corners(face, die.edge_mm / 2) @ die.rotation.T + np.array(die.position_mm)
    middle = corners.mean(0)
    back = view.eye - middle
    angle = math.degrees(math.acos(np.clip(normal @ back / np.linalg.norm(back), -1, 1)))
    shown = view.project(corners)
    outer, inner = view.project([middle, middle - STEP * die.edge_mm * normal])
    x, y = (inner - outer) / (STEP * np.linalg.norm(shown - np.roll(shown, 1, 0), axis=1).mean())
    return Face(shown, angle, (float(x), float(y)))


def die_truth(view: CameraView, die: SceneDie, visible: float, contrast: float = 255.0) -> DieTruth:
    """The truth of a die. visible: share of its top that is seen; contrast: of its faintest pip, 0-255."""
    top = seen_side(view, die, die.face)
    around = (seen_side(view, die, face) for face in AXIS_OF_FACE if face != die.face)
    sides = tuple(side for side in around if side.angle_deg < AWAY_DEG)
    flat = State.STACKED if die.stacked else State.FLAT
    thrown = State.COCKED if die.tilt_deg > LEANS_DEG else flat
    state = thrown
    if thrown is State.COCKED:
        clear = top.angle_deg > CLEAR_LEAN_DEG and visible > 0.2
        state = State.COCKED if clear else State.UNCLEAR
    elif visible < 0.7:
        state = State.COVERED if visible > 0.1 else State.UNCLEAR
    elif visible < 0.85 or contrast < LEAST_CONTRAST:
        state = State.UNCLEAR
    return DieTruth(die.face, state, top, sides, thrown, die.tilt_deg, visible)


def photographed(scene: simulated.Scene) -> Scene:
    """A simulated scene as a picture with all truth about it."""
    picture = draw(scene)
    dice = []
    for die in scene.dice:
        corners = seen_side(scene.view, die, die.face).corners
        nearest = min(picture.dice, key=lambda one: float(np.abs(one.top - corners).max()))
        dice.append(die_truth(scene.view, die, nearest.visible, nearest.contrast))
    things = []
    for thing in scene.things:
        place = (*thing.at_mm, 0.0)
        (x, y), size = scene.view.project(place)[0], thing.size_mm * scene.view.px_per_mm(place)
        things.append((float(x), float(y), size))
    return Scene(picture.image, tuple(dice), tuple(things))


def _die(rng: random.Random, on: SceneSetup, wish: Wish, style: DieStyle, flat: list[SceneDie]) -> SceneDie:
    """A die somewhere on the stage, perhaps leaning, or on one of those that lie flat."""
    x, y = (rng.uniform(-1, 1) * half for half in on.tray.half_mm)
    yaw, edge = rng.uniform(0, 2 * math.pi), on.edge_mm
    if flat and rng.random() < wish.stacked:
        below = rng.choice(flat).position_mm
        spot = (below[0] + rng.uniform(-0.4, 0.4) * edge, below[1] + rng.uniform(-0.4, 0.4) * edge)
        return SceneDie(style, edge, (*spot, 1.5 * edge), face_up(rng.randint(1, 6), yaw), stacked=True)
    if rng.random() < wish.cocked:
        return cocked(rng, style, edge, (x, y), yaw, wish.lean_deg)
    return lying(style, rng.randint(1, 6), (x, y), yaw, edge)


def _laid(rng: random.Random, wish: Wish) -> simulated.Scene | None:
    edge_px = math.exp(rng.uniform(*map(math.log, wish.edge_px)))
    tilt_deg = wish.tilt_deg or (0.0, rng.choice(TILTS_DEG))
    on = stage(rng, size_wh=wish.size_wh, die_px=(edge_px, edge_px), tilt_deg=tilt_deg)
    things, taken = [], []
    if rng.random() < wish.clutter:
        for _ in range(rng.randint(1, 3)):
            thing, room = thing_beside(rng, on, rng.choice(kinds()))
            things.append(thing)
            taken += room
    dice: list[SceneDie] = []
    for style in random_styles(rng, rng.randint(*wish.dice), mixed=rng.random() < 0.6):
        gap = rng.choice((0.0, 0.1, 0.4)) * on.edge_mm
        flat = [die for die in dice if not die.stacked and die.tilt_deg < LEANS_DEG]
        for die in (_die(rng, on, wish, style, flat) for _ in range(TRIES)):
            beside = [] if die.stacked else [*dice, *taken]
            if fits(on.view, on.tray, die) and not any(near(die, other, gap) for other in beside):
                dice.append(die)
                break
    hand = hand_by(rng, rng.choice(dice)) if dice and rng.random() < wish.hand else None
    return on.scene(rng, tuple(dice) or None, things=tuple(things), hand=hand)


def draw_scene(rng: np.random.Generator, wish: Wish = Wish()) -> Scene:
    """One scene with all truth about it."""
    chance = random.Random(int(rng.integers(2**62)))  # noqa: S311 - pictures, no secrets
    while True:
        scene = _laid(chance, wish)
        if scene is not None:
            return photographed(scene)


def plain(wish: Wish) -> Wish:
    """The same scene without anything hard in it."""
    return replace(wish, cocked=0.0, stacked=0.0, hand=0.0, clutter=0.0)
