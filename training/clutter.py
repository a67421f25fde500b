"""Things on a table that are not dice: coins, cards, dominoes, pencils, other dice, pads, bricks, fingers."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from training.view import Floats, View

TILE = 160  # pixels of a thing's own drawing


@dataclass(frozen=True, slots=True)
class Thing:
    """One drawn thing: its middle and size in world units (the edge of a die), its kind."""

    kind: str
    middle: tuple[float, float]
    size: float


def _colour(rng: np.random.Generator) -> tuple[float, float, float]:
    red, green, blue = np.clip(rng.uniform(0, 1, 3) ** 1.5, 0.01, 1)
    return float(red), float(green), float(blue)


def _ink(rng: np.random.Generator) -> tuple[float, float, float]:
    return ((0.02, 0.02, 0.02), (0.6, 0.02, 0.03), (0.03, 0.05, 0.4), (0.9, 0.9, 0.9))[rng.integers(4)]


def _coin(rng: np.random.Generator, tile: Floats, cover: Floats) -> None:
    metal = ((0.6, 0.5, 0.2), (0.5, 0.5, 0.52), (0.45, 0.2, 0.08))[rng.integers(3)]
    middle = (TILE // 2, TILE // 2)
    cv2.circle(cover, middle, TILE // 2 - 4, 1, -1)
    tile[:] = metal
    shade = 0.75 + 0.25 * rng.random()
    cv2.circle(tile, middle, int(TILE * 0.42), tuple(c * shade for c in metal), int(rng.integers(2, 8)))
    text = str(rng.choice(["1", "2", "5", "10", "20", "50", "E", "*"]))
    cv2.putText(tile, text, (TILE // 4, int(TILE * 0.66)), 0, 2.2, tuple(c * 0.6 for c in metal), 7)
    if rng.random() < 0.3:
        cv2.circle(tile, middle, int(TILE * 0.25), ((0.6, 0.5, 0.2), (0.5, 0.5, 0.52))[rng.integers(2)], -1)


def _card(rng: np.random.Generator, tile: Floats, cover: Floats) -> None:
    wide = int(TILE * 0.34)
    left, right = TILE // 2 - wide, TILE // 2 + wide
    cv2.rectangle(cover, (left, 4), (right, TILE - 4), 1, -1)
    tile[:] = (0.88, 0.88, 0.85)
    ink = ((0.6, 0.02, 0.03), (0.02, 0.02, 0.02))[rng.integers(2)]
    for x in np.linspace(left + 22, right - 22, int(rng.integers(1, 4))):
        for y in np.linspace(34, TILE - 34, int(rng.integers(1, 5))):
            if rng.random() < 0.5:
                cv2.drawMarker(tile, (int(x), int(y)), ink, cv2.MARKER_DIAMOND, 12, 6)
            else:
                cv2.ellipse(tile, (int(x), int(y)), (8, 10), 0, 0, 360, ink, -1)


def _domino(rng: np.random.Generator, tile: Floats, cover: Floats) -> None:
    wide = TILE // 4 - 2
    left, right = TILE // 2 - wide, TILE // 2 + wide
    cv2.rectangle(cover, (left, 2), (right, TILE - 2), 1, -1)
    dark = rng.random() < 0.5
    tile[:] = (0.03, 0.03, 0.03) if dark else (0.85, 0.83, 0.75)
    ink = (0.9, 0.9, 0.9) if dark else (0.03, 0.03, 0.03)
    cv2.line(tile, (left + 6, TILE // 2), (right - 6, TILE // 2), ink, 2)
    for middle in (TILE // 4 + 1, TILE * 3 // 4 - 1):
        value = int(rng.integers(0, 7))
        for a, b in _domino_places(value):
            cv2.circle(tile, (TILE // 2 + a * wide // 2, middle + b * wide // 2), max(4, wide // 6), ink, -1)


def _domino_places(value: int) -> tuple[tuple[int, int], ...]:
    corners = ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0))
    return corners[: value - value % 2] + (((0, 0),) if value % 2 else ())


def _pencil(rng: np.random.Generator, tile: Floats, cover: Floats) -> None:
    tile[:] = _colour(rng)
    cv2.rectangle(cover, (0, TILE // 2 - 12), (TILE, TILE // 2 + 12), 1, -1)
    for y in (-4, 5):
        cv2.line(tile, (0, TILE // 2 + y), (TILE, TILE // 2 + y), _colour(rng), 2)


def _many_sided(rng: np.random.Generator, tile: Floats, cover: Floats) -> None:
    """A die with another number of sides: facets, a numeral on the nearest, often smaller ones round it."""
    count = int(rng.choice([3, 4, 5, 6, 6, 6, 8]))
    turn = rng.uniform(0, 6)
    angles = turn + np.arange(count) * 2 * np.pi / count
    ring = (TILE / 2 + TILE * 0.46 * np.stack([np.cos(angles), np.sin(angles)], 1)).astype(np.int32)
    cv2.fillPoly(cover, [ring], 1)
    body = np.array(_colour(rng))
    middle = (TILE // 2 + int(rng.integers(-9, 10)), TILE // 2 + int(rng.integers(-9, 10)))
    for one, other in zip(ring, np.roll(ring, 1, 0), strict=True):
        facet = np.array([one, other, middle], np.int32)
        cv2.fillPoly(tile, [facet], tuple(map(float, body * rng.uniform(0.6, 1.1))))
    ink = ((0.9, 0.9, 0.9), (0.7, 0.5, 0.1))[rng.integers(2)] if body.mean() < 0.4 else (0.03, 0.03, 0.03)
    small = rng.random() < 0.7
    if count >= 5:
        # the nearest side: of a die with twenty a triangle, of others about the outline again
        inner = angles[::2] + np.pi / 3 if count == 6 and small else angles
        face = TILE / 2 + TILE * rng.uniform(0.25, 0.32) * np.stack([np.cos(inner), np.sin(inner)], 1)
        cv2.fillPoly(tile, [face.astype(np.int32)], tuple(map(float, body * 1.1)))
    _numeral(tile, (TILE // 2, TILE // 2), float(rng.uniform(0.9, 1.5)), ink, rng)
    for angle in angles[:: 2 if rng.random() < 0.5 else 1] if small else ():
        at = TILE / 2 + TILE * 0.34 * np.array([np.cos(angle + 0.5), np.sin(angle + 0.5)])
        _numeral(tile, (int(at[0]), int(at[1])), float(rng.uniform(0.4, 0.8)), ink, rng)


def _numeral(
    tile: Floats,
    at: tuple[int, int],
    scale: float,
    ink: tuple[float, float, float],
    rng: np.random.Generator,
) -> None:
    text, thick = str(rng.integers(1, 21)), max(2, round(4 * scale))
    (wide, high), _ = cv2.getTextSize(text, 0, scale, thick)
    cv2.putText(tile, text, (at[0] - wide // 2, at[1] + high // 2), 0, scale, ink, thick, cv2.LINE_AA)


def _pad(rng: np.random.Generator, tile: Floats, cover: Floats) -> None:
    cover[:] = 1
    tile[:] = (0.88, 0.88, 0.86)
    step = int(rng.integers(9, 26))
    ink = tuple(float(c) for c in np.array(_ink(rng)) * 0.5 + 0.2)
    for at in range(step, TILE, step):
        cv2.line(tile, (6, at), (TILE - 6, at), ink, 1)
        if rng.random() < 0.7:
            cv2.line(tile, (at, 6), (at, TILE - 6), ink, 1)
        text = "".join(rng.choice(list("abcdefgosiln oO.123:456"), int(rng.integers(1, 12))))
        cv2.putText(tile, text, (int(rng.integers(4, 70)), at), 0, step / 34, _ink(rng), 1, cv2.LINE_AA)
        if rng.random() < 0.35:
            for dot in range(int(rng.integers(1, 7))):
                cv2.circle(tile, (12 + dot * step // 2, at - step // 3), max(1, step // 7), _ink(rng), -1)


def _brick(rng: np.random.Generator, tile: Floats, cover: Floats) -> None:
    body = np.array(_colour(rng))
    tile[:] = body
    rows, columns = int(rng.integers(1, 4)), int(rng.integers(2, 5))
    step = TILE // (max(rows, columns) + 1)
    half_w, half_h = columns * step // 2 + 3, rows * step // 2 + 3
    cv2.rectangle(
        cover, (TILE // 2 - half_w, TILE // 2 - half_h), (TILE // 2 + half_w, TILE // 2 + half_h), 1, -1
    )
    for row in range(rows):
        for column in range(columns):
            at = (
                TILE // 2 - half_w + 3 + step // 2 + column * step,
                TILE // 2 - half_h + 3 + step // 2 + row * step,
            )
            cv2.circle(tile, (at[0] + 2, at[1] + 2), int(step * 0.33), tuple(map(float, body * 0.5)), -1)
            cv2.circle(tile, at, int(step * 0.31), tuple(map(float, np.minimum(body * 1.15, 1))), -1)


def _bare_pips(rng: np.random.Generator, tile: Floats, cover: Floats) -> None:
    """Dots without a die round them: holes, crumbs, a printed pattern."""
    tile[:] = _ink(rng)
    for _ in range(int(rng.integers(1, 7))):
        at = tuple(int(v) for v in rng.integers(20, TILE - 20, 2))
        cv2.circle(cover, at, int(rng.integers(6, 18)), 1, -1)


def _disc(rng: np.random.Generator, tile: Floats, cover: Floats) -> None:
    """A button or a counter: none to four holes, mostly with a rim."""
    body = np.array(_colour(rng))
    tile[:] = body
    middle, reach = (TILE // 2, TILE // 2), TILE // 2 - 6
    cv2.circle(cover, middle, reach, 1, -1)
    if rng.random() < 0.7:
        shade = tuple(map(float, np.minimum(body * rng.uniform(0.5, 1.3), 1)))
        cv2.circle(tile, middle, int(reach * rng.uniform(0.6, 0.9)), shade, int(rng.choice([2, 4, 8, -1])))
    holes = int(rng.choice([0, 1, 2, 2, 3, 4, 4]))
    apart, turn = TILE * rng.uniform(0.08, 0.17), rng.uniform(0, 2 * np.pi)
    hollow = tuple(map(float, body * rng.uniform(0.1, 0.6)))
    wide = int(TILE * rng.uniform(0.03, 0.08))
    for hole in range(holes):
        angle = hole * 2 * np.pi / max(holes, 1) + turn
        away = 0 if holes == 1 else apart
        at = (int(TILE / 2 + away * np.cos(angle)), int(TILE / 2 + away * np.sin(angle)))
        cv2.circle(tile, at, wide, hollow, -1, cv2.LINE_AA)


def _bead(rng: np.random.Generator, tile: Floats, cover: Floats) -> None:
    """A glass bead or a ball: round, with one to three lights mirrored in it."""
    body = np.array(_colour(rng))
    reach = TILE // 2 - 6
    cv2.circle(cover, (TILE // 2, TILE // 2), reach, 1, -1)
    y, x = (np.mgrid[0:TILE, 0:TILE] - TILE / 2) / reach
    towards = rng.uniform(-0.5, 0.5, 2)
    lit = 1 - 0.55 * np.clip((x - towards[0]) ** 2 + (y - towards[1]) ** 2, 0, 1.6)
    tile[:] = np.clip(body * lit[..., None] * rng.uniform(0.8, 1.3), 0, 1)
    for _ in range(int(rng.integers(1, 4))):
        at = TILE / 2 + reach * rng.uniform(-0.55, 0.55, 2)
        axes = (int(reach * rng.uniform(0.04, 0.13)), int(reach * rng.uniform(0.04, 0.2)))
        cv2.ellipse(tile, (int(at[0]), int(at[1])), axes, rng.uniform(0, 180), 0, 360, (1.0, 1.0, 1.0), -1)


def _marker(rng: np.random.Generator, tile: Floats, cover: Floats) -> None:
    cover[:] = 1
    tile[:] = 0.85
    cells = (rng.random((6, 6)) < 0.5).astype(np.float32)
    cells[[0, -1]] = 0
    cells[:, [0, -1]] = 0
    inner = cv2.resize(cells, (TILE - 30, TILE - 30), interpolation=cv2.INTER_NEAREST)
    tile[15:-15, 15:-15] = np.maximum(inner * 0.85, 0.02)[..., None]


# Drawer, least and largest size in edges of a die.
DRAWERS = {
    "coin": (_coin, 0.9, 1.8),
    "card": (_card, 3.5, 6),
    "domino": (_domino, 1.8, 3.2),
    "pencil": (_pencil, 4, 10),
    "many_sided": (_many_sided, 0.8, 1.7),
    "pad": (_pad, 3, 9),
    "brick": (_brick, 0.9, 2.2),
    "bare_pips": (_bare_pips, 0.7, 1.8),
    "disc": (_disc, 0.5, 1.6),
    "bead": (_bead, 0.4, 1.2),
    "marker": (_marker, 1, 3),
}


def put_thing(rng: np.random.Generator, picture: Floats, view: View, reach: float) -> Thing:
    """Draw one thing flat on the table within `reach` of its middle into `picture` (linear RGB)."""
    kind = tuple(DRAWERS)[rng.integers(len(DRAWERS))]
    drawer, least, most = DRAWERS[kind]
    size = float(rng.uniform(least, most))
    tile, cover = np.zeros((TILE, TILE, 3), np.float32), np.zeros((TILE, TILE), np.float32)
    drawer(rng, tile, cover)
    middle = rng.uniform(-reach, reach, 2)
    turn = rng.uniform(0, 2 * np.pi)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) * size / TILE
    to_table = np.eye(3)
    to_table[:2, :2], to_table[:2, 2] = spin, middle - spin @ np.full(2, TILE / 2)
    whole = view.floor_homography() @ to_table
    size_wh = (picture.shape[1], picture.shape[0])
    light = float(rng.uniform(0.5, 1.1))
    _shadow(picture, whole, cover, rng)
    share = cv2.warpPerspective(cover, whole, size_wh)[..., None]
    picture *= 1 - share
    picture += cv2.warpPerspective(np.minimum(tile * light, 1), whole, size_wh) * share
    return Thing(kind, (float(middle[0]), float(middle[1])), size)


def _shadow(picture: Floats, whole: NDArray[np.float64], cover: Floats, rng: np.random.Generator) -> None:
    shifted = np.array([[1, 0, rng.uniform(-7, 7)], [0, 1, rng.uniform(-7, 7)], [0, 0, 1]]) @ whole
    soft = cv2.GaussianBlur(
        cv2.warpPerspective(cover, shifted, (picture.shape[1], picture.shape[0])), (0, 0), 3
    )
    picture *= 1 - rng.uniform(0, 0.4) * soft[..., None]


def put_finger(
    rng: np.random.Generator, picture: Floats, tip: NDArray[np.floating], wide: float
) -> NDArray[np.bool_]:
    """Draw a finger or a round stick that ends at pixel `tip`; gives the pixels (h, w) it hides."""
    skin = np.array(((0.55, 0.3, 0.2), (0.75, 0.5, 0.38), (0.25, 0.12, 0.07), _colour(rng))[rng.integers(4)])
    angle = rng.uniform(0, 2 * np.pi)
    away = tip + np.array([np.cos(angle), np.sin(angle)]) * 2000
    hidden = np.zeros(picture.shape[:2], np.uint8)
    ends = [tuple(int(v) for v in end) for end in (tip, away)]
    cv2.line(hidden, ends[0], ends[1], 1, max(2, int(wide)))
    depth = cv2.distanceTransform(hidden, cv2.DIST_L2, 3)
    round_light = 0.45 + 0.55 * np.clip(depth / (wide / 2), 0, 1) ** 0.7
    mask = hidden > 0
    picture[mask] = (skin * round_light[..., None])[mask]
    return mask
