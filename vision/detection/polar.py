"""Measures spots in polar coordinates: how large and how round they are, how even the colour round them."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pips import Floats, Picture, Pips

RING_STEP = 0.6
"""Level pixels from one polar ring to the next."""


@dataclass(frozen=True, slots=True)
class _PolarGrid:
    """Polar sample points: cos and sin of each angle, radius of each ring in level pixels.

    points: (angles * rings, 2) float32 x, y of each, ring by ring within the angle.
    """

    cos: Floats
    sin: Floats
    radii: Floats
    points: Floats

    @classmethod
    def of(cls, angles: int, rings: int) -> "_PolarGrid":
        turn = np.arange(angles) * 2.0 * np.pi / angles
        radii = (np.arange(rings) * RING_STEP).astype(np.float32)
        cos, sin = np.cos(turn).astype(np.float32), np.sin(turn).astype(np.float32)
        return cls(cos, sin, radii, (np.stack([cos, sin], 1)[:, None] * radii[:, None]).reshape(-1, 2))


_GLANCE = _PolarGrid.of(8, 8)
_CLOSE = _PolarGrid.of(16, 13)
_TOWARDS = np.stack([_GLANCE.cos, _GLANCE.sin], 1) * np.float32(2 / len(_GLANCE.cos))
"""Of the rim's distance at each angle, how far and whereto the true middle lies."""


def measure_spots(
    levels: tuple[Picture, ...], numbers: list[int], found: list[tuple[NDArray[np.int32], bool]]
) -> list[tuple[Pips, bool]]:
    """What was found on each of the levels (see `peaks.standing_out`) as pips, and whether there was more.

    Sampled from each level, then measured all together: numpy's price is by the call.
    """
    spots, more = zip(*found, strict=True)
    level = np.repeat(np.array(numbers, np.int32), [len(xy) for xy in spots])
    x, y = np.concatenate(spots).astype(np.float32).T
    seen = _polar_at(levels, level, x, y, _GLANCE)
    p, _, norm = _projected(seen, _mean(seen, 5, 8))
    rim, crossed = _rim(p)
    good = (crossed.sum(1) > 0.85 * crossed.shape[1]) & (norm > 15.0)
    shift = np.clip(rim @ _TOWARDS, -1.5, 1.5)
    x, y = (x + shift[:, 0])[good], (y + shift[:, 1])[good]
    level = level[good]
    seen = _polar_at(levels, level, x, y, _CLOSE)
    around = np.sort(seen[:, ::2, 5:9].reshape(len(x), 32, 3), axis=1)
    body = around[:, 14:18].mean(1)
    p, contrast, _ = _projected(seen, body)
    pips = _measured(level, x, y, p, contrast, body)
    ends = np.searchsorted(pips.level, numbers, side="right").tolist()
    spans = zip([0, *ends], ends, more, strict=False)
    return [(pips.take(slice(start, end)), many) for start, end, many in spans]


def _rim(p: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Where each ray (n, angles, rings; 1 in the middle, 0 in the surround) falls through one half."""
    n, angles, rings = p.shape
    below = p < 0.5
    below[:, :, 0] = False
    first = below.argmax(2)
    crossed = first > 0
    k = np.where(crossed, first, rings - 1)
    flat, at = p.ravel(), np.arange(n * angles).reshape(n, angles) * rings + k
    before, after = flat[at - 1], flat[at]
    part = (before - np.float32(0.5)) / np.maximum(before - after, np.float32(1e-3))
    part = np.minimum(np.maximum(part, np.float32(0.0)), np.float32(1.0))
    return (part + (k - 1).astype(np.float32)) * np.float32(RING_STEP), crossed


def _mean(seen: Floats, first: int, end: int) -> Floats:
    """(n, 3) mean colour of the rings from `first` up to `end`; a product, which is quicker than a mean."""
    n, angles, rings, _ = seen.shape
    weight = np.zeros((angles, rings), np.float32)
    weight[:, first:end] = 1.0 / (angles * (end - first))
    mean: Floats = np.matmul(weight.reshape(1, 1, -1), seen.reshape(n, angles * rings, 3))[:, 0]
    return mean


def _projected(seen: Floats, body: Floats) -> tuple[Floats, Floats, Floats]:
    """How pip-like each sample is (1 middle, 0 body), the contrast (n, 3) and its length (n,)."""
    n, angles, rings, _ = seen.shape
    contrast = _mean(seen, 0, 2) - body
    norm = np.sqrt((contrast * contrast).sum(1)) + np.float32(1e-3)
    unit = contrast / (norm * norm)[:, None]
    p = np.matmul(seen.reshape(n, angles * rings, 3), unit[:, :, None]).reshape(n, angles, rings)
    return p - (body * unit).sum(1)[:, None, None], contrast, norm


def _polar_at(
    levels: tuple[Picture, ...], level: NDArray[np.int32], x: Floats, y: Floats, grid: _PolarGrid
) -> Floats:
    """(n, angles, rings, 3) float32: what is round each point (pixels of its level), bilinear.

    level: (n,), ascending.
    """
    at_x, at_y = x[:, None] + grid.points[:, 0], y[:, None] + grid.points[:, 1]
    seen = [np.zeros((0, len(grid.points), 3), np.uint8)]
    for number in np.unique(level).tolist():
        maps = at_x[level == number], at_y[level == number]
        seen.append(cv2.remap(levels[number], *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    return np.concatenate(seen).reshape(-1, len(grid.cos), len(grid.radii), 3).astype(np.float32)


def _measured(
    level: NDArray[np.int32], x: Floats, y: Floats, p: Floats, contrast: Floats, body: Floats
) -> Pips:
    """The spots that are round enough and have surround enough of one colour, in px of level 0."""
    rim, crossed = _rim(p)
    ordered = np.sort(rim, axis=1)
    r = 0.5 * (ordered[:, 7] + ordered[:, 8])
    spread = (ordered[:, 12] - ordered[:, 3]) / np.maximum(r, 0.5)
    k = np.minimum(np.maximum(np.float32(1.5 / RING_STEP) * r, 1.0), p.shape[2] - 1.01)
    low = k.astype(np.intp)
    part = (k - low)[:, None]
    n = np.arange(len(r))
    ring = np.abs(p[n, :, low] * (1 - part) + p[n, :, low + 1] * part)
    ring = np.sort(ring, axis=1)[:, 12]
    good = (crossed.sum(1) > 0.9 * crossed.shape[1]) & (r > 1.15) & (r < 3.9) & (spread < 0.7) & (ring < 0.9)
    good &= (contrast * contrast).sum(1) > 18.0**2
    scale = np.exp2(level[good]).astype(np.float32)
    return Pips(
        (x[good] + np.float32(0.5)) * scale - np.float32(0.5),
        (y[good] + np.float32(0.5)) * scale - np.float32(0.5),
        (r[good] * scale).astype(np.float32),
        level[good],
        contrast[good].astype(np.float32),
        body[good].astype(np.float32),
        spread[good].astype(np.float32),
        ring[good].astype(np.float32),
    )
