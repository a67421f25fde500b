"""Drawn hands with their arms, to be laid over pictures: every skin, sleeve, glove, ring and pose."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

PX_PER_MM = 0.5
REACH_MM = (-1000.0, 140.0)
HALF_WIDTH_MM = 95.0
HAND, SLEEVE = 1, 2
MOST = 0.5
"""A hand that would cover more of the picture is not laid: plain ground is no hand."""
LONG = (0.3, 1.3)
"""A hand from wrist to finger tips, as a share of the picture's width."""
SKINS = ((246, 218, 200), (234, 190, 165), (214, 164, 134), (186, 134, 100), (150, 104, 76), (112, 76, 54),
         (92, 62, 46), (60, 40, 32))  # fmt: skip
"""Red, green, blue, 0-255, from the palest to the darkest."""
# x, y of root and tip, radius; mm, the palm's middle at (0, 0) and the fingers along +x; the thumb last.
FINGERS = ((26, -29, 80, -38, 8.3), (30, -10, 98, -14, 9.2), (30, 9, 94, 12, 9.0), (26, 27, 78, 36, 8.2),
           (-12, 33, 36, 64, 10.5))  # fmt: skip


class Hand(NamedTuple):
    """light: (h, w, 3) float32 BGR 0-255; cover: (h, w) float32 0-1; palm: its middle, x, y px.

    sleeve_px: x up to which there is a sleeve.
    """

    light: Floats
    cover: Floats
    palm: tuple[float, float]
    sleeve_px: float = -1.0


def _bar(x: Floats, y: Floats, a: NDArray[np.float64], b: NDArray[np.float64], wide: float) -> Floats:
    """Height, mm, of a round bar from a to b above its middle line's plane; negative outside."""
    step = b - a
    along = np.clip(((x - a[0]) * step[0] + (y - a[1]) * step[1]) / max(float(step @ step), 1.0), 0, 1)
    away = np.hypot(x - a[0] - along * step[0], y - a[1] - along * step[1])
    return np.where(away < wide, np.sqrt(np.maximum(wide**2 - away**2, 0)), wide - away).astype(np.float32)


def _fingers(rng: np.random.Generator) -> list[tuple[NDArray[np.float64], NDArray[np.float64], float]]:
    """Bars of the fingers of one pose: stretched, bent, spread, or closed to a fist."""
    pose, spread, turn = rng.uniform(0.0, 1.0), rng.uniform(0.6, 1.9), rng.normal(0, 0.15)
    bent = rng.uniform(0.35, 1.1) if pose < 0.75 else rng.uniform(0.1, 0.4)
    bars = []
    for number, (x0, y0, x1, y1, wide) in enumerate(FINGERS):
        if rng.random() < 0.08:
            continue
        root = np.array([x0, y0], float)
        way = np.array([x1 - x0, (y1 - y0) * spread], float)
        bend = np.clip(bent * rng.uniform(0.7, 1.25), 0.1, 1.15)
        angle = turn + rng.normal(0, 0.35 if number == 4 else 0.09)
        c, s = np.cos(angle), np.sin(angle)
        way = np.array([[c, -s], [s, c]]) @ way * bend
        middle, side = root + 0.55 * way, rng.normal(0, 5)
        tip = root + way + np.array([-way[1], way[0]]) / max(float(np.hypot(*way)), 1) * side
        bars += [(root, middle, wide * 1.05), (middle, tip, wide * rng.uniform(0.8, 1.0))]
    return bars


def _colours(rng: np.random.Generator, x: Floats, sleeve_mm: float) -> Floats:
    """(h, w, 3) BGR 0-255, the colour of everything: skin or glove, sleeve, band at the wrist."""
    skin = np.array(SKINS[rng.integers(len(SKINS))], float) * rng.uniform(0.88, 1.1) + rng.normal(0, 5, 3)
    if rng.random() < 0.05:
        skin = rng.uniform(10, 245, 3)
    sleeve = rng.uniform(5, 250, 3) if rng.random() < 0.6 else np.full(3, rng.uniform(8, 245))
    picture = np.where((x < sleeve_mm)[..., None], sleeve, skin).astype(np.float32)
    if rng.random() < 0.4:
        wave = np.sin(x * rng.uniform(0.05, 2.0))
        picture *= np.where(x < sleeve_mm, 1 + rng.uniform(0.03, 0.3) * wave, 1)[..., None]
    if rng.random() < 0.25:
        start, broad = rng.uniform(-110, -60), rng.uniform(8, 30)
        picture[(x > start) & (x < start + broad)] = rng.uniform(5, 240, 3)
    return np.ascontiguousarray(picture[..., ::-1])


def draw_hand(rng: np.random.Generator) -> Hand:
    """One hand and its arm, as seen from above, under one lamp."""
    grid = np.meshgrid(
        np.arange(*REACH_MM, 1 / PX_PER_MM), np.arange(-HALF_WIDTH_MM, HALF_WIDTH_MM, 1 / PX_PER_MM)
    )
    x, y = (side.astype(np.float32) for side in grid)
    big = rng.uniform(0.85, 1.15)
    wrist, arm = rng.uniform(24, 32), rng.uniform(30, 46)
    sleeve_mm = rng.uniform(-330, -45) if rng.random() < 0.7 else -2000.0
    loose = rng.uniform(1.0, 1.5)
    palm = [((-24, -13), (20, -21), 24), ((-24, 12), (18, 19), 24), ((-20, 0), (22, 0), 27)]
    bars = [(np.array(a, float), np.array(b, float), wide * big) for a, b, wide in palm]
    bars += [(np.array([-60.0, 0]), np.array([-20.0, 0]), wrist)]
    bars += [(np.array([-1100.0, 0]), np.array([-62.0, 0]), arm)]
    bars += [(a * big, b * big, wide * big) for a, b, wide in _fingers(rng)]
    height = np.full(x.shape, -9, np.float32)
    for a, b, wide in bars:
        bar = _bar(x, y, a, b, wide)
        mix = np.maximum(5 - np.abs(height - bar), 0) / 5
        height = np.maximum(height, bar) + mix * mix * 1.25
    if sleeve_mm > REACH_MM[0]:
        cloth = _bar(x, y, np.array([-1100.0, 0]), np.array([sleeve_mm, 0]), arm * loose)
        cloth += rng.uniform(0, 4) * np.sin(x / rng.uniform(8, 30) + y / rng.uniform(6, 30))
        height = np.where(x < sleeve_mm, np.maximum(height, cloth), height)
    body = cv2.GaussianBlur(np.maximum(height, 0), (0, 0), 0.6)
    dx, dy = (cv2.Sobel(body, cv2.CV_32F, *way, scale=PX_PER_MM / 8) for way in ((1, 0), (0, 1)))
    angle, low = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 0.8)
    facing = (1 - low * (np.cos(angle) * dx + np.sin(angle) * dy)) / np.sqrt(dx * dx + dy * dy + 1)
    dim = rng.uniform(0.2, 0.7)
    tone = dim + (1 - dim) * np.clip(facing / (1 + 0.5 * low), 0, 1.2)
    mottled = cv2.GaussianBlur(rng.normal(0, 1, x.shape).astype(np.float32), (0, 0), 3)
    tone *= 1 + rng.uniform(0, 0.6) * mottled
    light = _colours(rng, x, sleeve_mm) * tone[..., None]
    if rng.random() < 0.5:
        light = light[::-1]
        height = height[::-1]
    middle = (-REACH_MM[0] * PX_PER_MM, HALF_WIDTH_MM * PX_PER_MM)
    return Hand(
        np.ascontiguousarray(light, np.float32),
        np.clip(height * 0.7 + 1, 0, 1).astype(np.float32),
        middle,
        (sleeve_mm - REACH_MM[0]) * PX_PER_MM,
    )


def lay_hand(rng: np.random.Generator, picture: Floats, shows: NDArray[np.uint8], hand: Hand) -> None:
    """Lay a hand and its shadow over a picture (h, w, 3; 0-255); `shows` tells HAND or SLEEVE there.

    It comes in from any side; its palm lies anywhere within the picture.
    """
    high, wide = shows.shape
    long_px = np.exp(rng.uniform(*np.log(LONG))) * wide  # from wrist to finger tips
    scale = long_px / (180 * PX_PER_MM)
    goal = rng.uniform(-0.05, 1.05, 2) * (wide, high)
    angle = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    turn = np.array([[c, -s], [s, c]])
    place = np.column_stack([turn, goal - turn @ hand.palm])
    cover = cv2.warpAffine(hand.cover, place, (wide, high), flags=cv2.INTER_AREA)[..., None]
    if cover.mean() > MOST:
        return
    shift = rng.normal(0, 0.12, 2) * long_px
    shade = place.copy()
    shade[:, 2] += shift
    soft = cv2.warpAffine(hand.cover, shade, (wide, high))
    soft = cv2.GaussianBlur(soft, (0, 0), rng.uniform(0.6, 3))
    picture *= 1 - np.float32(rng.uniform(0, 0.65)) * soft[..., None]
    bright = float(np.percentile(picture, 85)) / 190 * rng.uniform(0.6, 1.3)
    light = cv2.warpAffine(hand.light, place, (wide, high), flags=cv2.INTER_AREA)
    if rng.random() < 0.35:
        light = light * np.exp(rng.normal(-0.15, 0.35) + rng.normal(0, 0.08, 3)).astype(np.float32)
    elif rng.random() < 0.5 and cover.max() > 0.9:
        usual = np.median(light[cover[..., 0] > 0.9], 0)
        skin = np.array(SKINS[rng.integers(len(SKINS))][::-1]) * np.exp(rng.normal(0, 0.08, 3))
        light = light * (skin / np.maximum(usual, 8)).astype(np.float32)
    picture += (light * np.float32(np.clip(bright, 0.25, 1.3)) - picture) * cover
    y, x = np.mgrid[:high, :wide]
    along = hand.palm[0] + (c * (x - goal[0]) + s * (y - goal[1])) / scale**2
    there = cover[..., 0] > 0.5
    shows[there] = np.where(along < hand.sleeve_px, SLEEVE, HAND)[there]
