"""Scenes that a good reader refuses, each for one reason."""

import dataclasses
import math
import random
from collections.abc import Callable
from functools import partial

from simulator.arrange import cocked, fits, near, pushed_against, random_styles, reach_mm
from simulator.die_drawing import outline
from simulator.geometry import face_up
from simulator.readable import THING_MM, SceneSetup, apart, few, plain, spread, stage
from simulator.scene import Scene, SceneDie, SceneHand, Thing, lying
from simulator.styles import STYLES
from simulator.things import kinds


def spare_die(rng: random.Random) -> Scene | None:
    """Five dice were thrown, and a spare one of any look lies beside them near the rim."""
    on = stage(rng)
    across, along = on.tray.half_mm
    x, y = rng.choice((-0.8, 0.8)) * across, rng.uniform(-0.8, 0.8) * along
    edge = on.edge_mm * rng.uniform(0.85, 1.15)
    spare = lying(random_styles(rng, 1)[0], rng.randint(1, 6), (x, y), rng.uniform(0, math.pi), edge)
    thrown = random_styles(rng, 5)
    if not fits(on.view, on.tray, spare):
        return None
    dice = spread(rng, on, thrown, gap=0.15, lying_there=(spare,))
    return None if dice is None else on.scene(rng, (spare, *dice))


def _with_others(
    rng: random.Random, on: SceneSetup, special: list[SceneDie], things: tuple[Thing, ...] = ()
) -> Scene | None:
    """The special dice, and others that lie flat elsewhere, five in all."""
    if not all(fits(on.view, on.tray, die) for die in special):
        return None
    styles = [special[0].style] * (5 - len(special))
    rest = spread(rng, on, styles, gap=0.15, lying_there=tuple(special))
    return None if rest is None else on.scene(rng, (*special, *rest), things=things)


def _somewhere(rng: random.Random, on: SceneSetup) -> tuple[float, float]:
    """A place in the inner half of the tray, mm."""
    return (rng.uniform(-0.5, 0.5) * on.tray.half_mm[0], rng.uniform(-0.5, 0.5) * on.tray.half_mm[1])


def cocked_at_rim(rng: random.Random) -> Scene | None:
    """A die leans against the rim."""
    on = stage(rng)
    if on.tray.rim_mm[1] < on.edge_mm * 0.5 or on.tray.corner_mm > 0.5 * min(on.tray.half_mm):
        return None
    style = random_styles(rng, 1)[0]
    side = rng.randrange(4)
    towards = side * math.pi / 2
    half = on.tray.half_mm[side % 2]
    across = rng.uniform(-0.7, 0.7) * on.tray.half_mm[1 - side % 2]
    probe = cocked(rng, style, on.edge_mm, (0.0, 0.0), towards)
    reach = max(
        float(x * math.cos(towards) + y * math.sin(towards)) for x, y in probe.corners_mm[:, :2].tolist()
    )
    along = half - reach - 0.5
    x, y = (
        math.cos(towards) * along - math.sin(towards) * across,
        math.sin(towards) * along + math.cos(towards) * across,
    )
    leaning = SceneDie(style, on.edge_mm, (x, y, probe.position_mm[2]), probe.rotation)
    return _with_others(rng, on, [leaning])


def cocked_on_die(rng: random.Random) -> Scene | None:
    """A die leans against another one."""
    on = stage(rng)
    style = random_styles(rng, 1)[0]
    at = _somewhere(rng, on)
    towards = rng.uniform(0, 2 * math.pi)
    support = lying(style, rng.randint(1, 6), at, towards + rng.uniform(-0.3, 0.3), on.edge_mm)
    leaning = cocked(rng, style, on.edge_mm, at, towards)
    leaning = pushed_against(rng, leaning, [support], towards + math.pi)
    return _with_others(rng, on, [leaning, support])


def cocked_on_pencil(rng: random.Random) -> Scene | None:
    """A die leans on a pencil with one side."""
    on = stage(rng)
    style = random_styles(rng, 1)[0]
    at = _somewhere(rng, on)
    towards = rng.uniform(0, 2 * math.pi)
    leaning = cocked(rng, style, on.edge_mm, at, towards)
    under = on.edge_mm * 0.3
    spot = (at[0] + math.cos(towards) * under, at[1] + math.sin(towards) * under)
    pencil = Thing("pencil", spot, towards + math.pi / 2, THING_MM["pencil"], rng.randrange(1000))
    return _with_others(rng, on, [leaning], things=(pencil,))


def stacked(rng: random.Random) -> Scene | None:
    """A die lies on top of another one."""
    on = stage(rng)
    style = random_styles(rng, 1)[0]
    at = _somewhere(rng, on)
    lower = lying(style, rng.randint(1, 6), at, rng.uniform(0, math.pi), on.edge_mm)
    shift, angle = rng.uniform(0, 0.4) * on.edge_mm, rng.uniform(0, 2 * math.pi)
    spot = (at[0] + shift * math.cos(angle), at[1] + shift * math.sin(angle), on.edge_mm * 1.5)
    upper = SceneDie(
        style, on.edge_mm, spot, face_up(rng.randint(1, 6), rng.uniform(0, math.pi)), stacked=True
    )
    return _with_others(rng, on, [upper, lower])


def hand_by(rng: random.Random, die: SceneDie) -> SceneHand:
    """A hand over or beside a die."""
    x, y, _ = die.position_mm
    yaw = rng.choice((0.0, 1.57, 3.14, 4.71)) + rng.uniform(-0.5, 0.5)
    reach = rng.uniform(-20, 45)
    skin = rng.choice(((214, 164, 134), (233, 190, 165), (150, 104, 76), (92, 62, 46)))
    return SceneHand((x - reach * math.cos(yaw), y - reach * math.sin(yaw)), yaw, rng.random() < 0.6, skin)


def hand_over(rng: random.Random) -> Scene | None:
    """A hand hides at least one die."""
    on = stage(rng)
    dice = spread(rng, on, random_styles(rng, 5))
    return None if dice is None else on.scene(rng, dice, hand=hand_by(rng, rng.choice(dice)))


def _sensed(rng: random.Random, changes: Callable[[float], dict[str, object]]) -> Scene | None:
    """Five white dice, and a sensor with these changes for dice of that many pixels."""
    scene = plain(rng)
    if scene is None:
        return None
    changed = changes(scene.dice[0].edge_mm * scene.view.px_per_mm())
    return dataclasses.replace(scene, sensor=dataclasses.replace(scene.sensor, **changed))  # type: ignore[arg-type]


def blurred(rng: random.Random) -> Scene | None:
    """Out of focus until pips run together."""
    return _sensed(rng, lambda die_px: {"blur_px": die_px * rng.uniform(0.16, 0.26)})


def shaken(rng: random.Random) -> Scene | None:
    """The camera moved while the shutter was open, by more than the distance of two pips."""
    return _sensed(rng, lambda px: {"shake_px": (px * rng.uniform(0.5, 0.9), rng.uniform(0, 180))})


def too_dark(rng: random.Random) -> Scene | None:
    """Hardly any light, and noise over it."""
    return _sensed(rng, lambda _: {"exposure": rng.uniform(0.0012, 0.003), "noise": rng.uniform(1.5, 2.5)})


def burnt_out(rng: random.Random) -> Scene | None:
    """Far too much light: pale dice and their pips run into white."""
    return _sensed(rng, lambda _: {"exposure": rng.uniform(150, 400)})


def glare(rng: random.Random) -> Scene | None:
    """A lamp is mirrored in dice with pale pips until nobody can count these."""
    on = stage(rng)
    style = dataclasses.replace(
        STYLES[rng.choice(("red", "black", "blue", "green"))], gloss=0.75, pip_depth=0.05
    )
    dice = spread(rng, on, [style] * 5)
    if dice is None:
        return None
    (x, y, _), eye = rng.choice(dice).position_mm, on.view.eye
    lamp = (float(2 * x - eye[0]), float(2 * y - eye[1]), float(eye[2]))
    light = dataclasses.replace(
        on.light, lamp_mm=lamp, size_mm=lamp[2] * 0.25, lamp=2.6, room=0.3, warmth=0.0
    )
    return dataclasses.replace(on, light=light).scene(rng, dice)


def cut_off(rng: random.Random) -> Scene | None:
    """A die that the picture's edge cuts through its top face."""
    on = stage(rng)
    half_x, half_y = reach_mm(on.view)
    tray = dataclasses.replace(on.tray, half_mm=(1.35 * half_x, 1.35 * half_y), corner_mm=5.0)
    on = dataclasses.replace(on, tray=tray)
    dice = spread(rng, on, random_styles(rng, 5))
    if dice is None:
        return None
    for _ in range(200):
        at = (rng.uniform(-1.15, 1.15) * half_x, rng.uniform(-1.15, 1.15) * half_y)
        die = lying(dice[0].style, rng.randint(1, 6), at, rng.uniform(0, math.pi), on.edge_mm)
        hull = outline(on.view, die)
        width, height = on.view.size_wh
        middle = hull.mean(0)
        gone = min(middle[0], middle[1], width - middle[0], height - middle[1]) / (
            on.edge_mm * on.view.px_per_mm()
        )
        if -0.15 < gone < 0.3 and not any(near(die, other, 1.0) for other in dice[1:]):
            return on.scene(rng, (die, *dice[1:]))
    return None


_on_the_table = partial(stage, tilt_deg=(70.0, 82.0))

from_the_side = apart(few(1, 5), _on_the_table)
"""A camera that stands on the table: the fronts of the dice show larger faces than their tops."""


def row_from_the_side(rng: random.Random) -> Scene | None:
    """The same, and the dice stand in a row with their fronts to the camera."""
    on = _on_the_table(rng)
    styles = few(2, 6)(rng)
    step = on.edge_mm * rng.uniform(1.02, 1.6)
    row = [
        lying(
            style,
            rng.randint(1, 6),
            ((k - (len(styles) - 1) / 2) * step, 0.0),
            rng.gauss(0, 0.06),
            on.edge_mm,
        )
        for k, style in enumerate(styles)
    ]
    return on.scene(rng, tuple(row)) if all(fits(on.view, on.tray, die) for die in row) else None


def empty(rng: random.Random) -> Scene | None:
    """Nothing in the tray."""
    on = stage(rng)
    return on.scene(rng, ())


def only_things(rng: random.Random) -> Scene | None:
    """Things in the tray, and no die."""
    on = stage(rng)
    things = []
    for kind in rng.sample(kinds(), rng.randint(1, 4)):
        x, y = (rng.uniform(-0.7, 0.7) * half for half in on.tray.half_mm)
        things.append(Thing(kind, (x, y), rng.uniform(0, 6.28), THING_MM[kind], rng.randrange(1000)))
    return on.scene(rng, (), things=tuple(things))
