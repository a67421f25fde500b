"""The body of a die as second witness: its outline round a face that was read, or round a lone pip."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.lattice import Faces
from vision.pips import Floats, Picture, Pips, median_of

_ALONG = np.array([-1.2, -0.75, -0.35, 0.0, 0.35, 0.75, 1.2], np.float32)
_OUT = np.arange(1.5, 4.0, 0.1).astype(np.float32)
_RAYS = 32
_RAY_TURN = np.arange(_RAYS, dtype=np.float32) * np.float32(2.0 * np.pi / _RAYS)
_RAY_OUT = np.arange(1.9, 11.5, 0.3).astype(np.float32)
_SQUARE_TURN = np.radians(np.arange(0, 90, 6)).astype(np.float32)
_TURNED = _RAY_TURN[None, :] - _SQUARE_TURN[:, None]
_SQUASH = np.maximum(np.abs(np.cos(_TURNED)), np.abs(np.sin(_TURNED))).astype(np.float32)
_SIDE = np.floor((_TURNED + np.pi / 4) / (np.pi / 2)).astype(int) % 4
_LIMITS = ((0.08, 8.0), (0.2, 14.0), (0.45, 24.0))
"""Where the body's colour ends, tried in turn: share of the pips' contrast, and least step (0-441)."""


@dataclass(frozen=True, slots=True)
class Outlines:
    """Where the body ends, each array with n entries.

    edge: length of the top face's edge, px of level 0. angle: of an edge, degrees in [0, 90).
    sides: 0-4, how many sides agree on that edge. step: colour step across those sides, 0-441.
    fit: 0-1, share of the outline that fits the square.
    """

    edge: Floats
    angle: Floats
    sides: Floats
    step: Floats
    fit: Floats


def _sample(levels: tuple[Picture, ...], level: NDArray[np.int32], where: Floats) -> Floats:
    """(n, ..., 3) float32 colours at where (n, ..., 2; px of level 0), each row from its level."""
    n = len(where)
    flat = where.reshape(n, int(np.prod(where.shape[1:-1])), 2)
    seen = np.zeros((n, flat.shape[1], 3), np.float32)
    for number in np.unique(level):
        rows = np.flatnonzero(level == number)
        scale = np.float32(2.0 ** -int(number))
        for start in range(0, len(rows), 512):
            part = rows[start : start + 512]
            at = ((flat[part] + 0.5) * scale - 0.5).astype(np.float32)
            picture = levels[number]
            seen[part] = cv2.remap(
                picture, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT
            )
    return seen.reshape(*where.shape[:-1], 3)


def outline(levels: tuple[Picture, ...], faces: Faces) -> Outlines:
    """The square round each lattice, from the median colour of lines parallel to its sides."""
    n = len(faces)
    lines = []
    for out, along in ((0, 1), (1, 0)):
        for sign in (1.0, -1.0):
            towards = faces.axes[:, out][:, None, None] * (sign * _OUT)[None, :, None, None]
            aside = faces.axes[:, along][:, None, None] * _ALONG[None, None, :, None]
            lines.append(towards + aside)
    middle = np.stack([faces.x, faces.y], 1)
    where = middle[:, None, None, None] + np.stack(lines, 1)
    seen = _sample(levels, faces.level, where.astype(np.float32))
    colour = np.median(seen, axis=3)
    norm = np.sqrt((faces.contrast**2).sum(1))
    away = np.sqrt(((colour - faces.body[:, None, None]) ** 2).sum(3))
    units = np.repeat(np.sqrt((faces.axes**2).sum(2)), 2, axis=1)
    best = np.zeros((5, n), np.float32)
    for part, least in _LIMITS:
        at, jump = _first(away, np.maximum(least, part * norm)[:, None, None], _OUT)
        px = at * units
        px = np.where(np.isfinite(px), px, np.float32(1e6))
        agree = (np.abs(px[:, None, :] / px[:, :, None] - 1.0) < 0.14) & (px < 1e5)[:, None, :]
        count = np.where(px < 1e5, agree.sum(2), 0)
        k = count.argmax(1)
        mine = np.take_along_axis(agree, k[:, None, None], 1)[:, 0]
        sides = mine.sum(1)
        many = np.maximum(sides, 1)
        edge = 2.0 * np.where(mine, px, 0.0).sum(1) / many
        step = np.where(mine, jump, np.inf).min(1, initial=441.0)
        score = sides + 0.5 * np.minimum(step / norm, 1.0)
        new = np.stack([score, edge, sides, step, sides / 4.0])
        best = np.where(new[0] > best[0], new, best)
    angle = np.degrees(np.arctan2(faces.axes[:, 0, 1], faces.axes[:, 0, 0])) % 90.0
    return Outlines(best[1], angle.astype(np.float32), best[2], best[3], best[4])


def _first(away: Floats, limit: Floats, steps: Floats) -> tuple[Floats, Floats]:
    """Where each line (last axis of `away`) first goes past the limit and stays, inf if never; how far."""
    beyond = away > limit
    beyond[..., :-1] &= beyond[..., 1:]
    index = beyond.argmax(-1)
    at = np.where(beyond.any(-1), steps[index], np.float32(np.inf))
    later = np.minimum(index + 2, len(steps) - 1)
    return at, np.take_along_axis(away, later[..., None], -1)[..., 0]


def lone(levels: tuple[Picture, ...], pips: Pips) -> Outlines:
    """The square round each pip taken as a 1: rays go out until the body's colour ends."""
    n = len(pips)
    rays = np.stack([np.cos(_RAY_TURN), np.sin(_RAY_TURN)], 1)
    reach = (_RAY_OUT[None, :] * pips.r[:, None])[:, None, :, None]
    where = np.stack([pips.x, pips.y], 1)[:, None, None] + rays[None, :, None] * reach
    seen = _sample(levels, pips.level, where.astype(np.float32))
    near = seen[:, :, :3].reshape(n, _RAYS * 3, 3)
    body = np.median(near, axis=1)
    noise = np.median(np.abs(near - body[:, None]), axis=1).sum(1)
    norm = np.sqrt((pips.contrast**2).sum(1))
    away = np.sqrt(((seen - body[:, None, None]) ** 2).sum(3))
    limits = [np.maximum(np.maximum(least, part * norm), 2.0 * noise) for part, least in _LIMITS]
    ends = [_first(away, limit[:, None, None], _RAY_OUT) for limit in limits]
    at, jump = (np.concatenate(parts) for parts in zip(*ends, strict=True))
    found = _square(at * np.tile(pips.r, len(_LIMITS))[:, None], jump).reshape(6, len(_LIMITS), n)
    best = np.zeros((6, n), np.float32)
    for new in found.transpose(1, 0, 2):
        best = np.where(new[0] > best[0], new, best)
    return Outlines(best[1], best[2], best[3], best[4], best[5])


def _square(rho: Floats, jump: Floats) -> Floats:
    """Fit a square to where the rays ended, rho (n, rays).

    Gives (6, n): score, edge, angle, sides, step, fit.
    """
    n = len(rho)
    finite = np.where(np.isfinite(rho), rho, np.float32(1e6))
    q = finite[:, None, :] * _SQUASH[None]
    h = np.sort(q, axis=2)[:, :, [4, 8, 12, 16]]
    ratio = q[:, :, None, :] / h[..., None]
    inlier = np.abs(ratio - 1.0) < 0.1
    score = inlier.sum(3) - (ratio < 0.88).sum(3)
    score = np.where(h < 1e5, score, -_RAYS)
    flat = score.reshape(n, score.shape[1] * score.shape[2]).argmax(1)
    turn, rank = np.unravel_index(flat, score.shape[1:])
    rows = np.arange(n)
    good = inlier[rows, turn, rank]
    edge = 2.0 * h[rows, turn, rank]
    count = np.stack([(good & (_SIDE[turn] == k)).sum(1) for k in range(4)], 1)
    step = np.zeros(n, np.float32)
    some = good.any(1)
    step[some] = median_of(jump[some], good[some])
    fit = score[rows, turn, rank] / _RAYS
    angle = np.degrees(_SQUARE_TURN[turn])
    square: Floats = np.stack([fit, edge, angle, (count >= 4).sum(1), step, fit]).astype(np.float32)
    return square
