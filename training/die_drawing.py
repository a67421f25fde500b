"""One die drawn by following each pixel's ray to a rounded cube: true perspective, edges, pips, shine.

Rays are traced by the distance to the surface (J. C. Hart, "Sphere tracing", The Visual Computer 12, 1996).
"""

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from training.materials import Material, grain_of
from training.view import Floats, View

STEPS = 18


@dataclass(frozen=True, slots=True)
class Die:
    """One die in space.

    center: (3,) world. turn: (3, 3) body to world. edge: in world units. faces: values of the sides
    +x, -x, +y, -y, +z, -z. flips: for each side whether its pips are turned by 90 degrees.
    """

    center: NDArray[np.float64]
    turn: NDArray[np.float64]
    edge: float
    faces: tuple[int, ...]
    flips: tuple[bool, ...]
    material: Material
    seed: int

    def side_normal(self, side: int) -> NDArray[np.float64]:
        """World direction (3,) of side 0-5."""
        return self.turn[:, side // 2] * (1 if side % 2 == 0 else -1)

    def side_corners(self, side: int) -> NDArray[np.float64]:
        """World corners (4, 3) of side 0-5, in order round the side."""
        axis = side // 2
        u, v = self.turn[:, (axis + 1) % 3], self.turn[:, (axis + 2) % 3]
        middle = self.center + self.side_normal(side) * self.edge / 2
        return np.array(
            [middle + self.edge / 2 * (a * u + b * v) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        )

    def corners(self) -> NDArray[np.float64]:
        """World corners (8, 3)."""
        return self.center + self.edge / 2 * np.array(list(product((-1, 1), repeat=3))) @ self.turn.T

    def pips(self, side: int) -> NDArray[np.float64]:
        """World points (n, 3) of the pips of side 0-5."""
        axis = side // 2
        u, v = self.turn[:, (axis + 1) % 3], self.turn[:, (axis + 2) % 3]
        if self.flips[side]:
            u, v = v, -u
        middle = self.center + self.side_normal(side) * self.edge / 2
        places = self.material.places[self.faces[side] - 1]
        return np.array([middle + self.edge * (a * u + b * v) for a, b in places])


@dataclass(frozen=True, slots=True)
class Light:
    """Lamps of a scene.

    ambient: 0-1. lamps: direction towards the lamp (3,), strength, RGB tint, half-angle of its mirror image.
    """

    ambient: float
    lamps: tuple[tuple[NDArray[np.float64], float, NDArray[np.float64], float], ...]


def random_faces(rng: np.random.Generator) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    """Values of the six sides, opposite ones adding up to seven, and how each is turned."""
    pairs = [(1, 6), (2, 5), (3, 4)]
    order = rng.permutation(3)
    faces = tuple(v for i in order for v in (pairs[i] if rng.random() < 0.5 else pairs[i][::-1]))
    return faces, tuple(bool(b) for b in rng.random(6) < 0.5)


def _distance(points: Floats, rounding: float, ball: float) -> Floats:
    """Distance (n,) of body points (n, 3) in edges to the rounded cube, negative inside."""
    beyond = np.abs(points) - np.float32(0.5 - rounding)
    outside = np.maximum(beyond, 0)
    most = np.maximum(np.maximum(beyond[:, 0], beyond[:, 1]), beyond[:, 2])
    box = np.sqrt(np.einsum("ij,ij->i", outside, outside)) + np.minimum(most, 0) - np.float32(rounding)
    if ball > 1:
        return box
    return np.maximum(box, np.sqrt(np.einsum("ij,ij->i", points, points)) - np.float32(ball))


def _hit(origin: Floats, rays: Floats, material: Material) -> tuple[NDArray[np.bool_], Floats]:
    """Which rays meet the die, and where (n, 3), in body coordinates (edges)."""
    steep = np.where(np.abs(rays) < 1e-6, 1e-6, rays)
    near, far = (-0.5 - origin) / steep, (0.5 - origin) / steep
    enter = np.minimum(near, far).max(1)
    leave = np.maximum(near, far).min(1)
    way = enter.copy()
    for _ in range(STEPS):
        way += _distance(origin + rays * way[:, None], material.rounding, material.ball)
    points = origin + rays * way[:, None]
    met = (
        (enter < leave) & (way <= leave + 0.02) & (_distance(points, material.rounding, material.ball) < 0.03)
    )
    return met, points


def _normals(points: Floats, material: Material) -> Floats:
    beyond = np.abs(points) - (0.5 - material.rounding)
    outward = np.sign(points) * np.maximum(beyond, 0)
    outward += 1e-5 * np.sign(points) * (beyond >= beyond.max(1, keepdims=True))
    if material.ball < 1:
        length = np.linalg.norm(points, axis=1, keepdims=True)
        cut = np.clip((length[:, 0] - material.ball + 0.03) / 0.03, 0, 1)[:, None]
        unit = outward / np.linalg.norm(outward, axis=1, keepdims=True)
        outward = unit * (1 - cut) + points / length * cut
    return (outward / np.linalg.norm(outward, axis=1, keepdims=True)).astype(np.float32)


def _pip_cover(points: Floats, die: Die) -> tuple[Floats, Floats, Floats, Floats]:
    """Share of pip (n,), offset from its middle (n, 3) in radii, its colour (n, 3), marks of a logo (n,)."""
    material = die.material
    size = np.abs(points)
    axis = np.where(size[:, 0] >= np.maximum(size[:, 1], size[:, 2]), 0, 1 + (size[:, 2] > size[:, 1]))
    rows = np.arange(len(points))
    side = axis * 2 + (points[rows, axis] < 0)
    cover = np.zeros(len(points), np.float32)
    offset = np.zeros_like(points)
    colour = np.tile(np.array(material.pip, np.float32), (len(points), 1))
    logo = np.zeros(len(points), np.float32)
    for number in range(6):
        mine = np.flatnonzero(side == number)
        if not len(mine):
            continue
        face, plane = die.faces[number], (number // 2 + 1) % 3
        u, v = points[mine, plane], points[mine, (plane + 1) % 3]
        if die.flips[number]:
            u, v = v, -u
        radius = material.one_radius if face == 1 else material.pip_radius
        best = np.full(len(mine), 9, np.float32)
        for a, b in material.places[face - 1]:
            du, dv = u - np.float32(a), v - np.float32(b)
            away = np.sqrt(du * du + dv * dv) / radius
            nearer = away < best
            best = np.minimum(best, away)
            spread = np.zeros((len(mine), 3), np.float32)
            spread[:, plane], spread[:, (plane + 1) % 3] = (dv * -1, du) if die.flips[number] else (du, dv)
            offset[mine[nearer]] = spread[nearer] / radius
        inside = best < 1
        if material.ring:
            inside &= (best > 0.6) | (best < 0.3)
        cover[mine] = inside
        if face in material.special_faces:
            colour[mine] = np.array(material.special, np.float32)
        if material.logo and face in {1, 2, 4}:
            ring = {1: 0.24, 2: 0.09, 4: 0.12}[face]
            close = np.abs(np.sqrt(u * u + v * v) - ring) < 0.14 * ring
            logo[mine] = close & (np.sin(np.arctan2(v, u) * material.logo) > -0.3)
    return cover, offset, colour, logo


def _lit(normals: Floats, rays: Floats, light: Light, shine: float, gloss: float) -> tuple[Floats, Floats]:
    """Light (n, 3) that the body scatters and light (n, 3) mirrored by its surface."""
    scattered = np.full((len(normals), 3), light.ambient, np.float32) * (0.75 + 0.25 * normals[:, 2:3])
    mirrored = np.zeros((len(normals), 3), np.float32)
    back = rays - 2 * (rays * normals).sum(1, keepdims=True) * normals
    for towards, strength, tint, half_angle in light.lamps:
        facing = np.maximum(normals @ towards, 0)[:, None]
        scattered += (strength * facing * tint).astype(np.float32)
        angle = np.arccos(np.clip(back @ towards, -1, 1))
        image = 1 / (1 + np.exp(np.clip((angle - half_angle) / (0.02 + gloss * 0.5), -30, 30)))
        mirrored += (shine * image[:, None] * tint).astype(np.float32)
    return scattered, mirrored


def _through(points: Floats, rays: Floats, die: Die) -> Floats:
    """Pips (n,) seen on the far sides through a clear body."""
    bent = rays * np.float32(0.75) - np.sign(points) * (np.abs(points) > 0.49) * np.float32(0.3)
    bent /= np.linalg.norm(bent, axis=1, keepdims=True)
    steep = np.where(np.abs(bent) < 1e-6, 1e-6, bent)
    leave = np.maximum((-0.5 - points) / steep, (0.5 - points) / steep).min(1)
    return _pip_cover((points + bent * leave[:, None] * 0.999).astype(np.float32), die)[0]


def draw_die(
    picture: Floats, owners: NDArray[np.uint8], owner: int, view: View, die: Die, light: Light
) -> None:
    """Draw a die into `picture` ((h, w, 3) float32 RGB 0-1, linear) and its number into `owners` (h, w)."""
    spots = view.project(die.corners())
    height, width = owners.shape
    left, top = np.maximum(np.floor(spots.min(0)).astype(int) - 1, 0)
    right, bottom = np.minimum(np.ceil(spots.max(0)).astype(int) + 2, (width, height))
    if right <= left or bottom <= top:
        return
    mask = np.zeros((bottom - top, right - left), np.uint8)
    hull = cv2.convexHull((spots - (left, top)).astype(np.float32)).astype(np.int32)
    cv2.fillConvexPoly(mask, hull, 1)
    mask = cv2.dilate(mask, np.ones((3, 3), np.uint8))
    ys, xs = np.nonzero(mask)
    if not len(ys):
        return
    rays = (view.rays(xs + left, ys + top) @ die.turn).astype(np.float32)
    origin = ((view.position - die.center) @ die.turn / die.edge).astype(np.float32)
    met, points = _hit(origin[None], rays, die.material)
    ys, xs, rays, points = ys[met] + top, xs[met] + left, rays[met], points[met]
    if len(ys):
        picture[ys, xs] = _shade(points, rays, die, light, picture[ys, xs])
        owners[ys, xs] = owner


def _shade(points: Floats, rays: Floats, die: Die, light: Light, behind: Floats) -> Floats:
    material = die.material
    turn = die.turn.astype(np.float32)
    normals = _normals(points, material)
    share = grain_of(material, points, die.seed)[:, None]
    body = np.array(material.body, np.float32) * (1 - share) + np.array(material.second, np.float32) * share
    cover, offset, pip_colour, logo = _pip_cover(points, die)
    if material.bowl:
        normals = normals - (cover * material.bowl)[:, None] * offset
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    scattered, mirrored = _lit(normals @ turn.T, rays @ turn.T, light, material.shine, material.gloss)
    if material.clear:
        seen = _through(points, rays, die)[:, None]
        inner = body * (0.55 + 0.5 * (points[:, 2:3] * turn[2, 2] + 0.5)) + 0.45 * seen * pip_colour
        glow = inner * (0.4 + 0.6 * scattered.mean()) * (0.75 + 0.5 * behind.mean(1, keepdims=True))
        body_light = body * scattered * (1 - material.clear) + glow * material.clear
    else:
        body_light = body * scattered
    cover = cover[:, None]
    lit = body_light * (1 - cover) + pip_colour * scattered * cover
    lit = lit + 0.35 * logo[:, None] * (1 - cover)
    return np.asarray(lit + mirrored * (1 - 0.6 * cover), np.float32)
