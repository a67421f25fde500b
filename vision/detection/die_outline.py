"""The body of a die as second witness: its outline round a face that was read, or round a lone pip."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.detection.lattice import Faces, edge_angles
from vision.inference.networks import pyramid_level
from vision.pips import Floats, Picture, Pips, distance, median_of, middle_of, sampled

_ALONG = np.array([-1.2, -0.75, -0.35, 0.0, 0.35, 0.75, 1.2], np.float32)
_OUT = np.arange(1.5, 4.0, 0.1).astype(np.float32)
_LINES = np.array(
    [
        [
            (a, sign * o) if turned else (sign * o, a)
            for turned in (False, True)
            for sign in (1, -1)
            for o in _OUT
        ]
        for a in _ALONG
    ],
    np.float32,
).reshape(-1, 2)
"""In lattice units: on each line across a side, the steps outwards, of each of the four sides."""
_EXCHANGES = np.array([0, 5, 0, 3, 1, 6, 2, 4, 0, 1, 3, 5, 2, 6, 2, 3, 3, 6, 4, 5, 1, 4, 1, 3, 3, 4]).reshape(
    -1, 2
)
"""Which of seven to put in order one after the other so that the fourth is their median (N. Devillard, "Fast
median search: an ANSI C implementation", 1998): for a few numbers far quicker than sorting each seven."""
_RAYS = 32
_RAY_TURN = np.arange(_RAYS, dtype=np.float32) * np.float32(2.0 * np.pi / _RAYS)
_RAY_OUT = np.arange(1.9, 11.5, 0.3).astype(np.float32)
_RAY_POINTS = np.stack([np.cos(_RAY_TURN), np.sin(_RAY_TURN)], 1)[:, None] * _RAY_OUT[:, None]
_SQUARE_TURN = np.radians(np.arange(0, 90, 6)).astype(np.float32)
_TURNED = _RAY_TURN[None, :] - _SQUARE_TURN[:, None]
_SQUASH = np.maximum(np.abs(np.cos(_TURNED)), np.abs(np.sin(_TURNED))).astype(np.float32)
_SIDE = np.floor((_TURNED + np.pi / 4) / (np.pi / 2)).astype(int) % 4
_LIMITS = np.array([(0.08, 8.0), (0.2, 14.0), (0.45, 24.0)], np.float32)
"""Where the body's colour ends, tried in turn: share of the pips' contrast, and least step (0-441)."""
_NEVER = np.float32(1e6)


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


def outline(levels: tuple[Picture, ...], faces: Faces) -> Outlines:
    """The square round each lattice, from the median colour of lines parallel to its sides."""
    n = len(faces)
    middle = np.stack([faces.x, faces.y], 1)
    seen = sampled(levels, faces.level, middle[:, None] + _LINES @ faces.axes)
    lines = list(seen.reshape(n, len(_ALONG), 4 * len(_OUT) * 3).transpose(1, 0, 2))
    for i, k in _EXCHANGES:
        lines[i], lines[k] = np.minimum(lines[i], lines[k]), np.maximum(lines[i], lines[k])
    colour = lines[len(lines) // 2].reshape(n, 4, len(_OUT), 3)
    norm = np.sqrt((faces.contrast**2).sum(1))
    away = distance(colour, faces.body[:, None, None])
    units = np.repeat(np.sqrt((faces.axes**2).sum(2)), 2, axis=1)
    # all limits at once, the first axis from here on; then the best of them
    limit = np.maximum(_LIMITS[:, 1:], _LIMITS[:, :1] * norm)
    at, jump = _first(away, limit[..., None, None], _OUT)
    px = np.where(np.isfinite(at), at * units, _NEVER)
    agree = np.abs(px[..., None, :] / px[..., :, None] - 1.0) < 0.14
    agree &= (px < _NEVER)[..., None, :]
    count = np.where(px < _NEVER, agree.sum(3), 0)
    mine = np.take_along_axis(agree, count.argmax(2)[..., None, None], 2)[:, :, 0]
    sides = mine.sum(2)
    edge = 2.0 * np.where(mine, px, 0.0).sum(2) / np.maximum(sides, 1)
    step = np.where(mine, jump, np.inf).min(2, initial=441.0)
    score = sides + 0.5 * np.minimum(step / norm, 1.0)
    best = score.argmax(0), np.arange(n)
    found = (edge[best], edge_angles(faces), sides[best], step[best], sides[best] / 4.0)
    return Outlines(*(part.astype(np.float32) for part in found))


def _first(away: Floats, limit: Floats, steps: Floats) -> tuple[Floats, Floats]:
    """Where each line (last axis of `away`) first goes past each limit and stays, inf if never; how far."""
    beyond = away > limit
    beyond[..., :-1] &= beyond[..., 1:]
    index = beyond.argmax(-1)
    count = len(steps)
    never = ~beyond.reshape(-1, count)[np.arange(index.size), index.ravel()].reshape(index.shape)
    at = np.where(never, np.float32(np.inf), steps[index])
    line = np.arange(away.size // count).reshape(away.shape[:-1]) * count
    return at, away.ravel()[line + np.minimum(index + 2, count - 1)]


def lone(levels: tuple[Picture, ...], pips: Pips) -> Outlines:
    """The square round each pip taken as a 1: rays go out until the body's colour ends."""
    n, limits = len(pips), len(_LIMITS)
    where = np.stack([pips.x, pips.y], 1)[:, None] + pips.r[:, None, None] * _RAY_POINTS.reshape(1, -1, 2)
    seen = sampled(levels, pips.level, where).reshape(n, _RAYS, len(_RAY_OUT), 3)
    near = seen[:, :, :3].reshape(n, _RAYS * 3, 3).transpose(0, 2, 1).astype(np.float32, order="C")
    body = middle_of(near)
    noise = middle_of(np.abs(near - body[..., None])).sum(1)
    norm = np.sqrt((pips.contrast**2).sum(1))
    away = distance(seen, body[:, None, None])
    limit = np.maximum(np.maximum(_LIMITS[:, 1:], _LIMITS[:, :1] * norm), 2.0 * noise)
    at, jump = _first(away, limit[..., None, None], _RAY_OUT)
    rho = (at * pips.r[:, None]).reshape(limits * n, _RAYS)
    found = _square(rho, jump.reshape(limits * n, _RAYS)).reshape(6, limits, n)
    best = found[:, found[0].argmax(0), np.arange(n)]
    best = np.where(best[0] > 0.0, best, np.float32(0.0))
    return Outlines(best[1], best[2], best[3], best[4], best[5])


def _square(rho: Floats, jump: Floats) -> Floats:
    """Fit a square to where the rays ended, rho (n, rays).

    Gives (6, n): score, edge, angle, sides, step, fit.
    """
    n = len(rho)
    finite = np.where(np.isfinite(rho), rho, _NEVER)
    q = finite[:, None, :] * _SQUASH[None]
    h = np.sort(q, axis=2)[:, :, [4, 8, 12, 16]]
    ratio = q[:, :, None, :] / h[..., None]
    inlier = np.abs(ratio - np.float32(1.0)) < np.float32(0.1)
    # counted as bytes: each is at most the number of rays
    score = inlier.sum(3, dtype=np.int8) - (ratio < np.float32(0.88)).sum(3, dtype=np.int8)
    score = np.where(h < 1e5, score, -_RAYS)
    flat = score.reshape(n, score.shape[1] * score.shape[2]).argmax(1)
    turn, rank = np.unravel_index(flat, score.shape[1:])
    rows = np.arange(n)
    good = inlier[rows, turn, rank]
    edge = 2.0 * h[rows, turn, rank]
    count = (good[:, None] & (_SIDE[turn][:, None] == np.arange(4)[:, None])).sum(2)
    step = np.zeros(n, np.float32)
    some = good.any(1)
    step[some] = median_of(jump[some], good[some])
    fit = score[rows, turn, rank] / _RAYS
    angle = np.degrees(_SQUARE_TURN[turn])
    square: Floats = np.stack([fit, edge, angle, (count >= 4).sum(1), step, fit]).astype(np.float32)
    return square


_ROUND_OUT = np.arange(0.26, 0.86, 0.02).astype(np.float32)
_ROUND_POINTS = np.stack([np.cos(_RAY_TURN), np.sin(_RAY_TURN)], 1)[:, None] * _ROUND_OUT[:, None]
_ROUND_LIMITS = np.array([[[14.0]], [[28.0]], [[56.0]]], np.float32)
"""Where the body's colour ends, tried in turn, 0-441."""
ROUND_PX = 40.0
"""Edge, px, with which a body is looked at: about so large the outline is plain."""
ROUND, ROUND_NEAR, ROUND_FAR, ROUND_RAYS = 0.02, 0.08, 0.3, 24
"""An outline is round where this many of its 32 rays end near one ellipse (shares of its radius): each
within the second, at first within the third, their mean error within the first. A square is off by 0.1, with
round corners by 0.04."""


def round_bodies(levels: tuple[Picture, ...], x: Floats, y: Floats, edge: Floats) -> NDArray[np.bool_]:
    """(n,) whether what lies round each middle of a 1 (x, y; edge; px of level 0) ends in an ellipse.

    So counters and coins with one dot do; a die ends in straight sides, and one of them is nearer.
    """
    return np.array(
        [_round_body(levels, *place) for place in zip(x, y, edge, strict=True)], np.bool_
    ).reshape(len(x))


def _round_body(levels: tuple[Picture, ...], x: np.float32, y: np.float32, edge: np.float32) -> bool:
    number = np.array([pyramid_level(float(edge), ROUND_PX, len(levels))], np.int32)
    where = np.array([x, y], np.float32) + edge * _ROUND_POINTS.reshape(1, -1, 2)
    seen = sampled(levels, number, where).reshape(_RAYS, len(_ROUND_OUT), 3).astype(np.float32)
    body = np.median(seen[:, :4].reshape(-1, 3), axis=0)
    away = np.repeat(distance(seen, body)[None], len(_ROUND_LIMITS), 0)
    # what has another colour from the first step on has not ended there: a large pip, gloss, clear dice
    away[np.logical_and.accumulate(away > _ROUND_LIMITS, axis=-1)] = 0.0
    ends, _ = _first(away, _ROUND_LIMITS, _ROUND_OUT)
    return any(_elliptic(rho) for rho in ends)


_COS, _SIN = np.cos(_RAY_TURN.astype(np.float64)), np.sin(_RAY_TURN.astype(np.float64))
_SQUARES = np.stack([_COS * _COS, _COS * _SIN, _SIN * _SIN], 1)
_LINES_OUT = np.stack([_COS, _SIN], 1)
"""Of a conic along each ray: what multiplies the square of the distance, and the distance."""


def _elliptic(rho: Floats) -> bool:
    """Whether rays that end at rho (_RAYS,), inf for never, end on one ellipse."""
    ended = np.isfinite(rho)
    if ended.sum() < ROUND_RAYS:
        return False
    # rays that end at a print on it say nothing of its outline
    ended &= np.abs(rho / np.median(rho[ended]) - 1.0) < ROUND_FAR
    far = np.where(np.isfinite(rho), rho, _NEVER).astype(np.float64)[:, None]
    whole = np.concatenate([_SQUARES * far * far, _LINES_OUT * far], 1)
    for _ in range(3):
        design = whole[ended]
        try:
            conic = np.linalg.solve(design.T @ design, design.sum(0))
        except np.linalg.LinAlgError:
            return False
        # along a ray the conic is a quadratic equation for the distance at which it should end
        square, line = _SQUARES @ conic[:3], _LINES_OUT @ conic[3:]
        root = np.sqrt(np.maximum(line * line + 4 * square, 0.0))
        fitted = np.where(square > 1e-6, (root - line) / np.maximum(2 * square, 1e-6), np.inf)
        ended = np.abs(far[:, 0] / fitted - 1.0) < ROUND_NEAR
        if ended.sum() < ROUND_RAYS:
            return False
    off = far[ended, 0] / fitted[ended] - 1.0
    return bool(np.sqrt((off**2).mean()) < ROUND)
