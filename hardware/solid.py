"""Solids for the printer: flat outlines with holes, pulled straight up, written as STL.

Lengths in mm. A solid is a tuple of triangles; each triangle is three corners, counter-clockwise seen
from outside, as the STL format wants it (3D Systems, StereoLithography Interface Specification).
"""

import math
import struct
from collections.abc import Iterable, Sequence

Flat = tuple[float, float]
Corner = tuple[float, float, float]
Triangle = tuple[Corner, Corner, Corner]
Solid = tuple[Triangle, ...]


def rectangle(size_mm: Flat, middle_mm: Flat = (0, 0)) -> tuple[Flat, ...]:
    """The outline of a rectangle, counter-clockwise."""
    w, h, (x, y) = size_mm[0] / 2, size_mm[1] / 2, middle_mm
    return ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))


def round_hole(middle_mm: Flat, diameter_mm: float, corners: int = 24) -> tuple[Flat, ...]:
    """The outline of a hole that a bolt of that diameter goes through: the polygon is around the circle."""
    radius = diameter_mm / 2 / math.cos(math.pi / corners)
    turns = (2 * math.pi * i / corners for i in range(corners))
    return tuple((middle_mm[0] + radius * math.cos(t), middle_mm[1] + radius * math.sin(t)) for t in turns)


def pull_up(
    outline: Sequence[Flat], height_mm: float, *, holes: Sequence[Sequence[Flat]] = (), from_mm: float = 0
) -> Solid:
    """The prism over an outline, from `from_mm` up by `height_mm`, with holes right through."""
    rings = [_turned(outline, left=True), *(_turned(hole, left=False) for hole in holes)]
    low, high = from_mm, from_mm + height_mm
    triangles: list[Triangle] = []
    for a, b, c in _triangles(rings):
        triangles.append(((*a, high), (*b, high), (*c, high)))
        triangles.append(((*c, low), (*b, low), (*a, low)))
    for ring in rings:
        for p, q in zip(ring, (*ring[1:], ring[0]), strict=True):
            triangles.append(((*p, low), (*q, low), (*q, high)))
            triangles.append(((*p, low), (*q, high), (*p, high)))
    return tuple(triangles)


def volume_mm3(solid: Solid) -> float:
    """What a closed solid holds, by the divergence theorem.

    >>> round(volume_mm3(pull_up(rectangle((10, 20)), 3)))
    600
    """
    return sum(
        a[0] * (b[1] * c[2] - b[2] * c[1])
        - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
        for a, b, c in solid
    ) / 6  # fmt: skip


def size_mm(solids: Iterable[Solid]) -> Corner:
    """Length, width and height of the box around some solids."""
    corners = [corner for solid in solids for triangle in solid for corner in triangle]
    x, y, z = (max(c[i] for c in corners) - min(c[i] for c in corners) for i in range(3))
    return x, y, z


def stl(solids: Iterable[Solid], name: str) -> bytes:
    """A binary STL file: 80 bytes of heading, the count, then 50 bytes for each triangle."""
    triangles = [triangle for solid in solids for triangle in solid]
    heading = f"{name}, mm".encode("ascii")[:80].ljust(80)
    body = b"".join(
        struct.pack("<12fH", *_normal(*corners), *(value for corner in corners for value in corner), 0)
        for corners in triangles
    )
    return heading + struct.pack("<I", len(triangles)) + body


def _normal(a: Corner, b: Corner, c: Corner) -> Corner:
    u = tuple(q - p for p, q in zip(a, b, strict=True))
    v = tuple(q - p for p, q in zip(a, c, strict=True))
    n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    length = math.hypot(*n) or 1.0
    return n[0] / length, n[1] / length, n[2] / length


def _area2(ring: Sequence[Flat]) -> float:
    return sum(p[0] * q[1] - q[0] * p[1] for p, q in zip(ring, (*ring[1:], ring[0]), strict=True))


def _turned(ring: Sequence[Flat], *, left: bool) -> list[Flat]:
    """The ring counter-clockwise (left) or clockwise."""
    return list(ring) if (_area2(ring) > 0) == left else list(reversed(ring))


def _triangles(rings: list[list[Flat]]) -> list[tuple[Flat, Flat, Flat]]:
    """Cut an outline with holes into triangles: join each hole by a seam, then clip ears.

    Source: D. Eberly, "Triangulation by Ear Clipping", 2002.
    """
    outer = rings[0]
    for hole in sorted(rings[1:], key=lambda ring: -max(x for x, _ in ring)):
        outer = _joined(outer, hole)
    left = list(range(len(outer)))
    found: list[tuple[Flat, Flat, Flat]] = []
    while len(left) > 3:
        for i in range(len(left)):
            a, b, c = (outer[left[(i + k) % len(left)]] for k in (-1, 0, 1))
            if _is_ear(a, b, c, [outer[k] for k in left]):
                found.append((a, b, c))
                del left[i]
                break
        else:
            raise ValueError("the outline crosses itself")
    a, b, c = (outer[k] for k in left)
    return [*found, (a, b, c)]


def _joined(outer: list[Flat], hole: list[Flat]) -> list[Flat]:
    """One ring of two, with a seam from the hole's rightmost corner to the nearest corner it sees."""
    start = max(range(len(hole)), key=lambda i: hole[i][0])
    tip = hole[start]
    edges = [*zip(outer, (*outer[1:], outer[0]), strict=True), *zip(hole, (*hole[1:], hole[0]), strict=True)]
    for i in sorted(range(len(outer)), key=lambda i: math.dist(outer[i], tip)):
        before, after = outer[i - 1], outer[(i + 1) % len(outer)]
        if _inside_corner(before, outer[i], after, tip) and not any(
            _cross(tip, outer[i], p, q) for p, q in edges
        ):
            return [*outer[: i + 1], *hole[start:], *hole[: start + 1], *outer[i:]]
    raise ValueError("a hole lies outside its outline")


def _inside_corner(before: Flat, corner: Flat, after: Flat, point: Flat) -> bool:
    """Whether the seam to `point` leaves the corner on the inner side of the ring."""
    convex = _turn(before, corner, after) > 0
    beside = (_turn(before, corner, point) > 0, _turn(corner, after, point) > 0)
    return all(beside) if convex else any(beside)


def _turn(a: Flat, b: Flat, c: Flat) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _cross(a: Flat, b: Flat, p: Flat, q: Flat) -> bool:
    """Whether two stretches cross; touching at an end they share does not count."""
    if {a, b} & {p, q}:
        return False
    return (_turn(a, b, p) > 0) != (_turn(a, b, q) > 0) and (_turn(p, q, a) > 0) != (_turn(p, q, b) > 0)


def _is_ear(a: Flat, b: Flat, c: Flat, ring: list[Flat]) -> bool:
    if _turn(a, b, c) <= 0:
        return False
    return not any(
        p not in (a, b, c) and _turn(a, b, p) >= 0 and _turn(b, c, p) >= 0 and _turn(c, a, p) >= 0
        for p in ring
    )
