"""Trays of the simulated camera on which many dice lean, as further lessons for the leaning network.

Another hand than `scenes.py`: other bodies, floors, lamps and lenses, so that the network learns the lean and
not the drawing. `lessons` lays the dice anywhere; `rim_lessons` by the rim, in the shadow of its wall, in the
corners and in rows, as the station's own tray shows them; `case_lessons` are the simulator's hard cases.
"""

import dataclasses
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from messages.errors import BadInputError
from simulator.arrange import FLOORS, cocked, fits, near, random_light, random_styles
from simulator.cases import CASES, TRIES, example
from simulator.draw import draw
from simulator.geometry import AXIS_OF_FACE, CameraView, about, face_corners, face_up, resting_height
from simulator.readable import stage
from simulator.recordings import VirtualClock
from simulator.scene import DieStyle, Material, Scene, SceneDie, SceneTray, lying
from simulator.simulated_tray import SimulatedTray
from simulator.styles import STYLES
from simulator.truth import DieTruth, die_truth

STEP = 0.05
DICE = (6, 9)
LEAN_SHARE = 0.35
LAYINGS = 10
"""How many times dice are laid into one tray by the rim: painting the empty tray takes longest."""
LEAN_DEG = (7.0, 32.0)
CASES_FIRST, CASES_SEEDS = 810000, 4
LEANING_CASES = ((780000, 34), (790000, 28))
LITTLE_DEG = 21.0
"""Which hard cases are lessons; of the leaning ones in more seeds those that lean by no more than this."""
BY_RIM, IN_ROW = 0.65, 0.3
"""How many dice are pushed against the rim, and how often one stands beside the die before it."""


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
    return _drawn(scene) if scene is not None and dice else None


def _drawn(scene: Scene) -> Lesson:
    picture = draw(scene)
    told = []
    for die in scene.dice:
        corners = face_corners(die.face, die.edge_mm / 2) @ die.rotation.T + np.array(die.position_mm)
        top = scene.view.project(corners)
        truth = min(picture.dice, key=lambda one: float(np.abs(one.top - top).max()))
        told.append((truth, foot_of(scene.view, die, truth.size)))
    return Lesson(picture.image, tuple(told))


def case_lessons() -> Iterator[Lesson]:
    """One lesson of each hard case and seed in which dice lie, and more of those that lean little."""
    for seed in range(CASES_FIRST, CASES_FIRST + CASES_SEEDS):
        for name in CASES:
            if name != "12 megapixels":
                try:
                    scene = example(name, seed).scene
                except BadInputError:  # chance found none
                    continue
                if scene.dice:
                    yield _drawn(scene)
    for first, seeds in LEANING_CASES:
        for seed in range(first, first + seeds):
            for name in (name for name in CASES if name.startswith("cocked")):
                rng = random.Random(f"{name}/{seed}")  # noqa: S311 - pictures, no secrets
                made = (CASES[name].make(rng) for _ in range(TRIES))
                scenes = (scene for scene in made if scene is not None)
                little = (one for one in scenes if max(die.tilt_deg for die in one.dice) <= LITTLE_DEG)
                found = next(little, None)
                if found is not None:
                    yield _drawn(found)


def rim_lessons(seed: int, count: int) -> Iterator[Lesson]:
    """`count` layings of dice by the rim, flat and leaning; the same for the same seed."""
    rng = random.Random(f"leaning by the rim/{seed}")  # noqa: S311 - pictures, no secrets
    while count > 0:
        scene, edge_mm = _walled(rng)
        clock = VirtualClock()
        with SimulatedTray(rng, scene=scene, clock=clock, sleep=clock.sleep) as tray:
            for _ in range(min(LAYINGS, count)):
                dice = _by_the_rim(rng, scene, edge_mm)
                tray.place(dice)
                frame = tray.read(timeout_s=60)
                if frame is not None and dice:
                    count -= 1
                    yield Lesson(frame.image, _told(scene.view, dice))


def _walled(rng: random.Random) -> tuple[Scene, float]:
    """A tray with a wall, and how long the edges of its dice are, mm: the station's own, or any."""
    if rng.random() < 0.5:
        scene, material = Scene(seed=rng.randrange(2**31)), rng.choice(tuple(Material))
        if rng.random() < 0.5:
            floor = rng.choice(FLOORS[material])
            scene = dataclasses.replace(
                scene, tray=dataclasses.replace(scene.tray, material=material, floor=floor)
            )
        if rng.random() < 0.5:
            scene = dataclasses.replace(scene, light=random_light(rng, scene.view, scene.tray))
        return scene, 16.0
    while True:
        size = rng.choice(((640, 480), (960, 540), (1280, 720)))
        on = stage(rng, size_wh=size, die_px=(26, 64), tilt_deg=(0.0, rng.choice((6.0, 14.0, 30.0))))
        if on.tray.rim_mm[1] > 0:
            scene = on.scene(rng, ())
            if scene is not None:
                return scene, on.edge_mm


def _by_the_rim(rng: random.Random, scene: Scene, edge_mm: float) -> tuple[SceneDie, ...]:
    white = rng.random() < 0.4
    styles = [STYLES["white"]] * 6 if white else random_styles(rng, 6, mixed=rng.random() < 0.6)
    styles = (styles * 2)[: rng.randint(*DICE)]
    dice: list[SceneDie] = []
    for style in styles:
        for _ in range(30):
            die = _laid(rng, scene.tray, style, edge_mm, dice)
            if fits(scene.view, scene.tray, die) and not any(near(die, other, 0.0) for other in dice):
                dice.append(die)
                break
    return tuple(dice)


def _laid(
    rng: random.Random, tray: SceneTray, style: DieStyle, edge_mm: float, dice: list[SceneDie]
) -> SceneDie:
    """A die somewhere: beside the last one, against the rim, or anywhere."""
    x_mm, y_mm = (half - edge_mm * 0.5 for half in tray.half_mm)
    at = (rng.uniform(-x_mm, x_mm), rng.uniform(-y_mm, y_mm))
    towards = rng.uniform(0, 2 * math.pi)
    if dice and rng.random() < IN_ROW:
        row, gap = rng.randrange(4) * math.pi / 2, edge_mm * (1 + rng.uniform(0.0, 0.12))
        towards = math.atan2(*dice[-1].rotation[:2, 0][::-1]) if abs(dice[-1].rotation[2, 0]) < 0.5 else 0.0
        x, y = dice[-1].position_mm[:2]
        at = (x + gap * math.cos(towards + row), y + gap * math.sin(towards + row))
    elif rng.random() < BY_RIM:
        side, inset = rng.choice((-1, 1)), edge_mm * rng.choice((0.0, 0.0, 0.05, 0.3, 0.6))
        if rng.random() < 0.4:  # square to the wall
            towards = rng.randrange(4) * math.pi / 2
        reach = edge_mm * (abs(math.cos(towards)) + abs(math.sin(towards)) - 1) / 2 + inset + 0.4
        if rng.random() < x_mm / (x_mm + y_mm):
            at = (at[0], side * (y_mm - reach))
        else:
            at = (side * (x_mm - reach), at[1])
    if rng.random() > LEAN_SHARE:
        return lying(style, rng.randint(1, 6), at, towards, edge_mm)
    lean = math.radians(rng.uniform(*LEAN_DEG))
    flat = face_up(rng.randint(1, 6), towards + rng.randrange(4) * math.pi / 2)
    rotation = about((math.sin(towards), -math.cos(towards), 0.0), lean) @ flat
    return SceneDie(style, edge_mm, (*at, resting_height(rotation, edge_mm)), rotation)


def _told(view: CameraView, dice: tuple[SceneDie, ...]) -> tuple[tuple[DieTruth, NDArray[np.float64]], ...]:
    """The truth of each die and its foot; of each top face is seen what no nearer die is drawn over."""
    eye = np.asarray(view.eye)
    nearest_first = sorted(dice, key=lambda die: float(np.linalg.norm(np.array(die.position_mm) - eye)))
    taken = np.zeros(view.size_wh[::-1], np.uint8)
    told = []
    for die in nearest_first:
        whole = die_truth(view, die)
        top = np.zeros_like(taken)
        cv2.fillConvexPoly(top, np.round(whole.top).astype(np.int32), 1)
        visible = 1 - float(taken[top > 0].mean()) if top.any() else 0.0
        truth = dataclasses.replace(whole, visible=visible)
        told.append((truth, foot_of(view, die, truth.size)))
        cv2.fillConvexPoly(taken, np.round(whole.hull).astype(np.int32), 1)
    return tuple(told)
