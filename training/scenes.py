"""Whole drawn scenes: dice thrown on a floor under lamps, seen by a camera, with the exact truth."""

from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from training.clutter import put_finger, put_thing
from training.die_drawing import Die, Light, draw_die, random_faces
from training.floors import lay, noise
from training.materials import random_material
from training.view import Floats, View, looking_down, looking_over

FINE = 2  # scenes are drawn this many times larger and then shrunk
CLEAR_LEAN_DEG = 38.0  # a leaning die whose top is seen less steeply looks, in one patch, like a flat one
MOST_TILT_DEG = 38.0  # of a camera that hangs above the tray
FOV_BESIDE_DEG = 45.0  # one at the table's edge that saw more would see the horizon
STEP = 0.05  # how far into a die, in edges, its foot's direction is measured
LEAST_CONTRAST = 7.0  # grey levels between a pip and its surroundings, below which nobody could read it


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
    finger: float = 0.12
    clutter: float = 0.5
    tilt_deg: tuple[float, float] | None = None


def _turn_about_z(angle: float) -> NDArray[np.float64]:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def _resting(rng: np.random.Generator) -> NDArray[np.float64]:
    """A random one of the turns that keep a cube lying on the table."""
    axes = np.eye(3)[rng.permutation(3)] * rng.choice([-1, 1], 3)[:, None]
    if np.linalg.det(axes) < 0:
        axes[0] *= -1
    return _turn_about_z(rng.uniform(0, 2 * np.pi)) @ axes


def _apart(middle: NDArray[np.floating], edge: float, others: list[Die]) -> bool:
    """Whether a die may lie at `middle` (x, y), judged by the circles round the squares."""
    return all(np.linalg.norm(middle - o.center[:2]) > 0.71 * (edge + o.edge) for o in others)


def _throw(rng: np.random.Generator, wish: Wish, reach: NDArray[np.floating]) -> list[tuple[Die, State]]:
    thrown: list[tuple[Die, State]] = []
    kind = random_material(rng)
    uniform, spread = rng.random() < 0.4, rng.uniform(0, 0.25)
    for number in range(int(rng.integers(wish.dice[0], wish.dice[1] + 1))):
        material = kind if uniform else random_material(rng)
        edge = 1.0 + float(rng.uniform(-spread, spread))
        faces, flips = random_faces(rng)
        turn, middle, base, state = _resting(rng), rng.uniform(-reach, reach, 2), 0.0, State.FLAT
        others = [die for die, _ in thrown]
        if others and rng.random() < wish.stacked:
            below = others[rng.integers(len(others))]
            middle = below.center[:2] + rng.uniform(-0.5, 0.5, 2)
            base, state = float(below.center[2] + below.edge / 2), State.STACKED
        elif others and rng.random() < 0.35:
            next_to = others[rng.integers(len(others))]
            step = np.append(next_to.turn[:2, int(np.abs(next_to.turn[2]).argmin())], 0)
            step = step / max(np.linalg.norm(step), 1e-6) * rng.choice([-1, 1])
            across = np.array([-step[1], step[0]])
            middle = (
                next_to.center[:2]
                + step[:2] * (next_to.edge + edge) * 0.505
                + across * rng.uniform(-0.6, 0.6)
            )
            axes = np.eye(3)[rng.permutation(3)] * rng.choice([-1, 1], 3)[:, None]
            axes[0] *= np.linalg.det(axes)
            turn = _turn_about_z(np.arctan2(step[1], step[0])) @ axes
            if not _apart(middle, edge * 0.4, [o for o in others if o is not next_to]):
                continue
        elif not _apart(middle, edge, others):
            continue
        if state is State.FLAT and rng.random() < wish.cocked:
            lean = np.radians(rng.uniform(*wish.lean_deg))
            axis = rng.uniform(0, 2 * np.pi)
            tip = (
                _turn_about_z(axis)
                @ np.array([[1, 0, 0], [0, np.cos(lean), -np.sin(lean)], [0, np.sin(lean), np.cos(lean)]])
                @ _turn_about_z(-axis)
            )
            turn, state = tip @ turn, State.COCKED
        half = np.abs(turn[2]).sum() * edge / 2
        center = np.array([middle[0], middle[1], base + half])
        thrown.append(
            (Die(center, turn, edge, faces, flips, material, int(rng.integers(1 << 30)) + number), state)
        )
    return thrown


def _light(rng: np.random.Generator) -> Light:
    ambient = float(rng.uniform(0.15, 0.75))
    lamps = []
    for _ in range(int(rng.integers(1, 4))):
        towards = rng.normal(0, 1, 3)
        towards[2] = abs(towards[2]) + 0.4
        towards /= np.linalg.norm(towards)
        warm = rng.uniform(-0.15, 0.15)
        tint = np.array([1 + warm, 1.0, 1 - warm])
        lamps.append((towards, float(rng.uniform(0.15, 0.8)), tint, float(rng.uniform(0.03, 0.5))))
    return Light(ambient, tuple(lamps))


def _shade_floor(picture: Floats, view: View, die: Die, light: Light, rng: np.random.Generator) -> None:
    size = (picture.shape[1], picture.shape[0])
    corners = die.corners()
    edge_px = view.focal_px * die.edge / np.linalg.norm(view.position - die.center)
    for towards, strength, _, half_angle in light.lamps:
        falls = corners - towards * (corners[:, 2:] / towards[2])
        mask = np.zeros((size[1], size[0]), np.uint8)
        hull = cv2.convexHull(np.clip(view.project(falls), -4000, 4000).astype(np.float32)).astype(np.int32)
        cv2.fillConvexPoly(mask, hull, 255)
        _darken(
            picture, mask, edge_px * (0.02 + 0.4 * half_angle), 0.75 * strength / (light.ambient + strength)
        )
    if die.center[2] < 0.8 * die.edge:
        mask = np.zeros((size[1], size[0]), np.uint8)
        foot = corners * (1, 1, 0)
        hull = cv2.convexHull(np.clip(view.project(foot), -4000, 4000).astype(np.float32)).astype(np.int32)
        cv2.fillConvexPoly(mask, hull, 255)
        _darken(picture, mask, edge_px * rng.uniform(0.05, 0.2), rng.uniform(0.2, 0.6))


def _darken(picture: Floats, mask: NDArray[np.uint8], blur: float, amount: float) -> None:
    x, y, w, h = cv2.boundingRect(mask)
    margin = int(3 * blur) + 2
    rows = slice(max(0, y - margin), y + h + margin)
    columns = slice(max(0, x - margin), x + w + margin)
    if w and h:
        part = mask[rows, columns]
        shrink = 4 if blur > 6 else 1
        small = (
            cv2.resize(part, (part.shape[1] // shrink + 1, part.shape[0] // shrink + 1))
            if shrink > 1
            else part
        )
        small = cv2.GaussianBlur(small, (0, 0), max(blur / shrink, 0.5))
        soft = cv2.resize(small, (part.shape[1], part.shape[0])).astype(np.float32) / 255
        picture[rows, columns] *= 1 - np.float32(amount) * soft[..., None]


def _faces(view: View, die: Die) -> tuple[int, dict[int, Face]]:
    """The number of the side that looks up, and every side turned to the camera."""
    seen = {}
    for side in range(6):
        corners = die.side_corners(side)
        back = view.position - corners.mean(0)
        angle = np.degrees(np.arccos(np.clip(die.side_normal(side) @ back / np.linalg.norm(back), -1, 1)))
        if angle < 88:
            shown = view.project(corners)
            inwards = np.stack([corners.mean(0), corners.mean(0) - STEP * die.edge * die.side_normal(side)])
            middle, inner = view.project(inwards)
            edge_px = np.linalg.norm(shown - np.roll(shown, 1, 0), axis=1).mean()
            x, y = (inner - middle) / (STEP * edge_px)
            seen[side] = Face((shown + 0.5) / FINE - 0.5, float(angle), (float(x), float(y)))
    up = int(np.argmax([die.side_normal(side)[2] for side in range(6)]))
    return up, seen


def _at(owners: NDArray[np.generic], spots: NDArray[np.floating], outside: int) -> NDArray[np.generic]:
    x, y = np.round(spots).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < owners.shape[1]) & (y < owners.shape[0])
    return np.where(
        inside, owners[np.clip(y, 0, owners.shape[0] - 1), np.clip(x, 0, owners.shape[1] - 1)], outside
    )


def _pip_contrast(image: NDArray[np.uint8], view: View, die: Die, side: int) -> float:
    """Least difference, in grey levels, between a pip and the body round it in the finished picture."""
    face = die.faces[side]
    radius = (die.material.one_radius if face == 1 else die.material.pip_radius) * die.edge
    axis = side // 2
    u, v = die.turn[:, (axis + 1) % 3], die.turn[:, (axis + 2) % 3]
    least = 255.0
    for pip in die.pips(side):
        ring = pip + 1.55 * radius * np.array([u, -u, v, -v])
        spots = (view.project(np.vstack([pip, ring])) + 0.5) / FINE - 0.5
        seen = np.stack([_at(image[..., c], spots, 0) for c in range(3)], 1).astype(float)
        least = min(least, float(np.abs(seen[0] - np.median(seen[1:], 0)).max()))
    return least


def _visible(die: Die, side: int, number: int, owners: NDArray[np.uint8], view: View) -> float:
    """The share of a side of die `number` that is seen, 0-1."""
    corners = die.side_corners(side)
    grid = np.linspace(-0.9, 0.9, 7)
    middle, u, v = corners.mean(0), (corners[1] - corners[0]) / 2, (corners[3] - corners[0]) / 2
    points = np.array([middle + a * u + b * v for a in grid for b in grid])
    return float((_at(owners, view.project(points), 0) == number).mean())


def _judge(
    die: Die,
    state: State,
    side: int,
    number: int,
    owners: NDArray[np.uint8],
    view: View,
    image: NDArray[np.uint8],
) -> State:
    seen = _visible(die, side, number, owners, view)
    middle = die.side_corners(side).mean(0)
    pips = _at(owners, view.project(die.pips(side)), 0) == number
    if state is State.COCKED:
        back = view.position - middle
        angle = np.degrees(np.arccos(np.clip(die.side_normal(side) @ back / np.linalg.norm(back), -1, 1)))
        return State.COCKED if angle > CLEAR_LEAN_DEG and seen > 0.2 else State.UNCLEAR
    if seen < 0.7 or not pips.all():
        return State.COVERED if seen > 0.1 else State.UNCLEAR
    if seen < 0.85 or _pip_contrast(image, view, die, side) < LEAST_CONTRAST:
        return State.UNCLEAR
    return state


def photograph(rng: np.random.Generator, picture: Floats) -> NDArray[np.uint8]:
    """Lens, exposure, sensor and compression: linear RGB (h, w, 3) to the finished BGR picture."""
    height, width = picture.shape[0] // FINE, picture.shape[1] // FINE
    if rng.random() < 0.3:
        picture = picture * np.exp(
            rng.uniform(0, 0.6) * noise(rng, (picture.shape[1], picture.shape[0]), width)
        )[..., None].clip(0.3, 2).astype(np.float32)
    picture = (
        picture * np.float32(np.exp(rng.normal(0.15, 0.4))) * (1 + rng.normal(0, 0.06, 3)).astype(np.float32)
    )
    small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.5:
        small = cv2.GaussianBlur(small, (0, 0), rng.uniform(0.3, 1.1))
    if rng.random() < 0.2:
        small = small * 1.5 - 0.5 * cv2.GaussianBlur(small, (0, 0), 1.2)
    shown = np.clip(small, 0, None) ** (1 / rng.uniform(1.8, 2.4))
    shown = shown / (1 + 0.15 * shown**4) if rng.random() < 0.5 else shown
    grain = rng.standard_normal(shown.shape).astype(np.float32) * rng.uniform(0, 0.03)
    image = (np.clip(shown + grain, 0, 1) * 255 + 0.5).astype(np.uint8)[..., ::-1]
    if rng.random() < 0.7:
        _, packed = cv2.imencode(
            ".jpg", np.ascontiguousarray(image), [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 96))]
        )
        image = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    return np.ascontiguousarray(image)


def draw_scene(rng: np.random.Generator, wish: Wish = Wish()) -> Scene:
    """One scene with all truth about it."""
    width, height = wish.size_wh[0] * FINE, wish.size_wh[1] * FINE
    edge_px = float(np.exp(rng.uniform(*np.log(wish.edge_px)))) * FINE
    tilt = float(np.abs(rng.normal(0, 13))) if rng.random() < 0.75 else float(rng.uniform(15, 36))
    tilt, fov, looking = min(tilt, MOST_TILT_DEG), float(rng.uniform(25, 65)), looking_down
    if wish.tilt_deg is not None:
        tilt, fov, looking = float(rng.uniform(*wish.tilt_deg)), min(fov, FOV_BESIDE_DEG), looking_over
    view = looking(rng, (width, height), edge_px, tilt, fov)
    picture = lay(rng, view, (width, height))
    reach = np.array([0.44 * width / edge_px, 0.42 * height / edge_px])
    light = _light(rng)
    picture *= np.float32(light.ambient + sum(s * t[2] for t, s, _, _ in light.lamps))
    things = []
    if rng.random() < wish.clutter:
        things = [put_thing(rng, picture, view, float(reach.min())) for _ in range(int(rng.integers(1, 5)))]
    thrown = _throw(rng, wish, np.maximum(reach, 0.4))
    thrown.sort(key=lambda pair: -np.linalg.norm(view.position - pair[0].center))
    owners = np.zeros((height, width), np.uint8)
    for die, state in thrown:
        if state is not State.STACKED:
            _shade_floor(picture, view, die, light, rng)
    for number, (die, _) in enumerate(thrown, 1):
        draw_die(picture, owners, number, view, die, light)
    if thrown and rng.random() < wish.finger:
        die = thrown[rng.integers(len(thrown))][0]
        tip = view.project(die.center[None])[0] + rng.normal(0, 0.5 * edge_px, 2)
        owners[put_finger(rng, picture, tip, edge_px * rng.uniform(0.5, 1.3))] = 255
    image = photograph(rng, np.clip(picture, 0, 4))
    dice = []
    for number, (die, state) in enumerate(thrown, 1):
        up, seen = _faces(view, die)
        if up not in seen:
            continue
        judged = _judge(die, state, up, number, owners, view, image)
        sides = tuple(face for side, face in seen.items() if side != up)
        tilt = float(np.degrees(np.arccos(np.clip(die.side_normal(up)[2], -1, 1))))
        visible = _visible(die, up, number, owners, view)
        dice.append(DieTruth(die.faces[up], judged, seen[up], sides, state, tilt, visible))
    homography = view.floor_homography()
    spots = []
    for thing in things:
        x, y, w = homography @ (thing.middle[0], thing.middle[1], 1.0)
        spots.append(((x / w + 0.5) / FINE - 0.5, (y / w + 0.5) / FINE - 0.5, thing.size * edge_px / FINE))
    return Scene(image, tuple(dice), tuple(spots))


def plain(wish: Wish) -> Wish:
    """The same scene without anything hard in it."""
    return replace(wish, cocked=0.0, stacked=0.0, finger=0.0, clutter=0.0)
