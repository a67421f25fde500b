"""Paints flat pieces and their shadows onto the backdrop, where perspective puts them."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.backdrop import Backdrop, Light
from simulator.geometry import CameraView, Doubles, Floats, hull
from simulator.linear_light import light_of
from simulator.scene import Rgb, SceneLight


class Slab(NamedTuple):
    """A flat object: its top as a picture (h, w, 3) uint8 BGR with cover (h, w), and measures in mm."""

    top: NDArray[np.uint8]
    cover: NDArray[np.uint8]
    height_mm: float
    side: Rgb


def at_height(view: CameraView, points: Doubles, height_mm: float) -> Doubles:
    """Floor points (n, 2) mm, so high above the floor, in pixels (n, 2)."""
    return view.project(np.column_stack([points, np.full(len(points), height_mm)]))


class _Region(NamedTuple):
    """A part of the backdrop: where it is, and its arrays (views: changing them changes the backdrop)."""

    x: int
    y: int
    albedo: Light
    room: Light
    lamp: Light


def _region(backdrop: Backdrop, polygon: Doubles, margin: float = 2.0) -> _Region:
    height, width = backdrop.room.shape
    low = np.clip(np.floor(polygon.min(0) - margin), 0, [width, height]).astype(int)
    high = np.clip(np.ceil(polygon.max(0) + margin) + 1, 0, [width, height]).astype(int)
    part = (slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0])))
    return _Region(int(low[0]), int(low[1]), backdrop.albedo[part], backdrop.room[part], backdrop.lamp[part])


def _mask(region: _Region, polygon: Doubles) -> Floats:
    mask = np.zeros(region.room.shape, np.uint8)
    corners = np.round((polygon - [region.x, region.y]) * 16).astype(np.int32)
    cv2.fillPoly(mask, [corners], (255,), cv2.LINE_AA, 4)
    return np.asarray(mask, np.float32) / np.float32(255)


def fill(backdrop: Backdrop, polygon: Doubles, colour: Floats, lit: float) -> None:
    """Fill a ring of pixels with a colour (linear BGR); lit: how much light it gets, 0-1."""
    region = _region(backdrop, polygon)
    if not region.room.size:
        return
    cover = _mask(region, polygon)
    region.albedo[:] += (colour - region.albedo) * cover[..., None]
    region.lamp[:] += (np.float32(lit) - region.lamp) * cover
    region.room[:] += (np.float32(max(lit, 0.5)) - region.room) * cover


def cast_shadow(
    backdrop: Backdrop, view: CameraView, light: SceneLight, foot: Doubles, height_mm: float
) -> None:
    """Darken what lies in the shadow of a slab with that outline (n, 2) mm on the floor."""
    lamp = np.array(light.lamp_mm)
    share = height_mm / (lamp[2] - height_mm)
    shifted = foot + (foot - lamp[:2]) * share
    outline = hull(np.concatenate([at_height(view, foot, 0.0), at_height(view, shifted, 0.0)]))
    scale = view.px_per_mm()
    soft_lamp = max(0.7, light.size_mm * share * scale * 0.4)
    soft_room = max(0.7, height_mm * scale * 0.5)
    region = _region(backdrop, outline, 3 * max(soft_lamp, soft_room))
    if not region.room.size:
        return
    dark = _mask(region, outline)
    region.lamp[:] *= 1 - np.float32(0.9) * np.asarray(cv2.GaussianBlur(dark, (0, 0), soft_lamp), np.float32)
    region.room[:] *= 1 - np.float32(0.4) * np.asarray(cv2.GaussianBlur(dark, (0, 0), soft_room), np.float32)


def paste(backdrop: Backdrop, slab: Slab, corners: Doubles, *, relit: bool = True) -> None:
    """Lay the slab's top onto four pixels. relit: its light is that of open ground, not what is there."""
    region = _region(backdrop, corners)
    if not region.room.size:
        return
    height, width = slab.cover.shape
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
    shrink = float(np.linalg.norm(corners[1] - corners[0])) / width
    # In light, not in its coded values: a blurred edge would move towards the dark side.
    top, cover = light_of(slab.top), slab.cover
    if shrink < 0.7:  # warping alone would alias
        sigma = 0.45 / shrink
        top = np.asarray(cv2.GaussianBlur(top, (0, 0), sigma), np.float32)
        cover = np.asarray(cv2.GaussianBlur(cover, (0, 0), sigma * 0.5), np.uint8)
    goal = (corners - [region.x, region.y]).astype(np.float32)
    change = cv2.getPerspectiveTransform(source, goal)
    size = (region.room.shape[1], region.room.shape[0])
    albedo = np.asarray(cv2.warpPerspective(top, change, size, flags=cv2.INTER_LINEAR), np.float32)
    amount = np.asarray(cv2.warpPerspective(cover, change, size, flags=cv2.INTER_LINEAR), np.float32) / 255
    region.albedo[:] += (albedo - region.albedo) * amount[..., None]
    if relit:
        region.lamp[:] += (1 - region.lamp) * amount
        region.room[:] += (1 - region.room) * amount
