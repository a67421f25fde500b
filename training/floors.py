"""What drawn dice lie on: felt, wood, leather, cloth, cork, paper, printed patterns; linear RGB 0-1."""

import cv2
import numpy as np
from numpy.typing import NDArray

from training.view import Floats, View

SIDE = 512  # pixels of a floor's drawing


def noise(rng: np.random.Generator, size_wh: tuple[int, int], cell: float) -> Floats:
    """Smooth noise (h, w), mean about 0, deviation about 1, whose grains are `cell` pixels wide."""
    width, height = size_wh
    small = (max(2, int(height / cell) + 2), max(2, int(width / cell) + 2))
    grid = rng.standard_normal(small).astype(np.float32)
    return cv2.resize(grid, size_wh, interpolation=cv2.INTER_CUBIC)


def _stretched(rng: np.random.Generator, cell_x: float, cell_y: float) -> Floats:
    grid = rng.standard_normal((int(SIDE / cell_y) + 2, int(SIDE / cell_x) + 2)).astype(np.float32)
    return cv2.resize(grid, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)


def _mix(one: NDArray[np.floating], other: NDArray[np.floating], share: Floats) -> Floats:
    return np.asarray(one + (other - one) * share[..., None], np.float32)


def _checker(rng: np.random.Generator, x: Floats, y: Floats, cell: float) -> Floats:
    cell *= rng.uniform(0.3, 1.6)
    return ((np.floor(x / cell) + np.floor(y / cell)) % 2).astype(np.float32)


def _stripes(rng: np.random.Generator, x: Floats, y: Floats, cell: float) -> Floats:
    cell *= rng.uniform(0.1, 1.2)
    one_way = (x / cell) % 1 < rng.uniform(0.1, 0.5)
    return np.maximum(one_way, ((y / cell) % 1 < 0.3) * rng.integers(2)).astype(np.float32)


def _dots(rng: np.random.Generator, x: Floats, y: Floats, cell: float) -> Floats:
    cell *= rng.uniform(0.25, 1.2)
    shift = (np.floor(y / cell) % 2) * 0.5 * rng.integers(2)
    away = np.hypot((x / cell + shift) % 1 - 0.5, (y / cell) % 1 - 0.5)
    return (away < rng.uniform(0.12, 0.35)).astype(np.float32)


def _weave(rng: np.random.Generator, x: Floats, y: Floats, cell: float) -> Floats:
    cell *= rng.uniform(0.04, 0.16)
    wave = np.sin(x * 2 * np.pi / cell) * np.sin(y * 2 * np.pi / cell)
    return np.clip(0.5 + 0.4 * wave + 0.2 * noise(rng, (SIDE, SIDE), 3), 0, 1)


def _wood(rng: np.random.Generator, _x: Floats, y: Floats, cell: float) -> Floats:
    rings = np.sin(0.4 * _stretched(rng, cell * 4, cell / 4) * 6 + y / cell * rng.uniform(1, 6))
    return np.clip(0.5 + 0.3 * rings + 0.25 * _stretched(rng, cell * 3, 3), 0, 1)


def _leather(rng: np.random.Generator, _x: Floats, _y: Floats, cell: float) -> Floats:
    return np.clip(np.abs(noise(rng, (SIDE, SIDE), cell * rng.uniform(0.05, 0.2))) * 0.8, 0, 1)


def _cork(rng: np.random.Generator, _x: Floats, _y: Floats, cell: float) -> Floats:
    return (noise(rng, (SIDE, SIDE), cell * rng.uniform(0.08, 0.25)) > 0.4).astype(np.float32)


def _patches(rng: np.random.Generator, _x: Floats, _y: Floats, cell: float) -> Floats:
    return (noise(rng, (SIDE, SIDE), cell * rng.uniform(0.4, 3)) > 0).astype(np.float32)


def _flecks(rng: np.random.Generator, _x: Floats, _y: Floats, cell: float) -> Floats:
    return (noise(rng, (SIDE, SIDE), cell * rng.uniform(0.1, 0.35)) > 1.3).astype(np.float32)


def _paper(rng: np.random.Generator, x: Floats, y: Floats, cell: float) -> Floats:
    cell *= rng.uniform(0.3, 0.8)
    lines = (y / cell) % 1 < 0.07
    return np.maximum(lines, ((x / cell) % 1 < 0.07) * rng.integers(2)).astype(np.float32)


def _felt(rng: np.random.Generator, _x: Floats, _y: Floats, _cell: float) -> Floats:
    return np.clip(0.5 + 0.3 * noise(rng, (SIDE, SIDE), rng.uniform(1.0, 4.0)), 0, 1)


# Each gives the share (SIDE, SIDE) 0-1 of a floor's second colour; the last number is a die's edge in pixels.
PATTERNS = {
    "plain": _felt, "felt": _felt, "wood": _wood, "leather": _leather, "weave": _weave, "checker": _checker,
    "stripes": _stripes, "dots": _dots, "cork": _cork, "paper": _paper, "patches": _patches,
    "flecks": _flecks,
}  # fmt: skip
KINDS = tuple(PATTERNS)
ONE_MATERIAL = {"plain", "felt", "leather", "wood", "weave", "cork"}


def _colour(rng: np.random.Generator) -> NDArray[np.floating]:
    if rng.random() < 0.35:
        return np.clip(
            np.full(3, rng.choice([0.02, 0.08, 0.25, 0.6, 0.85])) + rng.normal(0, 0.04, 3), 0.005, 1
        )
    return np.clip(rng.uniform(0, 1, 3) ** 2 * rng.uniform(0.3, 1), 0.005, 1)


def floor_drawing(rng: np.random.Generator, edge: float) -> Floats:
    """One floor (SIDE, SIDE, 3) on which a die would be `edge` pixels wide."""
    kind = KINDS[rng.integers(len(KINDS))]
    first, second = _colour(rng), _colour(rng)
    if kind in ONE_MATERIAL:
        second = np.clip(first * rng.uniform(0.55, 1.5) + rng.normal(0, 0.02, 3), 0.003, 1)
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    picture = _mix(first, second, PATTERNS[kind](rng, x, y, edge))
    blotches = (
        1 + 0.08 * noise(rng, (SIDE, SIDE), edge * 2) + rng.uniform(0, 0.06) * noise(rng, (SIDE, SIDE), 2)
    )
    return np.clip(picture * blotches[..., None], 0.002, 1)


def lay(rng: np.random.Generator, view: View, size_wh: tuple[int, int]) -> Floats:
    """A floor (h, w, 3) as the camera sees it, with a rim and another floor beyond it now and then."""
    corners = np.array([[0, 0], [size_wh[0], 0], [size_wh[0], size_wh[1]], [0, size_wh[1]]], float)
    to_floor = np.linalg.inv(view.floor_homography())
    ground = np.concatenate([corners, np.ones((4, 1))], 1) @ to_floor.T
    ground = ground[:, :2] / ground[:, 2:]
    reach = max(float(np.abs(ground).max()), 1.0)
    scale = SIDE / (2 * reach)
    turn = rng.uniform(0, np.pi)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) * scale * 0.7
    table = np.eye(3)
    table[:2, :2], table[:2, 2] = spin, SIDE / 2
    whole = np.asarray(table @ to_floor)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    drawing = floor_drawing(rng, scale)
    picture = cv2.warpPerspective(drawing, whole, size_wh, flags=flags, borderMode=cv2.BORDER_REFLECT)
    if rng.random() < 0.3:
        _rim(rng, view, picture, reach)
    return np.asarray(picture, np.float32)


def _rim(rng: np.random.Generator, view: View, picture: Floats, reach: float) -> None:
    """Paint what lies beyond a tray's rim."""
    size = (picture.shape[1], picture.shape[0])
    radius = reach * rng.uniform(0.35, 0.8)
    count = int(rng.choice([4, 8, 40]))
    angles = np.arange(count) * 2 * np.pi / count + rng.uniform(0, 1)
    beyond = cv2.resize(floor_drawing(rng, 30), size)
    for grow, paint in ((1.06, True), (1.0, False)):
        ring = np.stack([np.cos(angles) * radius * grow, np.sin(angles) * radius * grow, 0 * angles], 1)
        inside = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillPoly(inside, [np.clip(view.project(ring), -9999, 9999).astype(np.int32)], 1)
        if paint:
            outer = inside == 0
        else:
            wall = (inside == 0) & ~outer
    picture[outer] = beyond[outer]
    picture[wall] = _colour(rng)
