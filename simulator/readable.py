"""Scenes that a good reader reads: every die lies flat and shows its whole top face."""

import dataclasses
import math
import random
from collections.abc import Callable
from functools import partial

from simulator.arrange import (
    fits,
    near,
    pushed_against,
    random_light,
    random_styles,
    random_tray,
    random_view,
    reach_mm,
    scatter,
)
from simulator.geometry import CameraView
from simulator.scene import (
    DieStyle,
    Material,
    Rgb,
    Scene,
    SceneDie,
    SceneLight,
    SceneSensor,
    SceneTray,
    Thing,
    lying,
)
from simulator.styles import STYLES
from simulator.things import kinds

Maker = Callable[[random.Random], Scene | None]
Styles = Callable[[random.Random], list[DieStyle]]
"""Chooses how dice look."""
THING_MM = {
    "coin": 23.0,
    "pencil": 150.0,
    "card": 58.0,
    "domino": 44.0,
    "score pad": 75.0,
    "button": 20.0,
    "number token": 24.0,
    "d20": 24.0,
}
STYLED_PX = (46.0, 90.0)


def random_sensor(rng: random.Random, size_wh: tuple[int, int] = (1280, 720)) -> SceneSensor:
    """An everyday camera: a little soft, a little noisy, sometimes compressed."""
    scale = max(0.7, size_wh[0] / 1280)
    return SceneSensor(
        exposure=rng.uniform(0.82, 1.15),
        blur_px=rng.uniform(0.5, 1.0) * scale,
        noise=rng.uniform(0.2, 1.1),
        vignette=rng.uniform(0.05, 0.35),
        jpeg=rng.choice((None, 75, 85, 92)),
    )


@dataclasses.dataclass(frozen=True, slots=True)
class SceneSetup:
    """Everything but the dice: camera, tray, light, sensor, and how large dice are."""

    view: CameraView
    tray: SceneTray
    light: SceneLight
    sensor: SceneSensor
    edge_mm: float

    def scene(self, rng: random.Random, dice: tuple[SceneDie, ...] | None, **more: object) -> Scene | None:
        """The scene with those dice; None when there are none."""
        if dice is None:
            return None
        return Scene(dice, self.view, self.tray, self.light, self.sensor, seed=rng.randrange(2**31), **more)  # type: ignore[arg-type]


def stage(
    rng: random.Random,
    *,
    size_wh: tuple[int, int] = (1280, 720),
    die_px: tuple[float, float] = STYLED_PX,
    material: Material | None = None,
    tilt_deg: tuple[float, float] = (0.0, 14.0),
) -> SceneSetup:
    """A random set-up."""
    edge = rng.uniform(12, 25)
    view = random_view(rng, size_wh=size_wh, die_px=rng.uniform(*die_px), edge_mm=edge, tilt_deg=tilt_deg)
    tray = random_tray(rng, reach_mm(view), material)
    return SceneSetup(view, tray, random_light(rng, view, tray), random_sensor(rng, size_wh), edge)


def spread(
    rng: random.Random,
    on: SceneSetup,
    styles: list[DieStyle],
    *,
    gap: float = 0.12,
    lying_there: tuple[SceneDie, ...] = (),
) -> tuple[SceneDie, ...] | None:
    """Dice lying apart on a stage, by that share of an edge; None if they do not fit."""
    gap_mm = on.edge_mm * gap
    return scatter(rng, on.view, on.tray, styles, edge_mm=on.edge_mm, gap_mm=gap_mm, lying_there=lying_there)


def five(rng: random.Random) -> list[DieStyle]:
    """The looks of five dice: of one set, and sometimes all different."""
    return random_styles(rng, 5, mixed=rng.random() < 0.3)


def few(least: int, most: int) -> Styles:
    """The same of so many dice as chance has it."""
    return lambda rng: random_styles(rng, rng.randint(least, most), mixed=rng.random() < 0.3)


def _of(*names: str) -> Styles:
    """Five dice of one of these looks."""
    return lambda rng: [STYLES[rng.choice(names)]] * 5


def apart(styles: Styles, set_up: Callable[[random.Random], SceneSetup] = stage) -> Maker:
    """Dice of these looks that lie apart."""

    def make(rng: random.Random) -> Scene | None:
        on = set_up(rng)
        return on.scene(rng, spread(rng, on, styles(rng)))

    return make


plain = apart(lambda _: [STYLES["white"]] * 5)


def _on(material: Material) -> Maker:
    return apart(five, partial(stage, material=material))


def touching_row(rng: random.Random) -> Scene | None:
    """Dice side by side, edge to edge, with a hair between them."""
    on = stage(rng)
    styles = five(rng)
    yaw, length = rng.uniform(0, math.pi), rng.randint(2, 5)
    start = (rng.uniform(-0.4, 0.2) * on.tray.half_mm[0], rng.uniform(-0.4, 0.4) * on.tray.half_mm[1])
    row: list[SceneDie] = []
    along = 0.0
    for style in styles[:length]:
        at = (start[0] + along * math.cos(yaw), start[1] + along * math.sin(yaw))
        row.append(lying(style, rng.randint(1, 6), at, yaw + rng.randrange(4) * math.pi / 2, on.edge_mm))
        along += on.edge_mm * (1 + rng.uniform(0.0, 0.03))
    if not all(fits(on.view, on.tray, die) for die in row):
        return None
    rest = scatter(rng, on.view, on.tray, styles[length:], edge_mm=on.edge_mm, lying_there=tuple(row))
    return None if rest is None else on.scene(rng, (*row, *rest))


def heap(rng: random.Random) -> Scene | None:
    """Dice that lie flat and touch each other at any angle."""
    on = stage(rng)
    styles = five(rng)
    at = (rng.uniform(-0.3, 0.3) * on.tray.half_mm[0], rng.uniform(-0.3, 0.3) * on.tray.half_mm[1])
    dice = [lying(styles[0], rng.randint(1, 6), at, rng.uniform(0, math.pi), on.edge_mm)]
    for style in styles[1:]:
        partner = rng.choice(dice)
        die = lying(style, rng.randint(1, 6), partner.position_mm[:2], rng.uniform(0, math.pi), on.edge_mm)
        dice.append(pushed_against(rng, die, dice, rng.uniform(0, 2 * math.pi)))
    return on.scene(rng, tuple(dice)) if all(fits(on.view, on.tray, die) for die in dice) else None


def at_the_rim(rng: random.Random) -> Scene | None:
    """Dice that lean flat against the rim, seen from the side as far as the camera allows."""
    on = stage(rng, tilt_deg=(8.0, 18.0))
    if on.tray.rim_mm[1] == 0 or on.tray.corner_mm > 0.5 * min(on.tray.half_mm):
        return None
    dice: list[SceneDie] = []
    for style in five(rng):
        for _ in range(80):
            inset = on.edge_mm * 0.52 + 0.4
            x, y = on.tray.half_mm[0] - inset, on.tray.half_mm[1] - inset
            share, sign = rng.uniform(-0.8, 0.8), rng.choice((-1, 1))
            at = (share * x, sign * y) if rng.random() < 0.5 else (sign * x, share * y)
            die = lying(style, rng.randint(1, 6), at, rng.randrange(4) * math.pi / 2, on.edge_mm)
            if fits(on.view, on.tray, die) and not any(near(die, other, 1.0) for other in dice):
                dice.append(die)
                break
        else:
            return None
    return on.scene(rng, tuple(dice))


def in_shadow(rng: random.Random) -> SceneSetup:
    """The shadow of a shelf or a head lies across the tray."""
    on = stage(rng)
    x, y = (rng.uniform(-0.4, 0.4) * half for half in on.tray.half_mm)
    shade = (x, y, rng.uniform(0, 360), rng.uniform(0.6, 0.95))
    light = dataclasses.replace(on.light, shades=(shade,), size_mm=rng.uniform(20, 160))
    return dataclasses.replace(on, light=light)


def lamp_on_a_pip(rng: random.Random) -> Scene | None:
    """A bare bulb is mirrored in the middle of one die."""
    on = stage(rng)
    dice = spread(rng, on, random_styles(rng, 5))
    if dice is None:
        return None
    x, y, z = rng.choice(dice).position_mm
    eye, spot = on.view.eye, (x, y, z * 2)
    far = rng.uniform(0.8, 1.6)
    lamp = (
        float(spot[0] + (spot[0] - eye[0]) * far),
        float(spot[1] + (spot[1] - eye[1]) * far),
        float(spot[2] + (eye[2] - spot[2]) * far),
    )
    light = dataclasses.replace(on.light, lamp_mm=lamp, size_mm=rng.uniform(20, 50), lamp=0.5, room=0.5)
    return dataclasses.replace(on, light=light).scene(rng, dice)


def evening_light(rng: random.Random) -> SceneSetup:
    """One warm lamp far away, little of it, and a sensor that makes up for it with noise."""
    on = stage(rng)
    light = dataclasses.replace(on.light, warmth=rng.uniform(0.6, 1.0), lamp=0.55, room=0.2)
    sensor = dataclasses.replace(on.sensor, exposure=rng.uniform(0.55, 0.9), noise=rng.uniform(1.4, 2.4))
    return dataclasses.replace(on, light=light, sensor=sensor)


def _floor(material: Material, *colours: Rgb) -> Callable[[random.Random], SceneSetup]:
    """A tray of one of these colours."""

    def set_up(rng: random.Random) -> SceneSetup:
        on = stage(rng, material=material)
        return dataclasses.replace(on, tray=dataclasses.replace(on.tray, floor=rng.choice(colours)))

    return set_up


def lawn(rng: random.Random) -> SceneSetup:
    """For wooden blocks as long as a hand, seen from a balcony."""
    on = stage(rng, material=Material.FELT)
    edge = rng.uniform(70, 110)
    view = random_view(rng, die_px=rng.uniform(*STYLED_PX), edge_mm=edge, tilt_deg=(0.0, 14.0))
    half_x, half_y = reach_mm(view)
    green = (rng.randint(50, 80), rng.randint(100, 130), rng.randint(40, 60))
    tray = dataclasses.replace(
        on.tray, half_mm=(half_x * 1.3, half_y * 1.3), rim_mm=(0.0, 0.0), floor=green, table=green
    )
    return SceneSetup(view, tray, random_light(rng, view, tray), on.sensor, edge)


def _sized(size_wh: tuple[int, int], die_px: tuple[float, float], most: int = 5) -> Maker:
    """Dice of so many pixels in pictures of that size."""
    return apart(few(2, most), partial(stage, size_wh=size_wh, die_px=die_px))


def thing_beside(rng: random.Random, on: SceneSetup, kind: str) -> tuple[Thing, list[SceneDie]]:
    """A thing on the tray, and dice that stand for it, so that no die comes to lie on it."""
    x, y = (rng.uniform(-0.7, 0.7) * half for half in on.tray.half_mm)
    size, yaw = THING_MM[kind] * rng.uniform(0.85, 1.1), rng.uniform(0, 2 * math.pi)
    thing = Thing(kind, (x, y), yaw, size, rng.randrange(1000))
    if kind != "pencil":
        return thing, [lying(STYLES["white"], 1, (x, y), yaw, size * 1.35)]
    spots = [(x + share * size * math.cos(yaw), y + share * size * math.sin(yaw)) for share in _ALONG]
    return thing, [lying(STYLES["white"], 1, spot, yaw, size * 0.13) for spot in spots]


def _beside(kind: str) -> Maker:
    def make(rng: random.Random) -> Scene | None:
        on = stage(rng)
        laid = [thing_beside(rng, on, kind) for _ in range(rng.randint(1, 2))]
        blockers = tuple(die for _, dice in laid for die in dice)
        styles = random_styles(rng, rng.randint(3, 5), mixed=rng.random() < 0.3)
        dice = spread(rng, on, styles, lying_there=blockers)
        return on.scene(rng, dice, things=tuple(thing for thing, _ in laid))

    return make


_ALONG = (-0.5, -0.38, -0.25, -0.13, 0.0, 0.13, 0.25, 0.38, 0.5)

MAKERS: dict[str, Maker] = {
    "plain": plain,
    "one set": apart(lambda rng: random_styles(rng, 5)),
    "mixed set": apart(lambda rng: random_styles(rng, 5, mixed=True)),
    **{f"on {material.value}": _on(material) for material in Material if material is not Material.CLOTH},
    "patterned cloth": _on(Material.CLOTH),
    "touching row": touching_row,
    "heap": heap,
    "at the rim": at_the_rim,
    "in shadow": apart(five, in_shadow),
    "lamp on a pip": lamp_on_a_pip,
    "evening light": apart(five, evening_light),
    "one to ten dice": apart(
        lambda rng: random_styles(rng, rng.randint(1, 10), mixed=rng.random() < 0.5),
        partial(stage, die_px=(40, 64)),
    ),
    "big red one": apart(_of("white red one")),
    "clear dice": apart(_of("clear", "red clear", "green clear")),
    "wood and pearl": apart(_of("wooden", "brown", "blue pearl", "black gold")),
    "two-tone": apart(_of("blue and green", "red and black")),
    "white on white": apart(
        _of("white", "white round", "ivory"), _floor(Material.PAPER, (238, 238, 234), (226, 226, 222))
    ),
    "dark on dark": apart(
        _of("black", "black gold"), _floor(Material.LEATHER, (30, 27, 27), (40, 34, 32), (24, 34, 58))
    ),
    "lawn dice": apart(_of("wooden", "white", "brown"), lawn),
    "small dice": _sized((1280, 720), (30.0, 40.0)),
    "large dice": _sized((1280, 960), (150.0, 250.0), most=3),
    "640x480": _sized((640, 480), (30.0, 48.0)),
    "1080p": _sized((1920, 1080), (70.0, 130.0)),
    "12 megapixels": _sized((4000, 3000), (150.0, 250.0)),
    "oblique": apart(five, partial(stage, tilt_deg=(20.0, 35.0))),
    "from the table": apart(few(2, 6), partial(stage, tilt_deg=(35.0, 58.0))),
    **{f"{kind} beside": _beside(kind) for kind in kinds()},
}
"""Name -> maker of a scene that is to be read."""
