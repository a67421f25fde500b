"""Trays of the simulated camera on which dice are hard to tell, as lessons for the leaning network.

`rim_lessons` lays dice by the rim, in the shadow of its wall, in the corners and in rows, as the station's
own tray shows them; `case_lessons` are the simulator's hard cases.
"""

import dataclasses
import math
import random
from collections.abc import Iterator

import cv2
import numpy as np

from lab.training.scenes import DieTruth, Scene, die_truth, photographed, seen_side
from messages.errors import BadInputError
from simulator import scene as simulated
from simulator.arrange import FLOORS, cocked, fits, near, random_light, random_styles
from simulator.cases import CASES, TRIES, example
from simulator.die_drawing import outline
from simulator.geometry import CameraView
from simulator.readable import stage
from simulator.recordings import VirtualClock
from simulator.scene import DieStyle, Material, SceneDie, SceneTray, lying
from simulator.simulated_tray import SimulatedTray
from simulator.styles import STYLES

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


def case_lessons() -> Iterator[Scene]:
    """One lesson of each hard case and seed in which dice lie, and more of those that lean little."""
    for seed in range(CASES_FIRST, CASES_FIRST + CASES_SEEDS):
        for name in CASES:
            if name != "12 megapixels":
                try:
                    scene = example(name, seed).scene
                except BadInputError:  # chance found none
                    continue
                if scene.dice:
                    yield photographed(scene)
    for first, seeds in LEANING_CASES:
        for seed in range(first, first + seeds):
            for name in (name for name in CASES if name.startswith("cocked")):
                rng = random.Random(f"{name}/{seed}")  # noqa: S311 - pictures, no secrets
                made = (CASES[name].make(rng) for _ in range(TRIES))
                scenes = (scene for scene in made if scene is not None)
                little = (one for one in scenes if max(die.tilt_deg for die in one.dice) <= LITTLE_DEG)
                found = next(little, None)
                if found is not None:
                    yield photographed(found)


def rim_lessons(seed: int, count: int) -> Iterator[Scene]:
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
                    yield Scene(frame.image, _truths(scene.view, dice), ())


def _walled(rng: random.Random) -> tuple[simulated.Scene, float]:
    """A tray with a wall, and how long the edges of its dice are, mm: the station's own, or any."""
    if rng.random() < 0.5:
        scene, material = simulated.Scene(seed=rng.randrange(2**31)), rng.choice(tuple(Material))
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


def _by_the_rim(rng: random.Random, scene: simulated.Scene, edge_mm: float) -> tuple[SceneDie, ...]:
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
    return cocked(rng, style, edge_mm, at, towards, LEAN_DEG)


def _truths(view: CameraView, dice: tuple[SceneDie, ...]) -> tuple[DieTruth, ...]:
    """The truth of each die; of each top face is seen what no nearer die is drawn over."""
    eye = np.asarray(view.eye)
    nearest_first = sorted(dice, key=lambda die: float(np.linalg.norm(np.array(die.position_mm) - eye)))
    taken = np.zeros(view.size_wh[::-1], np.uint8)
    truths = []
    for die in nearest_first:
        top = np.zeros_like(taken)
        corners = seen_side(view, die, die.face).corners
        cv2.fillConvexPoly(top, np.round(corners).astype(np.int32), 1)
        visible = 1 - float(taken[top > 0].mean()) if top.any() else 0.0
        truths.append(die_truth(view, die, visible))
        cv2.fillConvexPoly(taken, np.round(outline(view, die)).astype(np.int32), 1)
    return tuple(truths)
