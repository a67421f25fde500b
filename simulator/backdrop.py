"""The tray without dice: what every pixel would show under the room's light and under the lamp's."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.geometry import CameraView, Floats
from simulator.linear_light import in_channels, lamp_colour, light_of, linear
from simulator.materials import TILE_MM, TILE_PX, tile
from simulator.scene import Material, Rgb, SceneLight, SceneTray

Light = NDArray[np.floating[Any]]
"""float32, or float16 where it is kept."""

GRAINS = 8
"""Different pieces of every material; more would only cost time and memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Backdrop:
    """An empty tray in linear light.

    albedo: (h, w, 3) float32 BGR 0-1. room, lamp: (h, w) float32, how much of either arrives; float16 each
    where it is `compact`. floor: mean albedo of the tray's floor, (3,).
    """

    albedo: Light
    room: Light
    lamp: Light
    floor: Floats

    def compact(self) -> "Backdrop":
        """The same in half the memory: light is off by less than a two-thousandth of it."""
        albedo, room, lamp = (each.astype(np.float16) for each in (self.albedo, self.room, self.lamp))
        return Backdrop(albedo, room, lamp, self.floor)

    def lit(self, light: SceneLight, box: tuple[slice, slice], shadow: Floats, closeness: Floats) -> Floats:
        """A part of the tray with things on it, linear BGR.

        shadow: (h, w) 0-1, how much of the lamp is left; closeness: (h, w) 0-1, of everything.
        """
        room = lamp_colour(light.warmth * 0.5) * np.float32(light.room)
        lamp = lamp_colour(light.warmth) * np.float32(light.lamp)
        from_room = self.room[box] * closeness
        from_lamp = self.lamp[box] * shadow * closeness
        arriving = [from_room * room[channel] + from_lamp * lamp[channel] for channel in range(3)]
        return np.asarray(cv2.merge(arriving) * self.albedo[box], np.float32)


def rim_distance(tray: SceneTray, x: Floats, y: Floats) -> Floats:
    """Signed distance (mm) of floor points to the tray's inner outline; negative inside."""
    corner = np.float32(min(tray.corner_mm, *tray.half_mm))
    dx = np.abs(x) - np.float32(tray.half_mm[0]) + corner
    dy = np.abs(y) - np.float32(tray.half_mm[1]) + corner
    outside = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0))
    return np.asarray(outside + np.minimum(np.maximum(dx, dy), 0) - corner, np.float32)


def make_backdrop(view: CameraView, tray: SceneTray, light: SceneLight, seed: int) -> Backdrop:
    """Look at the empty tray through every pixel. Cost: 0.12 s for 1280x720, twice that for new materials."""
    width, height = view.size_wh
    albedo = np.empty((height, width, 3), np.float32)
    room = np.empty((height, width), np.float32)
    lamp = np.empty((height, width), np.float32)
    rows = max(1, 100_000 // width)  # a band at a time: what is worked out on the way takes 150 bytes a pixel
    for top in range(0, height, rows):
        band = slice(top, min(top + rows, height))
        albedo[band], room[band], lamp[band] = _band(view, tray, light, seed, band)
    floor = light_of(tile(tray.material, tray.floor, tray.second, seed % GRAINS)).mean((0, 1))
    return Backdrop(albedo, room, lamp, floor)


def _band(
    view: CameraView, tray: SceneTray, light: SceneLight, seed: int, band: slice
) -> tuple[Floats, Floats, Floats]:
    width = view.size_wh[0]
    xs, ys = np.meshgrid(
        np.arange(width, dtype=np.float32), np.arange(band.start, band.stop, dtype=np.float32)
    )
    rays = view.rays(xs, ys)
    eye = view.eye.astype(np.float32)
    rim_width, rim_height = (np.float32(length) for length in tray.rim_mm)
    slope = np.stack([rays[..., 0] / rays[..., 2], rays[..., 1] / rays[..., 2]])
    eye_xy = eye[:2, None, None]
    floor = eye_xy - eye[2] * slope
    brim = eye_xy + (rim_height - eye[2]) * slope
    px = np.float32(view.px_per_mm())
    low, high = rim_distance(tray, *floor), rim_distance(tray, *brim)

    albedo = _lookup(tray.table_material, tray.table, tray.table, seed + 1, floor, px)
    inside = np.clip(0.5 - high * px, 0, 1)
    on_floor = np.asarray(inside * np.clip(0.5 - low * px, 0, 1), np.float32)
    on_brim = np.clip(0.5 + (rim_width - high) * px, 0, 1)
    on_outer = np.clip(0.5 + (rim_width - low) * px, 0, 1)
    edge = np.maximum(low - rim_width, 0)
    room = 1 - 0.45 * np.exp(-edge / np.float32(7))
    lamp = _lamp_reach(light, floor) * _beside(tray, light, floor)
    if tray.rim_mm[0] > 0:
        rim = _lookup(tray.rim_material, tray.rim, tray.rim, seed + 2, brim, px)
        albedo += (rim * np.float32(0.6) - albedo) * in_channels(on_outer)
        albedo += (rim - albedo) * in_channels(on_brim)
        rounded = 1 - 0.35 * np.abs(2 * np.clip(high / np.maximum(rim_width, 1), 0, 1) - 1) ** 3
        room += (rounded - room) * on_brim
        lamp += (_lamp_reach(light, brim) * rounded - lamp) * on_brim
    wall = (inside > 0) & (on_floor < 1)
    if wall.any():
        _draw_wall(tray, light, wall, (floor, brim), (low, high), inside, (albedo, room, lamp))
    cloth = _lookup(tray.material, tray.floor, tray.second, seed, floor, px)
    albedo += (cloth - albedo) * in_channels(on_floor)
    joint = 1 - 0.42 * np.exp(np.minimum(low, 0) / np.float32(6)) if rim_height > 0 else np.ones_like(low)
    room += (joint - room) * on_floor
    lamp += (_lamp_reach(light, floor) * _past_rim(tray, light, floor) - lamp) * on_floor
    for x, y, direction, darkness in light.shades:
        angle = np.deg2rad(direction)
        across = (floor[0] - x) * np.float32(-np.sin(angle)) + (floor[1] - y) * np.float32(np.cos(angle))
        soft = np.float32(3 + light.size_mm * 0.06)
        lamp *= 1 - np.float32(darkness) / (1 + np.exp(np.clip(-across / soft, -30, 30)))
    return albedo, np.asarray(room, np.float32), np.asarray(lamp, np.float32)


def _draw_wall(
    tray: SceneTray,
    light: SceneLight,
    wall: NDArray[np.bool_],
    points: tuple[Floats, Floats],
    distances: tuple[Floats, Floats],
    inside: Floats,
    out: tuple[Floats, Floats, Floats],
) -> None:
    """The inner side of the rim, drawn into `out` (albedo, room, lamp) where `wall` says."""
    floor, brim = points[0][:, wall], points[1][:, wall]
    low, high = distances[0][wall], distances[1][wall]
    depth = np.clip(high / np.minimum(high - low, -1e-3), 0, 1)  # 0 at the brim, 1 at the floor
    x, y = brim + (floor - brim) * depth
    step = np.float32(0.5)
    slope_x = rim_distance(tray, x + step, y) - rim_distance(tray, x - step, y)
    slope_y = rim_distance(tray, x, y + step) - rim_distance(tray, x, y - step)
    lamp_x, lamp_y = np.float32(light.lamp_mm[0]) - x, np.float32(light.lamp_mm[1]) - y
    reach = np.hypot(np.hypot(lamp_x, lamp_y), light.lamp_mm[2])
    facing = np.clip(-(slope_x * lamp_x + slope_y * lamp_y) / reach, 0, 1)
    albedo, room, lamp = out
    cover = inside[wall]
    colour = linear(tray.rim) * np.float32(0.9)
    albedo[wall] += (colour - albedo[wall]) * cover[:, None]
    room[wall] += ((0.62 - 0.34 * depth) - room[wall]) * cover
    lamp[wall] += (facing * (1 - 0.25 * depth) - lamp[wall]) * cover


def _lookup(
    material: Material, first: Rgb, second: Rgb, seed: int, at: Floats, px_per_mm: np.float32
) -> Floats:
    """The material's colour at floor points (2, h, w) mm, as fine as the picture can show."""
    piece = tile(material, first, second, seed % GRAINS)
    shrink = float(px_per_mm) * TILE_MM / TILE_PX
    if shrink < 0.75:
        side = max(32, int(TILE_PX * shrink))
        piece = np.asarray(cv2.resize(piece, (side, side), interpolation=cv2.INTER_AREA), np.uint8)
    scale = np.float32(piece.shape[0] / TILE_MM)
    spot = cv2.merge([_wrapped(axis * scale, np.float32(piece.shape[0])) for axis in at])
    wrapped = cv2.copyMakeBorder(piece, 0, 1, 0, 1, cv2.BORDER_WRAP)
    nothing = np.empty(0, np.float32)
    warped = cv2.remap(wrapped, spot, nothing, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return light_of(np.asarray(warped, np.uint8))


def _wrapped(value: Floats, length: np.float32) -> Floats:
    """As `value % length`, bit for bit, for a whole length; numpy's own takes ten times as long."""
    rest = np.asarray(value - np.floor(value / length) * length, np.float32)
    np.add(rest, length, out=rest, where=rest < 0)  # where the division was rounded up
    return rest


def _lamp_reach(light: SceneLight, at: Floats) -> Floats:
    """Lamp light at floor points (2, h, w) against that under the origin: cosine and distance, (h, w)."""
    x, y, z = (np.float32(value) for value in light.lamp_mm)
    square = (at[0] - x) ** 2 + (at[1] - y) ** 2 + z**2
    middle = x**2 + y**2 + z**2
    return np.asarray((middle / square) ** np.float32(1.5), np.float32)


def _past_rim(tray: SceneTray, light: SceneLight, floor: Floats) -> Floats:
    """How much of the lamp the rim lets through to the floor, (h, w) 0-1."""
    height = np.float32(tray.rim_mm[1])
    if height <= 0:
        return np.ones(floor.shape[1:], np.float32)
    distance, soft = _rim_towards_lamp(tray, light, floor, height)
    return _smooth(0.5 - distance / (2 * soft))


def _beside(tray: SceneTray, light: SceneLight, floor: Floats) -> Floats:
    """The tray's own shadow on the table, (h, w) 0-1."""
    distance, soft = _rim_towards_lamp(tray, light, floor, np.float32(max(tray.rim_mm[1], 1.5)))
    return 1 - np.float32(0.9) * _smooth(0.5 - (distance - np.float32(tray.rim_mm[0])) / (2 * soft))


def _rim_towards_lamp(
    tray: SceneTray, light: SceneLight, floor: Floats, height_mm: np.float32
) -> tuple[Floats, np.float32]:
    """Distance of rays to the lamp from the rim at that height, (h, w) mm; half its shadow's blur, mm."""
    share = height_mm / np.float32(light.lamp_mm[2])
    x = floor[0] + (np.float32(light.lamp_mm[0]) - floor[0]) * share
    y = floor[1] + (np.float32(light.lamp_mm[1]) - floor[1]) * share
    return rim_distance(tray, x, y), np.float32(light.size_mm) * share * np.float32(0.5) + np.float32(0.8)


def _smooth(value: Floats) -> Floats:
    bounded = np.clip(value, 0, 1)
    return np.asarray(bounded * bounded * (3 - 2 * bounded), np.float32)
