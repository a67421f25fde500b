"""Chance decides how things look and where they lie: trays, lights, cameras, dice."""

import math
import random
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.usual import USUAL_DIE_MM
from simulator.backdrop import rim_distance
from simulator.die_drawing import outline
from simulator.geometry import CameraView, Doubles, about, face_up, footprints_overlap, resting_height
from simulator.scene import DieStyle, Material, Rgb, SceneDie, SceneLight, SceneTray, lying
from simulator.styles import STYLES

FLOORS: dict[Material, tuple[Rgb, ...]] = {
    Material.FELT: ((28, 92, 58), (120, 24, 32), (26, 52, 110), (40, 42, 46), (84, 44, 104), (96, 88, 74)),
    Material.LEATHER: ((74, 44, 28), (36, 32, 32), (98, 30, 30), (120, 84, 50)),
    Material.WOOD: ((150, 106, 66), (198, 160, 112), (92, 58, 36), (176, 130, 84)),
    Material.CARDBOARD: ((178, 142, 104), (192, 162, 126), (160, 126, 92)),
    Material.PLASTIC: ((226, 226, 224), (210, 212, 216), (236, 232, 222)),
    Material.CLOTH: (
        (164, 40, 52),
        (40, 74, 132),
        (60, 110, 76),
        (224, 214, 190),
        (200, 150, 60),
        (52, 52, 60),
    ),
    Material.PAPER: ((236, 236, 232), (240, 234, 214), (206, 220, 226)),
}
PRINTS: tuple[Rgb, ...] = ((238, 232, 214), (232, 206, 120), (206, 222, 236), (30, 36, 60), (210, 90, 70))
RIMS: tuple[Rgb, ...] = ((104, 66, 38), (60, 40, 28), (44, 44, 48), (150, 104, 62), (200, 196, 188))
TABLES: tuple[Rgb, ...] = ((168, 142, 112), (206, 196, 180), (96, 70, 50), (120, 122, 126), (222, 220, 214))
MARGIN_PX = 3.0
"""A die nearer to the picture's edge is not wholly in it."""


def random_tray(
    rng: random.Random, reach_mm: tuple[float, float], material: Material | None = None
) -> SceneTray:
    """A tray that fills most of what the camera sees. reach_mm: half of that, width and depth."""
    material = material or rng.choice(tuple(Material))
    share = rng.uniform(0.70, 0.88)
    half = (reach_mm[0] * share, reach_mm[1] * share)
    mat = material in (Material.CLOTH, Material.PAPER) and rng.random() < 0.6
    rim = (rng.uniform(3, 14), rng.uniform(8, 30)) if not mat else (0.0, 0.0)
    corner = rng.choice((2.0, 12.0, 30.0, min(half)))
    return SceneTray(
        material=material,
        floor=rng.choice(FLOORS[material]),
        second=rng.choice(PRINTS),
        half_mm=half,
        corner_mm=corner,
        rim_mm=rim,
        rim=rng.choice(RIMS),
        rim_material=rng.choice((Material.WOOD, Material.LEATHER, Material.PLASTIC)),
        table=rng.choice(TABLES),
        table_material=rng.choice((Material.WOOD, Material.WOOD, Material.PAPER, Material.PLASTIC)),
    )


def random_view(
    rng: random.Random,
    *,
    size_wh: tuple[int, int] = (1280, 720),
    die_px: float = 60.0,
    edge_mm: float = USUAL_DIE_MM,
    tilt_deg: tuple[float, float] = (0.0, 14.0),
) -> CameraView:
    """A camera that sees a die of edge_mm as die_px pixels, from any sensible height."""
    height = rng.uniform(18, 42) * edge_mm
    tilt = math.radians(rng.uniform(*tilt_deg))
    focal = die_px / edge_mm * (height / math.cos(tilt) - edge_mm)
    return CameraView(
        size_wh=size_wh,
        focal_px=focal,
        height_mm=height,
        tilt_deg=math.degrees(tilt),
        roll_deg=rng.gauss(0, 2),
        aim_mm=(rng.gauss(0, edge_mm * 0.4), rng.gauss(0, edge_mm * 0.4)),
    )


def reach_mm(view: CameraView) -> tuple[float, float]:
    """Half the width and half the depth of the floor that the camera surely sees."""
    scale = view.px_per_mm()
    width, height = view.size_wh
    return width / scale / 2 * 0.97, height / scale / 2 * 0.97


def random_light(rng: random.Random, view: CameraView, tray: SceneTray) -> SceneLight:
    """A lamp whose mirror image does not fall on the tray's floor."""
    for _ in range(200):
        around, above = rng.uniform(0, 2 * math.pi), math.radians(rng.uniform(34, 74))
        far = view.height_mm * rng.uniform(1.0, 2.2)
        lamp = (
            far * math.cos(above) * math.cos(around),
            far * math.cos(above) * math.sin(around),
            far * math.sin(above),
        )
        if not mirrored_in_tray(view, tray, lamp):
            break
    share = rng.uniform(0.35, 0.72)
    return SceneLight(
        lamp_mm=lamp,
        size_mm=far * rng.uniform(0.08, 0.42),
        lamp=share * 1.05,
        room=(1 - share) * 1.05,
        warmth=rng.uniform(0, 0.35),
    )


def mirrored_in_tray(view: CameraView, tray: SceneTray, lamp_mm: tuple[float, float, float]) -> bool:
    """Whether the camera sees the lamp in a mirror laid into the tray (with a margin of a tenth)."""
    eye = view.eye
    share = eye[2] / (eye[2] + lamp_mm[2])
    spot = eye[:2] + (np.array(lamp_mm[:2]) - eye[:2]) * share
    return bool((np.abs(spot) < np.array(tray.half_mm) * 1.1).all())


def random_styles(rng: random.Random, count: int, *, mixed: bool = False) -> list[DieStyle]:
    """Looks of a set: all the same, or all different."""
    names = list(STYLES)
    if mixed:
        return [STYLES[name] for name in rng.sample(names, min(count, len(names)))]
    return [STYLES[rng.choice(names)]] * count


def scatter(
    rng: random.Random,
    view: CameraView,
    tray: SceneTray,
    styles: Sequence[DieStyle],
    *,
    edge_mm: float = USUAL_DIE_MM,
    gap_mm: float = 2.0,
    lying_there: tuple[SceneDie, ...] = (),
) -> tuple[SceneDie, ...] | None:
    """Dice that lie flat on the floor, apart, wholly in the picture; None if they do not fit."""
    placed = list(lying_there)
    reach = tuple(min(half, visible) for half, visible in zip(tray.half_mm, reach_mm(view), strict=True))
    for style in styles:
        for _ in range(300):
            at = (rng.uniform(-reach[0], reach[0]), rng.uniform(-reach[1], reach[1]))
            die = lying(style, rng.randint(1, 6), at, rng.uniform(0, 2 * math.pi), edge_mm)
            if fits(view, tray, die) and not any(near(die, other, gap_mm) for other in placed):
                placed.append(die)
                break
        else:
            return None
    return tuple(placed[len(lying_there) :])


def fits(view: CameraView, tray: SceneTray, die: SceneDie) -> bool:
    """Whether the die stands on the tray's floor and is wholly in the picture."""
    corners = die.corners_mm.astype(np.float32)
    if float(rim_distance(tray, corners[:, 0], corners[:, 1]).max()) > -0.3:
        return False
    hull = outline(view, die)
    width, height = view.size_wh
    return bool((hull >= MARGIN_PX).all() and (hull < [width - MARGIN_PX, height - MARGIN_PX]).all())


def near(one: SceneDie, other: SceneDie, gap_mm: float) -> bool:
    """Whether two dice come closer than gap_mm, seen from above."""
    return footprints_overlap(footprint(one, gap_mm), footprint(other, 0.0))


def footprint(die: SceneDie, wider_mm: float = 0.0) -> Doubles:
    """The outline of the die seen from above, a convex ring (n, 2) mm."""
    middle = np.array(die.position_mm[:2])
    grown = (die.corners_mm[:, :2] - middle) * (1 + 2 * wider_mm / die.edge_mm) + middle
    return np.asarray(cv2.convexHull(grown.astype(np.float32)).reshape(-1, 2), np.float64)


def pushed_against(
    rng: random.Random, die: SceneDie, others: Sequence[SceneDie], direction: float
) -> SceneDie:
    """The die moved along a direction (radians) until it just does not meet the others any more."""
    x, y, z = die.position_mm

    def moved(far: float) -> SceneDie:
        return replace(die, position_mm=(x + math.cos(direction) * far, y + math.sin(direction) * far, z))

    low, high = 0.0, 4 * die.edge_mm
    for _ in range(24):
        middle = (low + high) / 2
        if any(near(moved(middle), other, 0.0) for other in others):
            low = middle
        else:
            high = middle
    return moved(high + rng.uniform(0.0, 0.02) * die.edge_mm)


def cocked(
    rng: random.Random,
    style: DieStyle,
    edge_mm: float,
    at: tuple[float, float],
    towards: float,
    lean_deg: tuple[float, float] = (12.0, 40.0),
) -> SceneDie:
    """A die that stands on one edge and leans, its raised side pointing in a direction (radians)."""
    lean = math.radians(rng.uniform(*lean_deg))
    flat = face_up(rng.randint(1, 6), towards + rng.choice((0, 1, 2, 3)) * math.pi / 2)
    axis = (math.sin(towards), -math.cos(towards), 0.0)
    rotation = about(axis, lean) @ flat
    return SceneDie(style, edge_mm, (*at, resting_height(rotation, edge_mm)), rotation)
