"""A hand with its forearm, drawn once as a sprite and laid over the picture where it is wanted."""

from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.compose import Image, PixelBox
from simulator.geometry import CameraView, Floats
from simulator.linear_light import coded, lamp_colour, linear
from simulator.scene import Rgb, SceneHand, SceneLight

SPRITE_PX_PER_MM = 2.0
REACH_MM = (-430.0, 130.0)
HALF_WIDTH_MM = 80.0
SLEEVE_MM = -150.0
LOWEST_MM = -8.0
"""Height of what is no hand."""
SOFT_MM = 5.0
"""Bars that differ by less in height are blended."""

# Capsules (x0, y0, x1, y1, radius) in mm with the palm's middle at (0, 0) and the fingers along +x.
_PALM = (
    (-22, -14, 20, -22, 24),
    (-24, 12, 18, 20, 24),
    (-20, 0, 22, 0, 26),
    (-430, 0, -60, 0, 36),
    (-60, 0, -20, 0, 30),
)
_OPEN = (
    (28, -30, 84, -40, 8.5),
    (32, -11, 100, -15, 9.2),
    (32, 9, 96, 12, 9.0),
    (26, 28, 76, 40, 8),
    (-12, 34, 34, 66, 10.5),
)
_CLOSED = (
    (28, -27, 52, -24, 9.5),
    (32, -10, 58, -9, 10),
    (32, 8, 57, 8, 10),
    (26, 24, 50, 22, 9),
    (-8, 34, 38, 34, 11),
)


class LaidHand(NamedTuple):
    """Where a hand was laid: the part of the picture that changed, and how much of it, (h, w) 0-255."""

    box: PixelBox
    cover: Image


class Sprite(NamedTuple):
    """picture: (h, w, 3) uint8 BGR; cover: (h, w) uint8."""

    picture: Image
    cover: Image


def lay_hand(picture: Image, view: CameraView, hand: SceneHand, light: SceneLight) -> LaidHand | None:
    """Lay the hand and its shadow over a picture, in place; None when it is outside."""
    sprite = hand_sprite(hand.open, hand.skin, light.warmth, light.lamp + light.room)
    at = view.project([(*hand.at_mm, hand.height_mm), (*_shadow_of(hand, light), 0.0)])
    scale = view.px_per_mm((*hand.at_mm, hand.height_mm)) / SPRITE_PX_PER_MM
    angle = hand.yaw + np.deg2rad(view.roll_deg)
    place = _affine(at[0], angle, scale)
    shade = _affine(at[1], angle, scale * 0.93)
    box = _covered(place, shade, sprite.cover.shape, view.size_wh)
    if box is None:
        return None
    part = picture[box.slices]
    size = (box.x1 - box.x0, box.y1 - box.y0)
    shift = np.array([[0, 0, box.x0], [0, 0, box.y0]], np.float64)
    soft = max(1.0, hand.height_mm * light.size_mm / light.lamp_mm[2] * view.px_per_mm() * 0.2)
    dark = _soft_shadow(sprite.cover, shade - shift, size, soft)
    shaded = cv2.multiply(part, cv2.merge([dark, dark, dark]), scale=1 / 255)
    over = cv2.warpAffine(sprite.picture, place - shift, size, flags=cv2.INTER_LINEAR)
    cover = cv2.warpAffine(sprite.cover, place - shift, size, flags=cv2.INTER_LINEAR)
    weight = cv2.merge([cover, cover, cover])
    part[:] = cv2.add(
        cv2.multiply(shaded, 255 - weight, scale=1 / 255), cv2.multiply(over, weight, scale=1 / 255)
    )
    return LaidHand(box, np.asarray(cover, np.uint8))


def prepare(light: SceneLight) -> None:
    """Draw the usual hand beforehand, so that its first frame is not late."""
    for spread in (True, False):
        hand_sprite(spread, SceneHand((0, 0)).skin, light.warmth, light.lamp + light.room)


def _soft_shadow(cover: Image, place: NDArray[np.float64], size: tuple[int, int], sigma: float) -> Image:
    """The light left, (h, w) uint8; worked out at a quarter of the size, since it is soft."""
    small = (max(1, size[0] // 4), max(1, size[1] // 4))
    shrink = np.array([[small[0] / size[0]], [small[1] / size[1]]])
    mask = cv2.warpAffine(cover, place * shrink, small, flags=cv2.INTER_LINEAR)
    mask = cv2.GaussianBlur(mask, (0, 0), max(0.8, sigma / 4))
    light = 255 - (mask.astype(np.uint16) * 105 // 255).astype(np.uint8)
    return np.asarray(cv2.resize(light, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def _shadow_of(hand: SceneHand, light: SceneLight) -> tuple[float, float]:
    share = hand.height_mm / (light.lamp_mm[2] - hand.height_mm)
    x, y = hand.at_mm
    return x - (light.lamp_mm[0] - x) * share, y - (light.lamp_mm[1] - y) * share


def _affine(at: NDArray[np.float64], angle: float, scale: float) -> NDArray[np.float64]:
    """Sprite pixels -> picture pixels, (2, 3): the palm's middle goes to `at`, the fingers to `angle`."""
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    turn = np.array([[c, s], [-s, c]])  # the picture's y runs down
    palm = np.array([-REACH_MM[0], HALF_WIDTH_MM]) * SPRITE_PX_PER_MM
    return np.hstack([turn, (at - turn @ palm)[:, None]])


def _covered(
    place: NDArray[np.float64], shade: NDArray[np.float64], shape: tuple[int, ...], size_wh: tuple[int, int]
) -> PixelBox | None:
    height, width = shape[:2]
    corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]], np.float64)
    points = np.concatenate([corners @ place.T, corners @ shade.T])
    low = np.maximum(points.min(0), 0).astype(int)
    high = np.minimum(points.max(0) + 1, size_wh).astype(int)
    return PixelBox(int(low[0]), int(low[1]), int(high[0]), int(high[1])) if (high - low > 4).all() else None


@lru_cache(maxsize=8)
def hand_sprite(spread: bool, skin: Rgb, warmth: float, strength: float) -> Sprite:  # noqa: FBT001 - a cache key
    """A hand and its forearm in that much light of such a warmth, as `SceneLight` tells it."""
    x = np.arange(REACH_MM[0], REACH_MM[1], 1 / SPRITE_PX_PER_MM, dtype=np.float32)[None, :]
    y = np.arange(HALF_WIDTH_MM, -HALF_WIDTH_MM, -1 / SPRITE_PX_PER_MM, dtype=np.float32)[:, None]
    height = np.full((y.size, x.size), LOWEST_MM, np.float32)
    for capsule in (*_PALM, *(_OPEN if spread else _CLOSED)):
        _join(height, x, y, capsule)
    body = np.maximum(height, 0)
    body = cv2.GaussianBlur(body, (0, 0), 1.2)
    dx = cv2.Sobel(body, cv2.CV_32F, 1, 0, scale=SPRITE_PX_PER_MM / 8)
    dy = -cv2.Sobel(body, cv2.CV_32F, 0, 1, scale=SPRITE_PX_PER_MM / 8)
    steep = np.sqrt(dx * dx + dy * dy + 1)
    facing = np.clip((0.35 * dx - 0.3 * dy + 1) / (steep * 1.1), 0, 1)
    rng = np.random.default_rng(5)
    mottled = cv2.GaussianBlur(rng.normal(0, 1, height.shape).astype(np.float32), (0, 0), 7)
    tone = (0.30 + 0.62 * facing) * (1 + 0.5 * mottled) * np.float32(strength)
    # One row of colours: sleeve and skin, and the sleeve's weave, run along the arm.
    sleeve = x[0] < SLEEVE_MM
    colour = np.where(sleeve[:, None], linear((62, 74, 98)), linear(skin) * [0.96, 0.98, 1.02])
    colour = colour * np.where(sleeve, 0.9 + 0.1 * np.sin(x[0] * 2.4), 1)[:, None]
    cover = np.clip(height * 1.2 + 1, 0, 1)
    lamp = lamp_colour(warmth)
    shade = cv2.merge([(colour[:, each] * tone * lamp[each]).astype(np.float32) for each in range(3)])
    return Sprite(coded(np.asarray(shade)), np.asarray(cover * 255, np.uint8))


def _join(height: Floats, x: Floats, y: Floats, capsule: tuple[float, ...]) -> None:
    """Put one more round bar into heights (h, w), mm, blended where it meets what is there.

    x, y: of the columns, (1, w), and of the rows, (h, 1). Farther from the bar than it could reach, nothing
    is worked out.
    """
    x0, y0, x1, y1, radius = capsule
    reach = radius - LOWEST_MM + SOFT_MM + 1
    rows = np.flatnonzero(np.abs(y[:, 0] - (y0 + y1) / 2) <= abs(y1 - y0) / 2 + reach)
    columns = np.flatnonzero(np.abs(x[0] - (x0 + x1) / 2) <= abs(x1 - x0) / 2 + reach)
    part = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    height[part] = _joined(height[part], _capsule(x[:, part[1]], y[part[0]], *capsule))


def _capsule(x: Floats, y: Floats, x0: float, y0: float, x1: float, y1: float, radius: float) -> Floats:
    """Height of a round bar above its middle line's plane, mm; negative outside."""
    dx, dy = x1 - x0, y1 - y0
    along = np.clip(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0, 1)
    away = np.hypot(x - x0 - along * dx, y - y0 - along * dy)
    inside = np.sqrt(np.maximum(radius**2 - away**2, 0))
    return np.asarray(np.where(away < radius, inside, radius - away), np.float32)


def _joined(one: Floats, other: Floats) -> Floats:
    """The higher of two, blended where they meet (I. Quilez, "smooth minimum")."""
    mix = np.maximum(SOFT_MM - np.abs(one - other), 0) / SOFT_MM
    return np.asarray(np.maximum(one, other) + mix * mix * SOFT_MM * 0.25, np.float32)
