"""Dice with other numbers of sides (d4, d8, d10, d12, d20), drawn on pieces of pictures.

Convex bodies resting on a side, seen from above and from beside, numbered, in any colour, speckled, glossy.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, product

import cv2
import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Floats = NDArray[np.float32]

SIDES = (20, 12, 10, 8, 4)
OFTEN = (0.55, 0.17, 0.13, 0.1, 0.05)
"""How often each is drawn: what lies beside dice is mostly a d20."""
FINER = 2
"""So many times finer it is drawn than the picture is that it is laid into."""
TILT_DEG = 55.0
"""The camera looks down from at most this far beside straight down."""
NUMERAL_PX = 64
INKS = ((240, 240, 240), (25, 25, 25), (40, 170, 220), (60, 60, 200), (200, 120, 40), (150, 200, 230))
"""Of numerals, BGR."""
GOLDEN = (1 + 5**0.5) / 2


@lru_cache(maxsize=len(SIDES))
def facets(sides: int) -> tuple[Matrix, ...]:
    """The corners (k, 3) of each side in order, of a body whose outermost corner is 1 from its middle."""
    normals = _normals(sides)
    corners: list[Matrix] = []
    for triple in combinations(range(sides), 3):
        planes = normals[list(triple)]
        if abs(np.linalg.det(planes)) > 1e-6:
            corner = np.linalg.solve(planes, np.ones(3))
            if (normals @ corner < 1 + 1e-6).all() and not any(np.allclose(corner, one) for one in corners):
                corners.append(corner)
    points = np.array(corners)
    found = []
    for normal in normals:
        mine = points[np.abs(points @ normal - 1) < 1e-6]
        right = mine[0] - mine.mean(0)
        away = mine - mine.mean(0)
        turns = np.arctan2(away @ np.cross(normal, right), away @ right * np.linalg.norm(normal))
        found.append(mine[np.argsort(turns)] / np.linalg.norm(points, axis=1).max())
    return tuple(found)


def _normals(sides: int) -> Matrix:
    """(sides, 3) which way they look; the same distance from the middle."""
    signs = list(product((-1.0, 1.0), repeat=3))
    if sides == 4:
        return np.array([each for each in signs if np.prod(each) > 0]) / 3**0.5
    if sides == 8:
        return np.array(signs) / 3**0.5
    if sides == 10:
        turns = np.arange(10) * np.pi / 5
        normals = np.stack([np.cos(turns), np.sin(turns), 0.7 * (-1.0) ** np.arange(10)], 1)
        return normals / np.linalg.norm(normals[0])
    pairs = list(product((-1.0, 1.0), repeat=2))
    if sides == 12:
        around = [(0, a, b * GOLDEN) for a, b in pairs]
    else:
        around = [(0, a / GOLDEN, b * GOLDEN) for a, b in pairs]
    normals = np.array(
        [np.roll(each, k) for each in around for k in range(3)] + (signs if sides == 20 else [])
    )
    return normals / np.linalg.norm(normals[0])


def _pose(rng: np.random.Generator, sides: tuple[Matrix, ...]) -> Matrix:
    """(3, 3) world to camera, in which the body rests on a side; z is towards the camera."""
    foot = -sides[rng.integers(len(sides))].mean(0)
    up = foot / np.linalg.norm(foot)
    right = np.cross(up, np.eye(3)[np.abs(up).argmin()])
    right /= np.linalg.norm(right)
    lying = np.stack([right, np.cross(up, right), up])
    yaw, azimuth, tilt = (*rng.uniform(0, 2 * np.pi, 2), np.radians(TILT_DEG) * rng.random() ** 1.5)
    return _about_z(-azimuth) @ _about_x(tilt) @ _about_z(azimuth + yaw) @ lying


def _about_z(angle: float) -> Matrix:
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]])


def _about_x(angle: float) -> Matrix:
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([[1, 0, 0], [0, cosine, -sine], [0, sine, cosine]])


def lay(rng: np.random.Generator, ground: NDArray[np.uint8], radius: float) -> NDArray[np.uint8]:
    """One in the middle of a piece of a picture. ground: (h, w, 3) uint8; radius: of the body, px."""
    height, width = (FINER * length for length in ground.shape[:2])
    canvas = cv2.resize(ground, (width, height), interpolation=cv2.INTER_LINEAR).astype(np.float32)
    middle, size = np.array([width, height]) / 2, FINER * radius
    sides = facets(int(rng.choice(SIDES, p=OFTEN)))
    turn = _pose(rng, sides)
    seen = [side @ turn.T for side in sides]
    outline = np.concatenate(seen)[:, :2] * size
    _shade(rng, canvas, middle + outline, size)
    body, grain = np.asarray(rng.uniform(0, 255, 3), np.float32), _grain(rng, (height, width))
    ink = np.asarray(INKS[rng.integers(len(INKS))], np.float32)
    if abs(ink.mean() - body.mean()) < 60:
        ink = np.full(3, 235 if body.mean() < 128 else 25, np.float32)
    light = rng.normal((0.0, 0.0, 1.2), 0.6)
    light /= np.linalg.norm(light)
    gloss, dim = rng.random() < 0.5, float(rng.uniform(0.35, 0.8))
    for side in seen:
        out = side.mean(0) / np.linalg.norm(side.mean(0))
        if out[2] <= 0.02:
            continue
        corners = middle + side[:, :2] * size
        lit = dim + (1.05 - dim) * max(0.0, float(out @ light)) + rng.normal(0, 0.04)
        mask = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(mask, np.round(16 * corners).astype(np.int32), 255, cv2.LINE_AA, 4)
        shown = body * np.float32(lit) + grain[..., None]
        if gloss:
            mirrored = 2 * (out @ light) * out - light
            shown = shown + np.float32(200 * max(0.0, float(mirrored[2])) ** 20)
        _number(rng, shown, side, middle, size, ink * np.float32(min(1.0, lit)))
        share = mask[..., None].astype(np.float32) / 255
        canvas += share * (shown - canvas)
        if rng.random() < 0.6:
            edge = np.clip(body * np.float32(lit * rng.choice((0.7, 1.4))) + 20, 0, 255)
            line = np.round(16 * corners).astype(np.int32)
            over = canvas.copy()
            cv2.polylines(over, [line], isClosed=True, color=edge.tolist(), thickness=FINER, shift=4)
            canvas += np.float32(0.5) * (over - canvas)
    laid = cv2.GaussianBlur(np.clip(canvas, 0, 255), (0, 0), FINER * float(rng.uniform(0.4, 0.9)))
    return np.asarray(cv2.resize(laid, ground.shape[1::-1], interpolation=cv2.INTER_AREA), np.uint8)


def _shade(rng: np.random.Generator, canvas: Floats, outline: Matrix, size: float) -> None:
    """A shadow beside the body, in place."""
    aside = outline + rng.normal(0, 0.3, 2) * size
    hull = cv2.convexHull(np.concatenate([outline, aside]).astype(np.float32))
    dark = np.zeros(canvas.shape[:2], np.float32)
    cv2.fillConvexPoly(dark, np.round(hull).astype(np.int32), float(rng.uniform(0.15, 0.7)))
    dark = cv2.GaussianBlur(dark, (0, 0), max(1.0, size * float(rng.uniform(0.05, 0.25))))
    canvas *= 1 - dark[..., None]


def _grain(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Speckle or marble; nothing of many bodies."""
    kind = rng.random()
    if kind < 0.5:
        return np.zeros(shape, np.float32)
    noise = rng.standard_normal(shape).astype(np.float32)
    noise = cv2.GaussianBlur(noise, (0, 0), float(rng.uniform(1, 2) if kind < 0.7 else rng.uniform(4, 14)))
    return np.asarray(noise / noise.std() * rng.uniform(4, 30), np.float32)


def _number(
    rng: np.random.Generator, shown: Floats, side: Matrix, middle: Matrix, size: float, ink: Floats
) -> None:
    """A number in the middle of a side, in place."""
    at, towards = side.mean(0), side[0] - side.mean(0)
    out = at / np.linalg.norm(at)
    within = np.linalg.norm((side + np.roll(side, 1, 0)) / 2 - at, axis=1).min()
    up = towards / np.linalg.norm(towards) * within * rng.uniform(0.7, 1.0)
    right = np.cross(up, out)
    text, thick = str(rng.integers(1, 21)), int(rng.integers(3, 8))
    scale = 1.9 if len(text) == 1 else 1.3
    tile = np.zeros((NUMERAL_PX, NUMERAL_PX), np.uint8)
    font = int(rng.choice((cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX)))
    (wide, high), _ = cv2.getTextSize(text, font, scale, thick)
    cv2.putText(
        tile,
        text,
        ((NUMERAL_PX - wide) // 2, (NUMERAL_PX + high) // 2),
        font,
        scale,
        (255,),
        thick,
        cv2.LINE_AA,
    )
    corners = middle + size * np.array([at + up - right, at + up + right, at - up - right])[:, :2]
    matrix = cv2.getAffineTransform(
        np.array([[0, 0], [NUMERAL_PX, 0], [0, NUMERAL_PX]], np.float32), corners.astype(np.float32)
    )
    cover = cv2.warpAffine(tile, matrix, shown.shape[1::-1], flags=cv2.INTER_LINEAR).astype(np.float32) / 255
    shown += cover[..., None] * (ink - shown)


def laid(rng: np.random.Generator, grounds: list[NDArray[np.uint8]]) -> Iterator[NDArray[np.uint8]]:
    """Endless pieces of pictures with one in the middle, its radius a tenth to a quarter of the width."""
    while True:
        ground = grounds[rng.integers(len(grounds))]
        yield lay(rng, ground, ground.shape[1] * float(rng.uniform(0.1, 0.25)))
