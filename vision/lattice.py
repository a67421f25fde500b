"""Fits the places of a face to pips: which of the nine crossings are filled, which provably empty.

Every face from 2 to 6 has pips at two opposite corners of its lattice, so every pair of like pips proposes
one lattice; the picture itself, not the list of pips, then says which of its places are filled.
Lattice units: the corners stand at (+-1, +-1), the body between the places at half units.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pips import Floats, Picture, Pips

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
_DISC = np.array([(0, 0), (0.17, 0), (-0.17, 0), (0, 0.17), (0, -0.17)], np.float32)
_POINTS = np.concatenate([(PLACES[:, None] + _DISC).reshape(-1, 2), _BODY])

PAIRS_MAX = 1500


@dataclass(frozen=True, slots=True)
class Faces:
    """Lattices read, each array with n entries.

    face: 2-6. x, y: middle, px of level 0. axes: (n, 2, 2) float32, lattice unit vectors in px (rows u, v).
    r: pip radius, px. margin: 0-1, how clearly every place is filled or empty (1 = perfectly).
    homogeneous: 0-1, share of the body between the places that has the body's colour.
    contrast, body: (n, 3) float32 BGR. level: pyramid level it was read on.
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
    pips: NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.x)

    def take(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> "Faces":
        """Those of the index or mask."""
        return Faces(
            self.face[chosen],
            self.x[chosen],
            self.y[chosen],
            self.axes[chosen],
            self.r[chosen],
            self.margin[chosen],
            self.homogeneous[chosen],
            self.contrast[chosen],
            self.body[chosen],
            self.level[chosen],
            self.pips[chosen],
        )


def pairs(pips: Pips) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Indices i, j of pips that could be opposite corners of one face."""
    order = np.argsort(pips.x, kind="stable")
    x, y, r = pips.x[order], pips.y[order], pips.r[order]
    contrast, body = pips.contrast[order], pips.body[order]
    norm = np.sqrt((contrast * contrast).sum(1)) + 1e-3
    reach = 13.0 * r
    last = np.searchsorted(x, x + reach, side="right")
    count = np.maximum(last - np.arange(len(x)) - 1, 0)
    i = np.repeat(np.arange(len(x)), count)
    offset = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    j = i + 1 + offset
    ratio = r[i] / r[j]
    near = (np.abs(y[i] - y[j]) < reach[i]) & (ratio > 0.6) & (ratio < 1.67)
    i, j = i[near], j[near]
    mean_r = 0.5 * (r[i] + r[j])
    gap = np.hypot(x[i] - x[j], y[i] - y[j]) / mean_r
    smaller, larger = np.minimum(norm[i], norm[j]), np.maximum(norm[i], norm[j])
    alike = (contrast[i] * contrast[j]).sum(1) > 0.7 * norm[i] * norm[j]
    same_body = np.sqrt(((body[i] - body[j]) ** 2).sum(1)) < 0.6 * smaller
    good = (gap > 3.8) & (gap < 13.0) & alike & (larger < 2.4 * smaller) & same_body
    return order[i[good]], order[j[good]]


def read(levels: tuple[Picture, ...], pips: Pips) -> Faces:
    """Every lattice that reads as a face of 2 to 6, still competing with each other for pips."""
    i, j = pairs(pips)
    if len(i) > PAIRS_MAX:
        i, j = i[:PAIRS_MAX], j[:PAIRS_MAX]
    middle = np.stack([pips.x[i] + pips.x[j], pips.y[i] + pips.y[j]], 1) * 0.5
    half = np.stack([pips.x[j] - pips.x[i], pips.y[j] - pips.y[i]], 1) * 0.5
    across = np.stack([-half[:, 1], half[:, 0]], 1)
    # corner (1, 1) is `half`, corner (-1, 1) is `across`
    axes = np.stack([(half - across) * 0.5, (half + across) * 0.5], 1).astype(np.float32)
    level = np.minimum(pips.level[i], pips.level[j])
    first = _look(levels, pips, middle.astype(np.float32), axes, level, 0.5 * (pips.r[i] + pips.r[j]))
    snapped = _snap(pips, first)
    second = _look(levels, pips, *snapped)
    better = second.margin >= first.margin
    names = ("face", "x", "y", "axes", "r", "margin", "homogeneous", "contrast", "body", "level", "pips")
    merged = []
    for name in names:
        a, b = getattr(second, name), getattr(first, name)
        merged.append(np.where(better.reshape(-1, *[1] * (a.ndim - 1)), a, b))
    return Faces(*merged)


def _look(
    levels: tuple[Picture, ...], pips: Pips, middle: Floats, axes: Floats, level: NDArray[np.int32], r: Floats
) -> Faces:
    """Sample the picture at the places and between them, and decide the face of each lattice."""
    n = len(middle)
    seen = np.zeros((n, len(_POINTS), 3), np.float32)
    where = middle[:, None] + np.einsum("pk,nkc->npc", _POINTS, axes)
    for number in np.unique(level):
        rows = np.flatnonzero(level == number)
        scale = np.float32(2.0**-number)
        at = ((where[rows] + 0.5) * scale - 0.5).astype(np.float32)
        picture = levels[number]
        values = cv2.remap(picture, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        seen[rows] = values
    discs = seen[:, : 9 * 5].reshape(n, 9, 5, 3).mean(2)
    between = seen[:, 9 * 5 :]
    body = np.median(between, axis=1)
    contrast = discs[:, :2].mean(1) - body
    norm = np.sqrt((contrast * contrast).sum(1)) + 1e-3
    unit = contrast / (norm * norm)[:, None]
    fill = np.einsum("npc,nc->np", discs - body[:, None], unit)
    off = np.sqrt(((discs - body[:, None]) ** 2).sum(2)) / norm[:, None]
    # a filled place has the pip's colour; an empty one may not differ from the body in any colour
    filled = np.clip(fill, 0.0, 1.0)
    empty = np.clip(1.0 - off, 0.0, 1.0)
    both = np.where(_FILLED[None], filled[:, None], empty[:, None])
    worst = both.min(2)
    best = worst.argmax(1)
    homogeneous = (np.sqrt(((between - body[:, None]) ** 2).sum(2)) < 0.33 * norm[:, None]).mean(1)
    margin = np.where(norm > 15.0, worst[np.arange(n), best], 0.0)
    members = _members(pips, middle, axes, r, _FILLED[best], contrast)
    return Faces(
        _FACES[best], middle[:, 0], middle[:, 1], axes, r.astype(np.float32), margin.astype(np.float32),
        homogeneous.astype(np.float32), contrast, body, level, members,
    )  # fmt: skip


def _members(
    pips: Pips, middle: Floats, axes: Floats, r: Floats, filled: NDArray[np.bool_], contrast: Floats
) -> NDArray[np.intp]:
    """(n, 9) the nearest like pip at each filled place, -1 where there is none."""
    members = np.full((len(middle), len(PLACES)), -1, np.intp)
    order = np.argsort(pips.x, kind="stable")
    sorted_x = pips.x[order]
    at = middle[:, None] + np.einsum("pk,nkc->npc", PLACES, axes)
    reach = 0.42 * np.sqrt((axes * axes).sum(2)).mean(1)
    for row, place in zip(*np.nonzero(filled), strict=True):
        x, y = at[row, place]
        low, high = np.searchsorted(sorted_x, (x - reach[row], x + reach[row]))
        near = order[low:high]
        gap = np.hypot(pips.x[near] - x, pips.y[near] - y)
        alike = (pips.contrast[near] * contrast[row]).sum(1) > 0.0
        size = (pips.r[near] < 1.8 * r[row]) & (pips.r[near] > 0.55 * r[row])
        gap = np.where(alike & size, gap, np.inf)
        if len(gap) and gap.min() < reach[row]:
            members[row, place] = near[gap.argmin()]
    return members


def _snap(pips: Pips, faces: Faces) -> tuple[Floats, Floats, NDArray[np.int32], Floats]:
    """Middles and axes refitted to the pips found at the places (affine: perspective squeezes a face)."""
    middle = np.stack([faces.x, faces.y], 1)
    axes = faces.axes.copy()
    r = faces.r.copy()
    for n in range(len(faces)):
        members = faces.pips[n]
        have = members >= 0
        if have.sum() < 4:
            continue
        design = np.concatenate([PLACES[have], np.ones((have.sum(), 1), np.float32)], 1)
        target = np.stack([pips.x[members[have]], pips.y[members[have]]], 1)
        solution = np.linalg.lstsq(design, target, rcond=None)[0]
        axes[n], middle[n] = solution[:2], solution[2]
        r[n] = np.median(pips.r[members[have]])
    return middle.astype(np.float32), axes.astype(np.float32), faces.level, r.astype(np.float32)


def compete(faces: Faces, *, margin_min: float = 0.35, homogeneous_min: float = 0.6) -> Faces:
    """The faces that hold when each pip may belong to one face only; the fuller face goes first."""
    good = (faces.margin > margin_min) & (faces.homogeneous >= homogeneous_min)
    good &= (faces.pips >= 0).sum(1) == faces.face
    faces = faces.take(good)
    order = np.lexsort((-faces.margin * faces.homogeneous, -faces.face))
    taken: set[int] = set()
    kept = []
    for n in order.tolist():
        members = set(faces.pips[n][faces.pips[n] >= 0].tolist())
        if members & taken:
            continue
        taken |= members
        kept.append(n)
    return faces.take(np.array(kept, np.intp))
