"""Puts backdrop, shadows and drawn dice together, and sends the light through lens and sensor."""

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.backdrop import Backdrop
from simulator.die_drawing import Patch, Surroundings, draw_die
from simulator.geometry import CameraView, Doubles, Floats, hull
from simulator.linear_light import coded, in_channels
from simulator.scene import SceneDie, SceneLight, SceneSensor

Image = NDArray[np.uint8]


class PixelBox(NamedTuple):
    """A part of the picture: left, top, right, bottom (right and bottom not included), pixels."""

    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """For arrays: rows, columns."""
        return slice(self.y0, self.y1), slice(self.x0, self.x1)

    def meets(self, other: "PixelBox") -> bool:
        """Whether the two have a pixel in common."""
        return self.x0 < other.x1 and other.x0 < self.x1 and self.y0 < other.y1 and other.y0 < self.y1

    def grown(self, by: int, size_wh: tuple[int, int]) -> "PixelBox":
        """Wider on all sides, within the picture."""
        return PixelBox(
            max(self.x0 - by, 0),
            max(self.y0 - by, 0),
            min(self.x1 + by, size_wh[0]),
            min(self.y1 + by, size_wh[1]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """A die drawn: its patch, its shadow, and how near it is to the lens.

    box: what both cover. shadow, closeness: (h, w) of the box, 0-1: lamp and room light left.
    """

    die: SceneDie
    patch: Patch
    box: PixelBox
    shadow: Floats
    closeness: Floats
    distance_mm: float


def layer(
    view: CameraView,
    die: SceneDie,
    around: Surroundings,
    samples: int = 2,
    lamps: int = 10,
    *,
    coarse: bool = False,
) -> Layer | None:
    """Draw a die and its shadow; None when it is outside the picture.

    samples: rays to a pixel along each axis. lamps: points of the lamp that cast a shadow. coarse: one ray
    to four pixels, for dice that are smeared by their motion anyway.
    """
    if coarse and view.size_wh[0] % 2 == 0 and view.size_wh[1] % 2 == 0:
        patch = _doubled(draw_die(view.halved, die, around, 1))
    else:
        patch = draw_die(view, die, around, samples)
    if patch is None:
        return None
    shadows = [_shadow_on_floor(view, die, spot) for spot in _lamp_spots(around.light, lamps)]
    foot = _foot(view, die)
    every = np.concatenate([*shadows, foot])
    margin = int(2 + die.edge_mm * 0.3 * view.px_per_mm())
    left, top = np.floor(every.min(0)).astype(int) - margin
    right, bottom = np.ceil(every.max(0)).astype(int) + margin
    height, width = patch.cover.shape
    box = PixelBox(
        max(min(int(left), patch.x), 0),
        max(min(int(top), patch.y), 0),
        min(max(int(right), patch.x + width), view.size_wh[0]),
        min(max(int(bottom), patch.y + height), view.size_wh[1]),
    )
    # A shadow far outside the picture must not make the box as large as the world.
    size = (box.y1 - box.y0, box.x1 - box.x0)
    dark: Floats = np.zeros(size, np.float32)
    for shadow in shadows:
        dark += _filled(shadow, box, size)
    dark = _soft(dark / np.float32(len(shadows)), max(0.6, 0.02 * die.edge_mm * view.px_per_mm()))
    lift = max(0.0, die.position_mm[2] - die.edge_mm * 0.75) / die.edge_mm
    near = _soft(_filled(foot, box, size), 0.10 * die.edge_mm * view.px_per_mm())
    closeness = 1 - np.float32(0.62 / (1 + 4 * lift)) * near
    distance = float(np.linalg.norm(view.eye - np.array(die.position_mm)))
    return Layer(die, patch, box, 1 - np.float32(0.96) * dark, np.asarray(closeness, np.float32), distance)


def _doubled(patch: Patch | None) -> Patch | None:
    if patch is None:
        return None
    height, width = patch.cover.shape
    size = (2 * width, 2 * height)
    light = np.asarray(cv2.resize(patch.light, size, interpolation=cv2.INTER_LINEAR), np.float32)
    cover = np.asarray(cv2.resize(patch.cover, size, interpolation=cv2.INTER_LINEAR), np.float32)
    return Patch(2 * patch.x, 2 * patch.y, light, cover, np.repeat(np.repeat(patch.top, 2, 0), 2, 1))


def _lamp_spots(light: SceneLight, count: int) -> Doubles:
    """Points spread over the lamp's disc (Vogel's sunflower), (count, 3) mm."""
    number = np.arange(count) + 0.5
    radius = light.size_mm / 2 * np.sqrt(number / count)
    angle = number * 2.399963
    spread = np.stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros(count)], axis=1)
    return np.asarray(np.array(light.lamp_mm) + spread, np.float64)


def _shadow_on_floor(view: CameraView, die: SceneDie, lamp: Doubles) -> Doubles:
    """Outline of the shadow from one point of the lamp, (n, 2) pixels."""
    middle = np.array(die.position_mm)
    corners = middle + (die.corners_mm - middle) * (1 - 0.22 * min(die.style.rounding, 0.6))
    share = corners[:, 2:] / (lamp[2] - corners[:, 2:])
    on_floor = corners - (lamp - corners) * share
    on_floor[:, 2] = 0
    return hull(view.project(on_floor))


def _foot(view: CameraView, die: SceneDie) -> Doubles:
    """Outline of the die seen from above, laid on the floor, (n, 2) pixels."""
    flat = die.corners_mm.copy()
    flat[:, 2] = 0
    return hull(view.project(flat))


def _filled(polygon: Doubles, box: PixelBox, size: tuple[int, int]) -> Floats:
    mask = np.zeros(size, np.uint8)
    corners = np.round((polygon - [box.x0, box.y0]) * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, corners, (255,), cv2.LINE_AA, 4)
    return np.asarray(mask, np.float32) / np.float32(255)


def _soft(mask: Floats, sigma: float) -> Floats:
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma), np.float32)


def lay_over(light: Floats, box: PixelBox, patch: Patch) -> None:
    """Lay a drawn die over a part of the picture, in place."""
    height, width = patch.cover.shape
    x0, y0 = max(patch.x, box.x0), max(patch.y, box.y0)
    x1, y1 = min(patch.x + width, box.x1), min(patch.y + height, box.y1)
    if x0 >= x1 or y0 >= y1:
        return
    there = (slice(y0 - box.y0, y1 - box.y0), slice(x0 - box.x0, x1 - box.x0))
    here = (slice(y0 - patch.y, y1 - patch.y), slice(x0 - patch.x, x1 - patch.x))
    part = light[there]
    part *= in_channels(1 - patch.cover[here])
    part += patch.light[here]


def compose(backdrop: Backdrop, lamp: SceneLight, layers: list[Layer], box: PixelBox) -> Floats:
    """Linear light (h, w, 3) of a part of the picture with dice, the nearest to the lens on top."""
    size = (box.y1 - box.y0, box.x1 - box.x0)
    shadow, closeness = np.ones(size, np.float32), np.ones(size, np.float32)
    meeting = [one for one in layers if one.box.meets(box)]
    for one in meeting:
        there = (
            slice(max(one.box.y0, box.y0) - box.y0, min(one.box.y1, box.y1) - box.y0),
            slice(max(one.box.x0, box.x0) - box.x0, min(one.box.x1, box.x1) - box.x0),
        )
        here = (
            slice(max(one.box.y0, box.y0) - one.box.y0, min(one.box.y1, box.y1) - one.box.y0),
            slice(max(one.box.x0, box.x0) - one.box.x0, min(one.box.x1, box.x1) - one.box.x0),
        )
        shadow[there] = np.minimum(shadow[there], one.shadow[here])
        closeness[there] *= one.closeness[here]
    light = backdrop.lit(lamp, box.slices, shadow, closeness)
    for one in sorted(meeting, key=lambda each: -each.distance_mm):
        lay_over(light, box, one.patch)
    return light


def vignette(size_wh: tuple[int, int], strength: float, box: PixelBox) -> Floats:
    """Light that reaches the sensor there against its middle, (h, w) (the fourth power of the cosine)."""
    width, height = size_wh
    y, x = np.ogrid[box.y0 : box.y1, box.x0 : box.x1]
    corner = (width**2 + height**2) / 4
    square = ((x - width / 2) ** 2 + (y - height / 2) ** 2) / corner
    return np.asarray(1 - np.float32(strength) * square, np.float32)


def expose(light: Floats, sensor: SceneSensor, size_wh: tuple[int, int], box: PixelBox) -> Image:
    """From light to a noiseless picture, (h, w, 3) uint8 BGR: vignette, softness, exposure, tone."""
    gain = vignette(size_wh, sensor.vignette, box) * np.float32(sensor.exposure)
    exposed = np.asarray(light * in_channels(gain))
    if sensor.blur_px > 0.2:
        exposed = np.asarray(cv2.GaussianBlur(exposed, (0, 0), sensor.blur_px))
    length, direction = sensor.shake_px
    if length > 1:
        exposed = np.asarray(cv2.filter2D(exposed, -1, smear_kernel(length, direction)))
    return coded(np.asarray(exposed, np.float32))


def smear_kernel(length_px: float, direction_deg: float) -> Floats:
    """A line of that length, sums to 1."""
    side = int(length_px) | 1
    side = max(side, 3)
    kernel = np.zeros((side, side), np.float32)
    middle = (side - 1) / 2
    angle = np.deg2rad(direction_deg)
    reach = length_px / 2
    start = (int((middle - reach * np.cos(angle)) * 16), int((middle - reach * np.sin(angle)) * 16))
    end = (int((middle + reach * np.cos(angle)) * 16), int((middle + reach * np.sin(angle)) * 16))
    cv2.line(kernel, start, end, (1.0,), 1, cv2.LINE_AA, 4)
    total = float(kernel.sum())
    return kernel / np.float32(total) if total else np.asarray(np.eye(side) / side, np.float32)
