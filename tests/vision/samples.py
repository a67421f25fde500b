"""Drawn pictures with all that is known of their station: its profile and its empty tray."""

import dataclasses
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.profile import CalibrationProfile, KnownDice
from simulator import readable
from simulator.arrange import random_styles
from simulator.draw import draw
from simulator.scene import Material, Scene, SceneDie

Image = NDArray[np.uint8]
FIRST_SEED = 90_000


@dataclass(frozen=True, slots=True)
class Sample:
    """A picture and what is known of its station. faces: None where no reading may be ready."""

    image: Image
    empty: Image
    profile: CalibrationProfile
    expected_dice: int
    faces: tuple[int, ...] | None


def drawn_profile(scene: Scene) -> CalibrationProfile:
    """What calibration would find, from the truth."""
    view, (x, y) = scene.view, scene.tray.half_mm
    corners = view.project([(-x, y, 0.0), (x, y, 0.0), (x, -y, 0.0), (-x, -y, 0.0)])
    edges = tuple(die.edge_mm for die in scene.dice)
    usual = float(np.median(edges)) if edges else None
    top = usual or 16.0
    spots = view.project([(0, 0, top), (1, 0, top), (0, 1, top)])
    scale = 1 / float(np.sqrt(abs(np.linalg.det(spots[1:] - spots[0]))))
    # y runs down on the floor of a profile, and up in the world
    to_px = (
        view.matrix @ np.column_stack([view.rotation @ np.diag([1, -1, 0]), view.translation])[:, [0, 1, 3]]
    )
    to_mm = np.linalg.inv(to_px)
    return CalibrationProfile(
        to_mm=tuple((to_mm / to_mm[2, 2]).ravel().tolist()),
        outline=tuple((float(a), float(b)) for a, b in corners),
        mm_per_px=scale,
        die_mm=usual,
        dice=KnownDice(edges) if edges else None,
        size_wh=view.size_wh,
    )


def drawn_sample(scene: Scene, expected_dice: int, faces: tuple[int, ...] | None, image: Image) -> Sample:
    """The scene and its tray without dice, hand, and what is wrong with a moment's picture."""
    # Learnt from several pictures, so with little noise; and the light is never quite what it was.
    sensor = dataclasses.replace(scene.sensor, shake_px=(0.0, 0.0), noise=0.2 * scene.sensor.noise, jpeg=None)
    bare = dataclasses.replace(scene, dice=(), hand=None, sensor=sensor)
    light = random.Random(scene.seed).uniform(0.88, 1.12)
    empty = np.clip(draw(bare).image * light, 0, 255).astype(np.uint8)
    return Sample(image, empty, drawn_profile(scene), expected_dice, faces)


def of_maker(make: Callable[[random.Random], Scene | None], count: int) -> Iterator[Sample]:
    """Pictures of readable scenes."""
    rng = random.Random(FIRST_SEED)
    made = 0
    while made < count:
        scene = make(rng)
        if scene is None:
            continue
        picture = draw(scene)
        inside = [die for die in scene.dice if _inside(scene, die)]
        if not all(die.legible for die in picture.dice):
            continue
        made += 1
        yield drawn_sample(scene, len(inside), tuple(sorted(die.face for die in inside)), picture.image)


def _inside(scene: Scene, die: SceneDie) -> bool:
    x, y, _ = die.position_mm
    return abs(x) < scene.tray.half_mm[0] and abs(y) < scene.tray.half_mm[1]


def dotted(rng: random.Random) -> Scene | None:
    """A felt printed with dots of the size of pips: the worst there is."""
    on = readable.stage(rng, material=Material.CLOTH)
    tray = dataclasses.replace(on.tray, floor=rng.choice(((38, 94, 62), (30, 60, 110), (120, 30, 40))))
    on = dataclasses.replace(on, tray=tray)
    return on.scene(rng, readable.spread(rng, on, random_styles(rng, 5, mixed=rng.random() < 0.3)))
