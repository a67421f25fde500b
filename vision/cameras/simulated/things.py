"""Objects that lie in trays and are no dice: painted onto the backdrop, under the dice."""

from collections.abc import Callable
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.target import MARKER_MM, MARKER_QUIET_MM, marker_cells
from vision.cameras.simulated.backdrop import Backdrop
from vision.cameras.simulated.colour import light_of, linear
from vision.cameras.simulated.geometry import Doubles, Floats, View, about, about_z
from vision.cameras.simulated.scene import Light, Rgb, Thing, Tray

TEXTURE_PX = 360
Bgr = tuple[int, int, int]


class _Slab(NamedTuple):
    """A flat object: its top as a picture (h, w, 3) uint8 BGR with cover (h, w), and measures in mm."""

    top: NDArray[np.uint8]
    cover: NDArray[np.uint8]
    height_mm: float
    side: Rgb


def lay_thing(backdrop: Backdrop, view: View, thing: Thing, light: Light) -> None:
    """Paint a thing and its shadow onto the backdrop, in place."""
    if thing.kind == "d20":
        _lay_d20(backdrop, view, thing, light)
        return
    slab = (_MAKERS | _MARKERS)[thing.kind](np.random.default_rng(thing.seed))
    height, width = slab.cover.shape
    half_x = thing.size_mm / 2
    half_y = half_x * height / width
    ring = _silhouette(slab.cover, half_x, half_y)
    turn = about_z(thing.yaw)[:2, :2]
    foot = ring @ turn.T + thing.at_mm
    _cast_shadow(backdrop, view, light, foot, slab.height_mm)
    if slab.height_mm > 1:
        rim = np.concatenate([_at_height(view, foot, 0.0), _at_height(view, foot, slab.height_mm)])
        _fill(backdrop, _hull(rim), linear(slab.side), 0.55)
    corners = np.array([[-half_x, half_y], [half_x, half_y], [half_x, -half_y], [-half_x, -half_y]])
    _paste(backdrop, slab, _at_height(view, corners @ turn.T + thing.at_mm, slab.height_mm))


def kinds() -> tuple[str, ...]:
    """The names of all things."""
    return (*_MAKERS, "d20")


def corner_markers(tray: Tray) -> tuple[Thing, ...]:
    """The four printed markers, laid into the corners of a tray."""
    paper = MARKER_MM + 2 * MARKER_QUIET_MM
    x, y = tray.half_mm[0] - paper / 2, tray.half_mm[1] - paper / 2
    places = ((-x, y), (x, y), (x, -y), (-x, -y))
    return tuple(Thing(f"marker {number}", place, 0.0, paper) for number, place in enumerate(places))


def _silhouette(cover: NDArray[np.uint8], half_x: float, half_y: float) -> Doubles:
    contours, _ = cv2.findContours(np.pad(cover, 1), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    ring = max(contours, key=cv2.contourArea).reshape(-1, 2).astype(np.float64) - 1
    height, width = cover.shape
    return np.column_stack([(ring[:, 0] / width * 2 - 1) * half_x, (1 - ring[:, 1] / height * 2) * half_y])


def _at_height(view: View, points: Doubles, height_mm: float) -> Doubles:
    return view.project(np.column_stack([points, np.full(len(points), height_mm)]))


def _hull(points: Doubles) -> Doubles:
    return np.asarray(cv2.convexHull(points.astype(np.float32)).reshape(-1, 2), np.float64)


class _Region(NamedTuple):
    """A part of the backdrop: where it is, and its arrays (views: changing them changes the backdrop)."""

    x: int
    y: int
    albedo: Floats
    room: Floats
    lamp: Floats


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


def _fill(backdrop: Backdrop, polygon: Doubles, colour: Floats, lit: float) -> None:
    region = _region(backdrop, polygon)
    if not region.room.size:
        return
    cover = _mask(region, polygon)
    region.albedo[:] += (colour - region.albedo) * cover[..., None]
    region.lamp[:] += (np.float32(lit) - region.lamp) * cover
    region.room[:] += (np.float32(max(lit, 0.5)) - region.room) * cover


def _cast_shadow(backdrop: Backdrop, view: View, light: Light, foot: Doubles, height_mm: float) -> None:
    lamp = np.array(light.lamp_mm)
    share = height_mm / (lamp[2] - height_mm)
    shifted = foot + (foot - lamp[:2]) * share
    outline = _hull(np.concatenate([_at_height(view, foot, 0.0), _at_height(view, shifted, 0.0)]))
    scale = view.px_per_mm()
    soft_lamp = max(0.7, light.size_mm * share * scale * 0.4)
    soft_room = max(0.7, height_mm * scale * 0.5)
    region = _region(backdrop, outline, 3 * max(soft_lamp, soft_room))
    if not region.room.size:
        return
    dark = _mask(region, outline)
    region.lamp[:] *= 1 - np.float32(0.9) * np.asarray(cv2.GaussianBlur(dark, (0, 0), soft_lamp), np.float32)
    region.room[:] *= 1 - np.float32(0.4) * np.asarray(cv2.GaussianBlur(dark, (0, 0), soft_room), np.float32)


def _paste(backdrop: Backdrop, slab: _Slab, corners: Doubles, *, relit: bool = True) -> None:
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


def _sheet(width_over_height: float, colour: Bgr) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    height = round(TEXTURE_PX / width_over_height)
    return np.full((height, TEXTURE_PX, 3), colour, np.uint8), np.full((height, TEXTURE_PX), 255, np.uint8)


def _round(cover: NDArray[np.uint8], radius: int) -> None:
    height, width = cover.shape
    cover[:] = 0
    cv2.rectangle(cover, (radius, 0), (width - radius - 1, height - 1), (255,), -1)
    cv2.rectangle(cover, (0, radius), (width - 1, height - radius - 1), (255,), -1)
    for x in (radius, width - radius - 1):
        for y in (radius, height - radius - 1):
            cv2.circle(cover, (x, y), radius, (255,), -1, cv2.LINE_AA)


def _coin(rng: np.random.Generator) -> _Slab:
    metals: tuple[Bgr, ...] = ((60, 110, 170), (70, 165, 200), (165, 170, 172))
    metal = metals[int(rng.integers(3))]
    top, cover = _sheet(1.0, metal)
    middle, radius = TEXTURE_PX // 2, TEXTURE_PX // 2 - 2
    cover[:] = 0
    cv2.circle(cover, (middle, middle), radius, (255,), -1, cv2.LINE_AA)
    dark = tuple(int(value * 0.7) for value in metal)
    light = tuple(min(255, int(value * 1.25)) for value in metal)
    cv2.circle(top, (middle, middle), radius - 12, dark, 5, cv2.LINE_AA)
    cv2.circle(top, (middle, middle), radius - 7, light, 4, cv2.LINE_AA)
    text = str(rng.choice(["1", "2", "5", "10", "20", "50"]))
    scale = 5.5 if len(text) == 1 else 4.2
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, 14)
    at = (middle - width // 2, middle + height // 2)
    cv2.putText(top, text, (at[0] + 4, at[1] + 4), cv2.FONT_HERSHEY_DUPLEX, scale, dark, 14, cv2.LINE_AA)
    cv2.putText(top, text, at, cv2.FONT_HERSHEY_DUPLEX, scale, light, 12, cv2.LINE_AA)
    return _Slab(top, cover, 2.0, (150, 130, 90))


def _pencil(rng: np.random.Generator) -> _Slab:
    paints: tuple[Bgr, ...] = ((40, 170, 240), (40, 40, 190), (60, 130, 40), (40, 40, 44))
    paint = paints[int(rng.integers(4))]
    top, cover = _sheet(16.0, paint)
    height, width = cover.shape
    top[: height // 3] = np.clip(np.array(paint) * 1.25, 0, 255)
    top[2 * height // 3 :] = np.array(paint) * 0.7
    tip = int(width * 0.9)
    cover[:, tip:] = 0
    cone = np.array([[tip, 0], [width - 1, height // 2], [tip, height - 1]])
    cv2.fillConvexPoly(cover, cone, (255,))
    cv2.fillConvexPoly(top, cone, (140, 190, 225))
    cv2.circle(top, (width - 4, height // 2), 7, (40, 40, 44), -1)
    top[:, : width // 22] = (150, 150, 235)
    return _Slab(top, cover, 6.5, (120, 100, 40))


def _card(rng: np.random.Generator) -> _Slab:
    """A playing card with its suit's signs, round spots or a patterned back."""
    top, cover = _sheet(0.69, (246, 247, 248))
    height, width = cover.shape
    _round(cover, 22)
    ink: Bgr = (30, 30, 200) if rng.random() < 0.5 else (30, 28, 26)
    if rng.random() < 0.35:
        for y in range(24, height - 24, 22):
            for x in range(24, width - 24, 22):
                cv2.circle(top, (x, y), 7, (150, 60, 40), -1, cv2.LINE_AA)
        return _Slab(top, cover, 0.4, (240, 240, 236))
    places = {
        2: [(0.5, 0.2), (0.5, 0.8)],
        3: [(0.5, 0.2), (0.5, 0.5), (0.5, 0.8)],
        4: [(0.3, 0.2), (0.7, 0.2), (0.3, 0.8), (0.7, 0.8)],
        5: [(0.3, 0.2), (0.7, 0.2), (0.5, 0.5), (0.3, 0.8), (0.7, 0.8)],
        6: [(0.3, 0.2), (0.7, 0.2), (0.3, 0.5), (0.7, 0.5), (0.3, 0.8), (0.7, 0.8)],
    }
    value = int(rng.integers(2, 7))
    for across, down in places[value]:
        spot = np.array([across * width, down * height])
        diamond = np.array([[0, -38], [28, 0], [0, 38], [-28, 0]]) + spot
        cv2.fillConvexPoly(top, diamond.astype(np.int32), ink, cv2.LINE_AA)
    cv2.putText(top, str(value), (16, 66), cv2.FONT_HERSHEY_SIMPLEX, 1.9, ink, 5, cv2.LINE_AA)
    return _Slab(top, cover, 0.4, (240, 240, 236))


def _domino(rng: np.random.Generator) -> _Slab:
    dark = rng.random() < 0.4
    body: Bgr = (30, 30, 32) if dark else (214, 232, 240)
    ink: Bgr = (238, 240, 240) if dark else (28, 28, 28)
    top, cover = _sheet(2.0, body)
    height, width = cover.shape
    _round(cover, 16)
    cv2.line(top, (width // 2, 14), (width // 2, height - 14), ink, 4, cv2.LINE_AA)
    grid = {
        1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)],
        4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
        5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
        6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
    }  # fmt: skip
    for side in (0.25, 0.75):
        for dx, dy in grid[int(rng.integers(1, 7))]:
            cv2.circle(top, (round(side * width + dx * 48), height // 2 + dy * 48), 17, ink, -1, cv2.LINE_AA)
    return _Slab(top, cover, 8.0, (30, 30, 32) if dark else (222, 214, 196))


def _score_pad(rng: np.random.Generator) -> _Slab:
    """Ruled paper with numbers and rows of dots, such as are printed beside the boxes."""
    top, cover = _sheet(0.7, (238, 244, 246))
    height, width = cover.shape
    rows = 13
    for row in range(rows + 1):
        y = round(16 + row * (height - 32) / rows)
        cv2.line(top, (14, y), (width - 14, y), (140, 120, 110), 2, cv2.LINE_AA)
    for column in (14, width // 3, 2 * width // 3, width - 14):
        cv2.line(top, (column, 16), (column, height - 16), (140, 120, 110), 2, cv2.LINE_AA)
    step = (height - 32) / rows
    for row in range(6):
        for dot in range(row + 1):
            cv2.circle(top, (28 + dot * 15, round(16 + (row + 0.5) * step)), 5, (40, 40, 40), -1, cv2.LINE_AA)
    for row in range(rows):
        if rng.random() < 0.6:
            at = (width // 3 + 16, round(16 + (row + 0.8) * step))
            cv2.putText(
                top,
                str(rng.integers(0, 50)),
                at,
                cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
                0.9,
                (130, 60, 30),
                2,
                cv2.LINE_AA,
            )
    return _Slab(top, cover, 2.5, (230, 230, 224))


def _token(rng: np.random.Generator) -> _Slab:
    """A plain counter or button, with two or four holes."""
    paints: tuple[Bgr, ...] = ((40, 40, 200), (200, 90, 30), (60, 160, 60), (60, 200, 240), (235, 235, 235))
    top, cover = _sheet(1.0, paints[int(rng.integers(5))])
    middle = TEXTURE_PX // 2
    cover[:] = 0
    cv2.circle(cover, (middle, middle), middle - 2, (255,), -1, cv2.LINE_AA)
    cv2.circle(top, (middle, middle), middle - 40, tuple(int(v * 0.85) for v in top[0, 0]), 10, cv2.LINE_AA)
    for dx, dy in ((-1, -1), (1, 1), (-1, 1), (1, -1))[: 2 if rng.random() < 0.5 else 4]:
        cv2.circle(top, (middle + dx * 42, middle + dy * 42), 20, (30, 30, 30), -1, cv2.LINE_AA)
    return _Slab(top, cover, 2.5, (120, 120, 120))


def _marker(number: int) -> Callable[[np.random.Generator], _Slab]:
    """A printed corner marker (calibration.target) on its piece of paper: white round it on all sides."""

    def make(_: np.random.Generator) -> _Slab:
        top, cover = _sheet(1.0, (244, 246, 246))
        side = round(TEXTURE_PX * MARKER_MM / (MARKER_MM + 2 * MARKER_QUIET_MM))
        black = cv2.resize(
            marker_cells(number).astype(np.uint8), (side, side), interpolation=cv2.INTER_NEAREST
        )
        start = (TEXTURE_PX - side) // 2
        top[start : start + side, start : start + side][black > 0] = (30, 30, 30)
        return _Slab(top, cover, 0.2, (240, 240, 240))

    return make


_MARKERS = {f"marker {number}": _marker(number) for number in range(4)}
_MAKERS: dict[str, Callable[[np.random.Generator], _Slab]] = {
    "coin": _coin,
    "pencil": _pencil,
    "card": _card,
    "domino": _domino,
    "score pad": _score_pad,
    "button": _token,
}


def _icosahedron() -> tuple[Doubles, list[tuple[int, int, int]]]:
    """Corners (12, 3) of length 1 and the twenty faces, seen from outside counter-clockwise."""
    golden = (1 + 5**0.5) / 2
    corners = np.array(
        [[a, b * golden, 0] for a in (-1, 1) for b in (-1, 1)]
        + [[0, a, b * golden] for a in (-1, 1) for b in (-1, 1)]
        + [[b * golden, 0, a] for a in (-1, 1) for b in (-1, 1)]
    )
    faces = []
    for i in range(12):
        for j in range(i + 1, 12):
            for k in range(j + 1, 12):
                sides = [np.linalg.norm(corners[a] - corners[b]) for a, b in ((i, j), (j, k), (k, i))]
                if max(sides) < 2.01:
                    out = np.dot(np.cross(corners[j] - corners[i], corners[k] - corners[i]), corners[i]) > 0
                    faces.append((i, j, k) if out else (i, k, j))
    return corners / np.linalg.norm(corners[0]), faces


def _lay_d20(backdrop: Backdrop, view: View, thing: Thing, light: Light) -> None:
    rng = np.random.default_rng(thing.seed)
    corners, faces = _icosahedron()
    normal = np.mean([corners[index] for index in faces[0]], axis=0)
    normal /= np.linalg.norm(normal)
    axis = np.cross(normal, [0, 0, 1])
    axis /= np.linalg.norm(axis)
    turn = about_z(thing.yaw) @ about(axis, float(np.arccos(normal[2])))
    solid = corners @ turn.T * thing.size_mm / 2
    solid += [*thing.at_mm, -solid[:, 2].min()]
    _cast_shadow(backdrop, view, light, _hull(solid[:, :2]), float(solid[:, 2].max()) * 0.6)
    paints = ((176, 30, 34), (30, 60, 150), (28, 28, 30), (34, 120, 60), (232, 228, 214), (110, 46, 150))
    paint = paints[int(rng.integers(len(paints)))]
    ink: Bgr = (30, 30, 30) if sum(paint) > 500 else (235, 238, 240)
    lamp = np.array(light.lamp_mm)
    for i, j, k in faces:
        points = solid[[i, j, k]]
        middle = points.mean(0)
        out = np.cross(points[1] - points[0], points[2] - points[0])
        out /= np.linalg.norm(out)
        if out @ (view.eye - middle) <= 0:
            continue
        towards = (lamp - middle) / np.linalg.norm(lamp - middle)
        lit = max(0.0, float(out @ towards)) * 0.8 + 0.2
        pixels = view.project(points)
        _fill(backdrop, pixels, linear(paint), lit)
        if out[2] > 0.3:
            _number(backdrop, points, view, str(int(rng.integers(1, 21))), ink)


def _number(backdrop: Backdrop, points: Doubles, view: View, text: str, ink: Bgr) -> None:
    """A numeral on a triangular face."""
    side = 128
    top = np.full((side, side, 3), ink, np.uint8)
    cover = np.zeros((side, side), np.uint8)
    scale = 2.2 if len(text) == 1 else 1.7
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 7)
    at = ((side - width) // 2, (side + height) // 2)
    cv2.putText(cover, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, (255,), 7, cv2.LINE_AA)
    middle = points.mean(0)
    up = (points[0] - middle) * 0.62
    right = np.cross(up, np.cross(points[1] - points[0], points[2] - points[0]))
    right *= np.linalg.norm(up) / np.linalg.norm(right)
    corners = np.array([middle - right + up, middle + right + up, middle + right - up, middle - right - up])
    _paste(backdrop, _Slab(top, cover, 0.0, (0, 0, 0)), view.project(corners), relit=False)
