"""Fits the places of a face to pips: which of the nine crossings are filled, which provably empty.

Every face from 2 to 6 has pips at two opposite corners of its lattice, so every pair of like pips proposes
one lattice; the picture itself, not the list of pips, then says which of its places are filled.
Lattice units: the corners stand at (+-1, +-1), the body between the places at half units.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.columns import Columns
from vision.pips import Floats, Picture, Pips, distance, median_of, middle_of, ranges, sampled, windows

PLACES = np.array([(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)], np.float32)
"""The pair, the other two corners, the middle, the four mids."""

_TEMPLATES: tuple[tuple[int, tuple[int, ...]], ...] = (
    (2, (0, 1)),
    (3, (0, 1, 4)),
    (4, (0, 1, 2, 3)),
    (5, (0, 1, 2, 3, 4)),
    (6, (0, 1, 2, 3, 5, 6)),
    (6, (0, 1, 2, 3, 7, 8)),
)
_FACES = np.array([face for face, _ in _TEMPLATES])
_FILLED = np.array([[k in filled for k in range(len(PLACES))] for _, filled in _TEMPLATES])

_BODY = np.array(
    [(u, v) for u in (-0.5, 0.5) for v in (-0.5, 0.5)]
    + [(u, v) for u in (-1.0, 1.0) for v in (-0.5, 0.5)]
    + [(v, u) for u in (-1.0, 1.0) for v in (-0.5, 0.5)]
    + [(u, v) for u in (-1.45, 1.45) for v in (-0.5, 0.5)]
    + [(v, u) for u in (-1.45, 1.45) for v in (-0.5, 0.5)],
    np.float32,
)
_DESIGN = np.concatenate([PLACES, np.ones((len(PLACES), 1), np.float32)], 1)
_DESIGN_SQUARED = np.einsum("pi,pj->pij", _DESIGN, _DESIGN).reshape(len(PLACES), 9)
_DISC = np.array([(0, 0), (0.17, 0), (-0.17, 0), (0, 0.17), (0, -0.17)], np.float32)
_POINTS = np.concatenate([(_DISC[:, None] + PLACES).reshape(-1, 2), _BODY])

PAIRS_MAX = 900
"""Pairs looked at as lattices of their own, best first; a chequered cloth has thousands."""
CROSSINGS_MAX = 500


@dataclass(frozen=True, slots=True)
class Faces(Columns):
    """Lattices read, each array with n entries.

    face: 2-6. x, y: middle, px of level 0. axes: (n, 2, 2) float32, lattice unit vectors in px (rows u, v).
    r: pip radius, px. margin: 0-1, how clearly every place is filled or empty (1 = perfectly).
    homogeneous: 0-1, share of the body between the places that has the body's colour.
    contrast, body: (n, 3) float32 BGR. level: pyramid level it was read on.
    template: which row of the table of faces (a 6 may lie two ways).
    pips: (n, 9) index into the Pips of each filled place, -1 where none was found or none belongs.
    """

    face: NDArray[np.intp]
    x: Floats
    y: Floats
    axes: Floats
    r: Floats
    margin: Floats
    homogeneous: Floats
    contrast: Floats
    body: Floats
    level: NDArray[np.int32]
    template: NDArray[np.intp]
    pips: NDArray[np.intp]


def pairs(pips: Pips) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Indices i, j of pips that could be opposite corners of one face."""
    order = np.argsort(pips.x, kind="stable")
    x, y, r = pips.x[order], pips.y[order], pips.r[order]
    contrast, body = pips.contrast[order], pips.body[order]
    norm = np.sqrt((contrast * contrast).sum(1)) + 1e-3
    reach = 13.0 * r
    i, j = windows(x, reach)
    ratio = r[i] / r[j]
    near = (np.abs(y[i] - y[j]) < reach[i]) & (ratio > 0.6) & (ratio < 1.67)
    i, j = i[near], j[near]
    mean_r = 0.5 * (r[i] + r[j])
    gap = np.hypot(x[i] - x[j], y[i] - y[j]) / mean_r
    smaller, larger = np.minimum(norm[i], norm[j]), np.maximum(norm[i], norm[j])
    alike = (contrast[i] * contrast[j]).sum(1) > 0.7 * norm[i] * norm[j]
    same_body = np.sqrt(((body[i] - body[j]) ** 2).sum(1)) < 0.6 * smaller
    good = (gap > 3.0) & (gap < 13.0) & alike & (larger < 2.4 * smaller) & same_body
    return order[i[good]], order[j[good]]


def read(levels: tuple[Picture, ...], pips: Pips) -> Faces:
    """Every lattice that reads as a face of 2 to 6, still competing with each other for pips."""
    i, j = pairs(pips)
    middle = np.stack([pips.x[i] + pips.x[j], pips.y[i] + pips.y[j]], 1) * np.float32(0.5)
    half = np.stack([pips.x[j] - pips.x[i], pips.y[j] - pips.y[i]], 1) * np.float32(0.5)
    r = 0.5 * (pips.r[i] + pips.r[j])
    level = np.minimum(pips.level[i], pips.level[j])
    badness = _badness(pips, i, j)
    k, m = _crossings(middle, half, r)
    both = badness[k] + badness[m]
    crossed = np.argsort(both, kind="stable")[:CROSSINGS_MAX]
    k, m = k[crossed], m[crossed]
    alone = np.argsort(badness, kind="stable")[:PAIRS_MAX]
    across = np.stack([-half[:, 1], half[:, 0]], 1)
    first = _look(
        levels,
        np.concatenate([middle[alone], 0.5 * (middle[k] + middle[m])]),
        np.concatenate([_axes(half[alone], across[alone]), _axes(half[k], half[m])]),
        np.concatenate([level[alone], np.minimum(level[k], level[m])]),
        np.concatenate([r[alone], 0.5 * (r[k] + r[m])]),
    )
    first = first.take((first.margin > 0.2) & (first.homogeneous > 0.4))
    first = _with_members(pips, first)
    second = _with_members(pips, _look(levels, *_snapped(pips, first)))
    better = second.margin >= first.margin
    merged = []
    for name in Faces.__slots__:
        a, b = getattr(second, name), getattr(first, name)
        merged.append(np.where(better.reshape(-1, *[1] * (a.ndim - 1)), a, b))
    return Faces(*merged)


_TURNS = np.radians(np.arange(0, 180, 10))
_SHIFTS = np.array([(a, b) for a in (-0.14, 0.0, 0.14) for b in (-0.14, 0.0, 0.14)])
_SCALES = (0.33, 0.39, 0.46)
_POSES = [(turn, shift, scale) for turn in _TURNS for shift in _SHIFTS for scale in _SCALES]
_POSE_MIDDLES = np.array([shift for _, shift, _ in _POSES], np.float32)
_POSE_AXES = np.array(
    [[(c * np.cos(t), c * np.sin(t)), (-c * np.sin(t), c * np.cos(t))] for t, _, c in _POSES], np.float32
)
"""How a lattice may lie on a body: its middle from the body's, its unit vectors; of a body of radius 1."""
_PIP = np.float32(0.16)
"""Radius of a pip on such a body."""
_RADIUS = np.float32(0.58)
"""Radius of such a body, edges."""


def sought(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> tuple[Faces, Floats]:
    """The best lattice on each body of that edge (px of level 0) round x, y, pips found there or not.

    Also gives (n,) how much clearer it is than the best lattice of any other face.
    """
    r = edge * _RADIUS
    number = np.clip(np.round(np.log2(np.maximum(r * _PIP / 2.2, 1.0))), 0, len(levels) - 1).astype(np.int32)
    none = np.zeros(0, np.float32)
    found = [_look(levels, none.reshape(0, 2), none.reshape(0, 2, 2), np.zeros(0, np.int32), none)]
    clearer = []
    # body by body, not all at once: that stays within 2 MB and near the processor
    for a, b, radius, level in zip(x, y, r, number, strict=True):
        middles = np.array([a, b], np.float32) + radius * _POSE_MIDDLES
        count = len(middles)
        seen = _look(
            levels, middles, radius * _POSE_AXES, np.full(count, level), np.full(count, radius * _PIP)
        )
        score = seen.margin * seen.homogeneous
        best = int(score.argmax())
        rival = score[seen.face != seen.face[best]].max(initial=0.0)
        found.append(seen.take(np.array([best])))
        clearer.append(score[best] - rival)
    return Faces.joined(found), np.array(clearer, np.float32)


def edge_angles(faces: Faces) -> Floats:
    """(n,) of an edge of each face against the picture's x axis, degrees in [0, 90)."""
    angle: Floats = np.degrees(np.arctan2(faces.axes[:, 0, 1], faces.axes[:, 0, 0])).astype(np.float32) % 90.0
    return angle


def _axes(half: Floats, across: Floats) -> Floats:
    """(n, 2, 2) lattice units whose corner (1, 1) is `half` and whose corner (-1, 1) is `across`."""
    axes: Floats = np.stack([(half - across) * 0.5, (half + across) * 0.5], 1).astype(np.float32)
    return axes


def _badness(pips: Pips, i: NDArray[np.intp], j: NDArray[np.intp]) -> Floats:
    """How unlike two pips are, and how unlike pips; 0 is best."""
    norm = np.log(np.sqrt((pips.contrast**2).sum(1)) + 1e-3)
    unlike = np.abs(np.log(pips.r[i] / pips.r[j])) + 0.5 * np.abs(norm[i] - norm[j])
    rough = np.maximum(pips.spread[i], pips.spread[j]) + 0.5 * np.maximum(pips.ring[i], pips.ring[j])
    badness: Floats = (unlike + rough).astype(np.float32)
    return badness


def _crossings(middle: Floats, half: Floats, r: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pairs k, m of pairs that halve each other at a wide angle: the diagonals of a 4, 5 or 6."""
    order = np.argsort(middle[:, 0], kind="stable")
    x = middle[order, 0]
    first, second = windows(x, 0.55 * r[order])
    k, m = order[first], order[second]
    length = np.hypot(half[:, 0], half[:, 1])
    cross = np.abs(half[k, 0] * half[m, 1] - half[k, 1] * half[m, 0])
    ratio = length[k] / length[m]
    good = (np.abs(middle[k, 1] - middle[m, 1]) < 0.55 * r[k]) & (ratio > 0.62) & (ratio < 1.6)
    good &= (cross > 0.7 * length[k] * length[m]) & (np.abs(np.log(r[k] / r[m])) < 0.4)
    return k[good], m[good]


def _look(
    levels: tuple[Picture, ...], middle: Floats, axes: Floats, level: NDArray[np.int32], r: Floats
) -> Faces:
    """Sample the picture at the places and between them, and decide the face of each lattice."""
    n = len(middle)
    where = [
        middle[:, k, None] + axes[:, 0, k, None] * _POINTS[:, 0] + axes[:, 1, k, None] * _POINTS[:, 1]
        for k in (0, 1)
    ]
    seen = sampled(levels, level, np.stack(where, 2), cv2.BORDER_REPLICATE).astype(np.float32)
    discs = seen[:, : 5 * 9].reshape(n, 5, 9 * 3).sum(1).reshape(n, 9, 3) * np.float32(1 / 5)
    between = seen[:, 5 * 9 :]
    body = middle_of(np.ascontiguousarray(between.transpose(0, 2, 1)))
    contrast = np.float32(0.5) * (discs[:, 0] + discs[:, 1]) - body
    norm = np.sqrt(np.einsum("nc,nc->n", contrast, contrast)) + np.float32(1e-3)
    away = discs - body[:, None]
    fill = np.einsum("npc,nc->np", away, contrast) / (norm * norm)[:, None]
    off = np.sqrt(np.einsum("npc,npc->np", away, away)) / norm[:, None]
    # a filled place has the pip's colour; an empty one may not differ from the body in any colour
    # places first, lattices last: numpy is quick along the last axis
    filled = np.minimum(np.maximum(np.ascontiguousarray(fill.T), 0.0), 1.0)
    empty = np.maximum(1.0 - np.ascontiguousarray(off.T), 0.0)
    both = np.where(_FILLED.T[:, :, None], filled[:, None], empty[:, None])
    worst = both.min(0)
    best = worst.argmax(0)
    alike = distance(between, body[:, None]) < np.float32(0.33) * norm[:, None]
    homogeneous = alike.sum(1) / between.shape[1]
    margin = np.where(norm > 15.0, worst[best, np.arange(n)], 0.0)
    return Faces(
        face=_FACES[best],
        x=middle[:, 0],
        y=middle[:, 1],
        axes=axes,
        r=r.astype(np.float32),
        margin=margin.astype(np.float32),
        homogeneous=homogeneous.astype(np.float32),
        contrast=contrast,
        body=body,
        level=level,
        template=best,
        pips=np.full((n, len(PLACES)), -1, np.intp),
    )


def _with_members(pips: Pips, faces: Faces) -> Faces:
    """The faces with the nearest like pip at each filled place, -1 where there is none."""
    members = faces.pips
    order = np.argsort(pips.x, kind="stable")
    sorted_x = pips.x[order]
    middle = np.stack([faces.x, faces.y], 1)
    at = middle[:, None] + PLACES @ faces.axes
    reach = np.float32(0.21) * np.sqrt((faces.axes**2).sum(2)).sum(1)
    rows, places = np.nonzero(_FILLED[faces.template])
    spots = at[rows, places]
    low = np.searchsorted(sorted_x, spots[:, 0] - reach[rows])
    high = np.searchsorted(sorted_x, spots[:, 0] + reach[rows])
    spot, number = ranges(low, np.maximum(high - low, 0))
    near = order[number]
    row = rows[spot]
    gap = np.hypot(pips.x[near] - spots[spot, 0], pips.y[near] - spots[spot, 1])
    fits = (gap < reach[row]) & ((pips.contrast[near] * faces.contrast[row]).sum(1) > 0.0)
    fits &= (pips.r[near] < 1.8 * faces.r[row]) & (pips.r[near] > 0.55 * faces.r[row])
    spot, near, gap = spot[fits], near[fits], gap[fits]
    farthest_first = np.argsort(-gap, kind="stable")  # so that the nearest is written last
    members[rows[spot[farthest_first]], places[spot[farthest_first]]] = near[farthest_first]
    return faces


def _snapped(pips: Pips, faces: Faces) -> tuple[Floats, Floats, NDArray[np.int32], Floats]:
    """Middles, axes, levels and radii refitted to the pips at the places (affine: perspective squeezes)."""
    middle = np.stack([faces.x, faces.y], 1)
    axes = faces.axes.copy()
    r = faces.r.copy()
    rows = np.flatnonzero((faces.pips >= 0).sum(1) >= 4)
    members = faces.pips[rows]
    have = members >= 0
    normal = (have.astype(np.float32) @ _DESIGN_SQUARED).reshape(len(rows), 3, 3)
    good = np.linalg.det(normal) >= 1e-3
    rows, members, have = rows[good], members[good], have[good]
    if len(rows):
        target = np.stack([pips.x[members], pips.y[members]], 2) * have[..., None]
        solution = np.linalg.solve(normal[good], _DESIGN.T @ target)
        axes[rows], middle[rows] = solution[:, :2], solution[:, 2]
        r[rows] = median_of(pips.r[members], have)
    return middle.astype(np.float32), axes.astype(np.float32), faces.level, r.astype(np.float32)


def compete(faces: Faces) -> Faces:
    """The faces that hold when each pip may belong to one face only.

    The clearer, squarer and fuller face goes first: two pips of a 4 alone also read as a smaller 2.
    """
    good = (faces.margin > 0.22) & (faces.homogeneous >= 0.45)
    good &= (faces.pips >= 0).sum(1) == faces.face
    faces = faces.take(good)
    score = faces.margin * faces.homogeneous * squareness(faces.axes) * np.sqrt(faces.face)
    taken: set[int] = set()
    kept = []
    for n in np.argsort(-score, kind="stable").tolist():
        members = set(faces.pips[n][faces.pips[n] >= 0].tolist())
        if members & taken:
            continue
        taken |= members
        kept.append(n)
    return faces.take(np.array(kept, np.intp))


def squareness(axes: Floats) -> Floats:
    """(n,) 0-1: how near the two lattice units (n, 2, 2) are to equal length and a right angle."""
    length = np.sqrt((axes**2).sum(2)) + np.float32(1e-3)
    ratio = length.min(1) / length.max(1)
    cross = np.abs(axes[:, 0, 0] * axes[:, 1, 1] - axes[:, 0, 1] * axes[:, 1, 0])
    square: Floats = (ratio * cross / (length[:, 0] * length[:, 1])).astype(np.float32)
    return square
