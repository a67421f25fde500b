"""Draws one die by casting a ray through every (sub)pixel it may cover.

The body is a cube with rounded edges, cut by a sphere where the style says so, found by marching
along its signed distance (after J. C. Hart, "Sphere tracing", 1996); flat faces are hit at the first
step, so only rays near an edge march.
"""

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.geometry import AXIS_OF_FACE, CameraView, Floats, cube_corners, dot, largest
from simulator.linear_light import lamp_colour, linear
from simulator.scene import DieStyle, SceneDie, SceneLight

STEPS = 14
_FACE_AT = np.zeros((3, 2), np.int64)
for _face, (_axis, _sign) in AXIS_OF_FACE.items():
    _FACE_AT[_axis, (_sign + 1) // 2] = _face
_FACE_AT.setflags(write=False)


class Patch(NamedTuple):
    """A drawn die, to be laid over the picture with its top left pixel at (x, y).

    light: (h, w, 3) float32 linear BGR, multiplied by cover. cover: (h, w) float32, 0-1.
    top: (h, w) bool, where its upper face shows.
    """

    x: int
    y: int
    light: Floats
    cover: Floats
    top: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a die sees around it. floor: linear BGR of the tray's floor, (3,). others: dice near by."""

    light: SceneLight
    floor: Floats
    others: tuple[SceneDie, ...] = ()


def pip_places(face: int, style: DieStyle) -> NDArray[np.float32]:
    """Where the pips of a face are, (n, 2), in halves of the edge along the face's two axes.

    >>> [len(pip_places(face, DieStyle())) for face in range(1, 7)]
    [1, 2, 3, 4, 5, 6]
    """
    o = style.pip_offset
    slope = {2: style.two_way, 3: style.three_way}.get(face, False)
    diagonal = [(-o, -o), (o, o)] if slope else [(-o, o), (o, -o)]
    corners = [(-o, -o), (-o, o), (o, -o), (o, o)]
    sides = [(0.0, -o), (0.0, o)] if style.six_way else [(-o, 0.0), (o, 0.0)]
    middle = [(0.0, 0.0)]
    places = {
        1: middle,
        2: diagonal,
        3: diagonal + middle,
        4: corners,
        5: corners + middle,
        6: corners + sides,
    }
    return np.array(places[face], np.float32)


def draw_die(view: CameraView, die: SceneDie, around: Surroundings, samples: int = 2) -> Patch | None:
    """The die as the camera sees it; None when it is outside the picture.

    samples: rays to a pixel along each axis; 1 is for dice in motion.
    """
    box = _picture_box(view, die)
    if box is None:
        return None
    x0, y0, width, height = box
    offsets = (np.arange(samples, dtype=np.float32) + np.float32(0.5)) / samples - np.float32(0.5)
    xs = (np.arange(width, dtype=np.float32)[:, None] + offsets).ravel() + x0
    ys = (np.arange(height, dtype=np.float32)[:, None] + offsets).ravel() + y0
    grid_x, grid_y = np.meshgrid(xs, ys)
    rays = view.rays(grid_x.ravel(), grid_y.ravel())
    hits, index = _cast(view, die, rays)
    shape = (height * samples, width * samples)
    light: Floats = np.zeros((shape[0] * shape[1], 3), np.float32)
    cover: Floats = np.zeros(shape[0] * shape[1], np.float32)
    top: NDArray[np.bool_] = np.zeros(shape[0] * shape[1], np.bool_)
    if index.size:
        pixel_mm = float(1 / view.px_per_mm(die.position_mm)) / samples
        shade, faces = _shade(die, around, hits, rays[index], pixel_mm)
        light[index] = shade
        cover[index] = 1
        top[index] = faces == die.face
    light, cover, top = light.reshape(*shape, 3), cover.reshape(shape), top.reshape(shape)
    if samples > 1:
        light = np.asarray(cv2.resize(light, (width, height), interpolation=cv2.INTER_AREA), np.float32)
        cover = np.asarray(cv2.resize(cover, (width, height), interpolation=cv2.INTER_AREA), np.float32)
        top = top[samples // 2 :: samples, samples // 2 :: samples]
    return Patch(x0, y0, light, cover, top)


def _picture_box(view: CameraView, die: SceneDie) -> tuple[int, int, int, int] | None:
    corners = view.project(die.corners_mm)
    low = np.maximum(np.floor(corners.min(0)) - 1, 0).astype(int)
    high = np.minimum(np.ceil(corners.max(0)) + 2, view.size_wh).astype(int)
    width, height = int(high[0] - low[0]), int(high[1] - low[1])
    return (int(low[0]), int(low[1]), width, height) if width > 0 and height > 0 else None


def _cast(view: CameraView, die: SceneDie, rays: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Where rays meet the die: points (n, 3) in its own coordinates, and which rays these are, (n,)."""
    turn = die.rotation.astype(np.float32)
    half = np.float32(die.edge_mm / 2)
    origin = (view.eye - np.array(die.position_mm)).astype(np.float32) @ turn
    ways = rays @ turn
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = 1 / ways
        one, other = (-half - origin) * inverse, (half - origin) * inverse
    near = largest(np.minimum(one, other))
    far = -largest(-np.maximum(one, other))
    index = np.flatnonzero((near < far) & (near > 0))
    ways, t, far = ways[index], near[index], far[index]
    points = origin + ways * t[:, None]
    tolerance = half * np.float32(0.002)
    open_rays: NDArray[np.int64] = np.arange(index.size)
    hit = np.zeros(index.size, np.bool_)
    for _ in range(STEPS):
        distance = _distance(points[open_rays], half, die.style)
        there = distance < tolerance
        hit[open_rays[there]] = True
        open_rays, distance = open_rays[~there], distance[~there]
        t[open_rays] += distance
        open_rays = open_rays[t[open_rays] < far[open_rays]]
        if not open_rays.size:
            break
        points[open_rays] = origin + ways[open_rays] * t[open_rays, None]
    return points[hit], index[hit]


def _distance(points: Floats, half: np.float32, style: DieStyle) -> Floats:
    """Signed distance (n,) mm of points to the surface."""
    radius = half * np.float32(style.rounding)
    beyond = np.maximum(np.abs(points) - (half - radius), 0)
    distance = np.sqrt(dot(beyond, beyond)) - radius
    if style.ball is not None:
        distance = np.maximum(distance, np.sqrt(dot(points, points)) - half * np.float32(style.ball))
    return np.asarray(distance, np.float32)


def _normals(points: Floats, half: np.float32, style: DieStyle) -> Floats:
    radius = half * np.float32(style.rounding)
    beyond = np.maximum(np.abs(points) - (half - radius), 0) * np.sign(points)
    if style.ball is not None:
        outside = dot(points, points) > (half * np.float32(style.ball * 0.995)) ** 2
        beyond = np.where(outside[:, None], points, beyond)
    return np.asarray(beyond / (np.sqrt(dot(beyond, beyond))[:, None] + 1e-9), np.float32)


class _Surface(NamedTuple):
    """Colours (n, 3) and normals (n, 3), pip cover (n,), face (n,) at points of the surface."""

    colour: Floats
    normal: Floats
    pip: Floats
    face: NDArray[np.int64]


def _surface(points: Floats, die: SceneDie, pixel_mm: float) -> _Surface:
    style, half = die.style, np.float32(die.edge_mm / 2)
    normal = _normals(points, half, style)
    axis = np.abs(points).argmax(1)
    rows = np.arange(points.shape[0])
    positive = points[rows, axis] > 0
    face = _FACE_AT[axis, positive.astype(np.int64)]
    u = points[rows, (axis + 1) % 3] / half
    v = points[rows, (axis + 2) % 3] / half
    colour = np.tile(linear(style.body), (points.shape[0], 1))
    if style.second is not None:
        swirl = np.clip(_marble(points / half, 1.0) * 2.5 - 2.0, 0, 1)
        colour += (linear(style.second) - colour) * swirl[:, None]
    if style.marbled:
        colour *= _marble(points / half, style.marbled)[:, None]
    pip = np.zeros(points.shape[0], np.float32)
    soft = np.float32(max(pixel_mm / float(half), 1e-4))
    for number in np.unique(face):
        here = np.flatnonzero(face == number)
        radius = np.float32(style.pip_radius * (style.big_one if number == 1 else 1))
        inks = {1: style.one_pip, 4: style.four_pip}
        ink = linear(inks.get(int(number)) or style.pips)
        for place in pip_places(int(number), style):
            du, dv = u[here] - place[0], v[here] - place[1]
            away = np.sqrt(du * du + dv * dv)
            cover = np.clip((radius - away) / soft + np.float32(0.5), 0, 1)
            inside = np.flatnonzero(cover > 0)
            if not inside.size:
                continue
            at, amount = here[inside], cover[inside]
            pip[at] = amount
            colour[at] += (ink - colour[at]) * amount[:, None]
            if style.pip_depth:
                slope = np.float32(1.6 * style.pip_depth) / radius
                normal[at, (axis[at] + 1) % 3] -= du[inside] * slope * amount
                normal[at, (axis[at] + 2) % 3] -= dv[inside] * slope * amount
    normal /= np.sqrt(dot(normal, normal))[:, None]
    return _Surface(colour, normal, pip, face)


def _marble(points: Floats, amount: float) -> Floats:
    """Pearl-like streaks, (n,) around 1."""
    x, y, z = points[:, 0], points[:, 1], points[:, 2]
    warp = np.sin(3.1 * y + 1.7 * z) + np.sin(2.3 * z - 1.9 * x)
    streak = np.sin(5.0 * x + 2.0 * warp) * np.sin(4.1 * y - 1.6 * warp + 2.2 * z)
    return np.asarray(1 + np.float32(amount) * np.float32(0.35) * streak, np.float32)


def _shade(
    die: SceneDie, around: Surroundings, points: Floats, rays: Floats, pixel_mm: float
) -> tuple[Floats, NDArray[np.int64]]:
    """Light (n, 3) that leaves the surface towards the camera, and the face (n,) it comes from."""
    turn = die.rotation.astype(np.float32)
    surface = _surface(points, die, pixel_mm)
    normal = surface.normal @ turn.T
    world = points @ turn.T + np.array(die.position_mm, np.float32)
    light, style = around.light, die.style
    tint = lamp_colour(light.warmth)
    room = lamp_colour(light.warmth * 0.5) * np.float32(light.room)
    towards = np.array(light.lamp_mm, np.float32) - world
    distance = np.sqrt(dot(towards, towards))[:, None]
    towards /= distance
    reach = np.float32(np.linalg.norm(light.lamp_mm)) / distance
    lamp_share = _lamp_seen(die, around, world, towards)
    facing = np.maximum(dot(normal, towards), 0)
    # A big lamp wraps round edges; a pip lies in its own hollow and gets less of everything.
    hollow = 1 - np.float32(0.30 * style.pip_depth) * surface.pip
    low = np.clip(world[:, 2] / np.float32(die.edge_mm), 0, 1)
    sky = (0.5 + 0.5 * normal[:, 2]) * (0.45 + 0.55 * low) * hollow
    ground = (0.5 - 0.5 * normal[:, 2]) * (0.35 + 0.65 * low)
    bounce = around.floor * (room + tint * np.float32(light.lamp * 0.8))
    direct = (facing * lamp_share * hollow)[:, None] * reach**2 * tint * np.float32(light.lamp)
    arriving = sky[:, None] * room + ground[:, None] * bounce + direct
    colour = surface.colour
    if style.clearness:
        colour = _clear(die, points, rays @ turn, surface, around.floor, pixel_mm)
    shade = colour * arriving
    shine = _shine(normal, towards, rays, style, light, lamp_share)
    return np.asarray(shade + shine, np.float32), surface.face


def shades_reach(die: SceneDie, other: SceneDie) -> bool:
    """Whether two dice are so near that one may stand in the other's light."""
    gap = float(np.linalg.norm(np.subtract(other.position_mm, die.position_mm)))
    return gap <= 2.6 * max(die.edge_mm, other.edge_mm)


def _lamp_seen(die: SceneDie, around: Surroundings, world: Floats, towards: Floats) -> Floats:
    """How much of the lamp each point sees past the other dice, (n,) 0-1."""
    lamp_share = np.ones(world.shape[0], np.float32)
    for other in around.others:
        if not shades_reach(die, other):
            continue
        turn = other.rotation.astype(np.float32)
        origin = (world - np.array(other.position_mm, np.float32)) @ turn
        ways = towards @ turn
        half = np.float32(other.edge_mm / 2 * 0.94)
        with np.errstate(divide="ignore", invalid="ignore"):
            one, two = (-half - origin) / ways, (half - origin) / ways
        near, far = largest(np.minimum(one, two)), -largest(-np.maximum(one, two))
        depth = np.clip((far - np.maximum(near, 0)) / (half * np.float32(0.7)), 0, 1)
        lamp_share = np.minimum(lamp_share, 1 - depth)
    return lamp_share


def _shine(
    normal: Floats, towards: Floats, rays: Floats, style: DieStyle, light: SceneLight, lamp_share: Floats
) -> Floats:
    """The lamp mirrored in the surface (Blinn's half-way vector), and a little of the bright room."""
    if not style.gloss:
        return np.zeros((normal.shape[0], 3), np.float32)
    half_way = towards - rays
    half_way /= np.sqrt(dot(half_way, half_way))[:, None] + 1e-9
    # A larger lamp or a duller surface spreads the same light wider, hence the factor (n + 8) / 8
    # (Akenine-Moller et al., "Real-Time Rendering", normalised Blinn-Phong); plastic mirrors 4-5 %.
    exponent = np.float32(12 + 420 * style.gloss**2 * (140 / (light.size_mm + 60)))
    peak = np.maximum(dot(normal, half_way), 0) ** exponent
    mirrored = np.float32(0.045 * light.lamp) * (exponent + 8) / 8
    glance = (1 - np.clip(-dot(normal, rays), 0, 1)) ** 5
    strength = mirrored * peak * lamp_share + np.float32(0.5 * light.room * style.gloss) * glance
    return np.asarray(strength[:, None] * lamp_colour(light.warmth), np.float32)


def _clear(
    die: SceneDie, points: Floats, ways: Floats, surface: _Surface, floor: Floats, pixel_mm: float
) -> Floats:
    """Colours of a see-through die: the ray goes on, bent, to the far side and shows the pips there."""
    style, half = die.style, np.float32(die.edge_mm / 2)
    inner = _normals(points, half, style)
    across = ways - dot(ways, inner)[:, None] * inner
    bent = np.asarray(across / np.float32(1.5), np.float32)
    bent -= inner * np.sqrt(np.maximum(1 - dot(bent, bent)[:, None], 0))
    inside = np.clip(points, -half * 0.995, half * 0.995)
    with np.errstate(divide="ignore", invalid="ignore"):
        leave = np.where(np.abs(bent) > 1e-6, (np.sign(bent) * half - inside) / bent, np.inf)
    back = np.asarray(inside + bent * (-largest(-leave))[:, None], np.float32)
    behind = _surface(back, die, pixel_mm * 2)
    body = linear(style.body)
    through = body * (np.float32(0.35) + np.float32(0.9) * floor)
    glow = 0.75 + 0.5 * np.clip(-back[:, :1] * 0 + np.sqrt(dot(back, back))[:, None] / half - 0.9, 0, 1)
    depth = through * glow
    # Pips of the far side are seen through the body's colour, which takes their white (photographs of
    # casino dice), and faintly.
    far_ink = linear(style.pips) * (body * np.float32(1.1) + np.float32(0.02))
    depth += (far_ink - depth) * (behind.pip * np.float32(0.4))[:, None]
    clear = np.float32(style.clearness) * (1 - surface.pip)[:, None]
    return np.asarray(surface.colour + (depth * np.float32(1.35) - surface.colour) * clear, np.float32)


def outline(view: CameraView, die: SceneDie) -> NDArray[np.float32]:
    """The hull of the (sharp-edged) die in the picture, (n, 2) pixels."""
    corners = view.project(cube_corners(die.edge_mm / 2) @ die.rotation.T + np.array(die.position_mm))
    hull = cv2.convexHull(corners.astype(np.float32))
    return np.asarray(hull.reshape(-1, 2), np.float32)
