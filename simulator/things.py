"""Objects that lie in trays and are no dice: painted onto the backdrop, under the dice."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.target import BOARD, MARKER_MM, MARKER_QUIET_MM
from simulator.backdrop import Backdrop
from simulator.geometry import CameraView, Doubles, about, about_z, hull
from simulator.laying import Slab, at_height, cast_shadow, fill, paste
from simulator.linear_light import linear
from simulator.prints import BOARD_QUIET_MM, HELD, MAKERS, MARKERS
from simulator.scene import SceneLight, SceneTray, Thing

Bgr = tuple[int, int, int]


def lay_thing(backdrop: Backdrop, view: CameraView, thing: Thing, light: SceneLight) -> None:
    """Paint a thing and its shadow onto the backdrop, in place."""
    if thing.kind == "d20":
        _lay_d20(backdrop, view, thing, light)
        return
    slab = (MAKERS | MARKERS | HELD)[thing.kind](np.random.default_rng(thing.seed))
    if thing.kind in HELD:
        _hold(backdrop, view, thing, slab)
        return
    height, width = slab.cover.shape
    half_x = thing.size_mm / 2
    half_y = half_x * height / width
    ring = _silhouette(slab.cover, half_x, half_y)
    turn = about_z(thing.yaw)[:2, :2]
    foot = ring @ turn.T + thing.at_mm
    cast_shadow(backdrop, view, light, foot, slab.height_mm)
    if slab.height_mm > 1:
        rim = np.concatenate([at_height(view, foot, 0.0), at_height(view, foot, slab.height_mm)])
        fill(backdrop, hull(rim), linear(slab.side), 0.55)
    corners = np.array([[-half_x, half_y], [half_x, half_y], [half_x, -half_y], [-half_x, -half_y]])
    paste(backdrop, slab, at_height(view, corners @ turn.T + thing.at_mm, slab.height_mm))


def _hold(backdrop: Backdrop, view: CameraView, thing: Thing, slab: Slab) -> None:
    """Paint something flat that is held above the tray, without the hand and its shadow."""
    half_x = thing.size_mm / 2
    half_y = half_x * slab.cover.shape[0] / slab.cover.shape[1]
    corners = np.array(
        [[-half_x, half_y, 0], [half_x, half_y, 0], [half_x, -half_y, 0], [-half_x, -half_y, 0]]
    )
    turn = about_z(thing.yaw) @ about(np.array([1.0, 0, 0]), thing.lean[0])
    turn = turn @ about(np.array([0, 1.0, 0]), thing.lean[1])
    paste(backdrop, slab, view.project(corners @ turn.T + [*thing.at_mm, thing.lift_mm]))


def held_board(view: CameraView, number: int) -> Thing:
    """The board for the lens as a person holds it for the view of that number, 0, 1, …: each elsewhere.

    Twelve places all over the picture, then the same again, leaning another way each time.
    """
    lift = 40.0 + 12.0 * (number % 3)
    across, down = HOLDS[number % len(HOLDS)]
    scale = view.px_per_mm((0.0, 0.0, lift))
    x, y = (side / scale * share for side, share in zip(view.size_wh, (across, down), strict=True))
    lean = LEANS[number % len(LEANS)]
    length = BOARD.size_mm[0] + 2 * BOARD_QUIET_MM
    at = (view.aim_mm[0] + x, view.aim_mm[1] + y)
    return Thing("board", at, 0.06 * (number % 5 - 2), length, 0, lift, lean)


HOLDS = (
    (-0.24, 0.16), (0.24, 0.16), (0.24, -0.16), (-0.24, -0.16), (0.0, 0.0), (0.0, 0.18),
    (0.0, -0.18), (-0.27, 0.0), (0.27, 0.0), (-0.14, 0.1), (0.14, -0.1), (0.14, 0.1), (-0.14, -0.1),
)  # fmt: skip
"""Where the board is held, shares of the picture from its middle, right and up."""
LEANS = ((0.45, 0.1), (-0.1, 0.45), (-0.45, -0.15), (0.15, -0.45), (0.3, 0.3), (-0.3, 0.3), (0.05, -0.05))


def kinds() -> tuple[str, ...]:
    """The names of all things."""
    return (*MAKERS, "d20")


def corner_markers(tray: SceneTray) -> tuple[Thing, ...]:
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


def _lay_d20(backdrop: Backdrop, view: CameraView, thing: Thing, light: SceneLight) -> None:
    rng = np.random.default_rng(thing.seed)
    corners, faces = _icosahedron()
    normal = np.mean([corners[index] for index in faces[0]], axis=0)
    normal /= np.linalg.norm(normal)
    axis = np.cross(normal, [0, 0, 1])
    axis /= np.linalg.norm(axis)
    turn = about_z(thing.yaw) @ about(axis, float(np.arccos(normal[2])))
    solid = corners @ turn.T * thing.size_mm / 2
    solid += [*thing.at_mm, -solid[:, 2].min()]
    cast_shadow(backdrop, view, light, hull(solid[:, :2]), float(solid[:, 2].max()) * 0.6)
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
        fill(backdrop, pixels, linear(paint), lit)
        if out[2] > 0.3:
            _number(backdrop, points, view, str(int(rng.integers(1, 21))), ink)


def _number(backdrop: Backdrop, points: Doubles, view: CameraView, text: str, ink: Bgr) -> None:
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
    paste(backdrop, Slab(top, cover, 0.0, (0, 0, 0)), view.project(corners), relit=False)
