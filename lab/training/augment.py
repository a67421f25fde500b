"""Every training patch is seen anew: turned, shifted, scaled, lit, blurred, recoloured.

A cut that is shifted or scaled too far becomes a lesson of its own: no face.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.training.pools import SIDE
from vision.inference.face_looks import NOT_A_FACE
from vision.inference.face_looks import PATCH_EDGES as EDGES
from vision.inference.face_looks import PATCH_PX as PIXELS

FAINTEST, NOISIEST, CLEAR, DARK = 6.0, 0.35, 15.0, 60.0
"""Grey levels: the least deviation that contrast is taken down to; the most noise, as a share of it; from
which deviation on strong compression does no harm; the mean below which nothing gets darker."""
PER_EDGE = SIDE * 3 / 8  # pool pixels an edge

Patch = NDArray[np.uint8]
_Y, _X = np.mgrid[0:PIXELS, 0:PIXELS].astype(np.float32) / np.float32(PIXELS) - np.float32(0.5)


@dataclass(frozen=True, slots=True)
class Pose:
    """How a patch is cut from its pool: turn in radians, shift x, y and width in edges, mirrored."""

    turn: float
    shift: tuple[float, float]
    edges: float
    mirrored: bool


STRAIGHT = Pose(0.0, (0.0, 0.0), EDGES, mirrored=False)


def good_pose(rng: np.random.Generator) -> Pose:
    """A cut as a careful finder of dice would make it."""
    reach, towards = min(0.24, abs(rng.normal(0, 0.1))), rng.uniform(0, 2 * np.pi)
    shift = (reach * np.cos(towards), reach * np.sin(towards))
    edges = EDGES * float(np.exp(np.clip(rng.normal(0, 0.13), -0.3, 0.3)))
    return Pose(float(rng.uniform(0, 2 * np.pi)), shift, edges, bool(rng.integers(2)))


def bad_pose(rng: np.random.Generator) -> Pose:
    """A cut that misses: beside the face, far too tight or far too wide."""
    pose = good_pose(rng)
    kind = rng.random()
    if kind < 0.6:
        reach, towards = rng.uniform(0.36, 0.62), rng.uniform(0, 2 * np.pi)
        return Pose(pose.turn, (reach * np.cos(towards), reach * np.sin(towards)), pose.edges, pose.mirrored)
    edges = EDGES * (rng.uniform(0.3, 0.55) if kind < 0.85 else rng.uniform(1.6, 2.2))
    return Pose(pose.turn, pose.shift, float(edges), pose.mirrored)


def _linear(pose: Pose, squeeze: float) -> NDArray[np.float64]:
    """(2, 2) from pool pixels to patch pixels."""
    zoom = PIXELS / (pose.edges * PER_EDGE)
    c, s = np.cos(pose.turn) * zoom, np.sin(pose.turn) * zoom
    linear = np.array([[c, -s], [s, c]]) @ np.diag([squeeze, 1.0])
    return linear @ np.diag([-1.0, 1.0]) if pose.mirrored else linear


def cut(patch: Patch, pose: Pose, squeeze: float = 1.0) -> Patch:
    """A (48, 48, 3) cut of a pool's patch; squeeze < 1 foreshortens it along x before the turn."""
    zoom = PIXELS / (pose.edges * PER_EDGE)
    linear = _linear(pose, squeeze)
    middle = np.full(2, SIDE / 2 - 0.5) + np.array(pose.shift) * PER_EDGE
    matrix = np.column_stack([linear, np.full(2, PIXELS / 2 - 0.5) - linear @ middle])
    if zoom < 0.8:
        patch = cv2.GaussianBlur(patch, (0, 0), 0.4 / zoom)
    return cv2.warpAffine(
        patch, matrix, (PIXELS, PIXELS), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )


def place(pose: Pose, squeeze: float = 1.0) -> NDArray[np.float32]:
    """(3,) where the face lies in such a cut, as `vision.inference.face_looks.classify_faces` tells it."""
    assumed = PIXELS / EDGES
    x, y = _linear(pose, squeeze) @ (-np.array(pose.shift) * PER_EDGE) / assumed
    return np.array([x, y, np.log2(EDGES / pose.edges * np.sqrt(squeeze))], np.float32)


def recolour(rng: np.random.Generator, seen: NDArray[np.float32]) -> NDArray[np.float32]:
    """A picture (h, w, 3) in other colours, under another white balance, now and then as a negative."""
    if rng.random() < 0.35:
        seen = seen[..., rng.permutation(3)]
    if rng.random() < 0.15:
        seen = 255 - seen
    if rng.random() < 0.1:
        seen = cv2.transform(seen, np.repeat(rng.dirichlet((1, 1, 1))[None], 3, 0))
    elif rng.random() < 0.3:
        seen = cv2.transform(seen, np.eye(3) + rng.normal(0, 0.15, (3, 3)))
    if rng.random() < 0.3:
        seen = 255 * cv2.pow(np.clip(seen / 255, 0, 1), float(np.exp(rng.normal(0, 0.4))))
    gain = np.exp(rng.normal(0, 0.25) + rng.normal(0, 0.08, 3))
    # never so dark that a black die's pips drown in black
    offset = max(rng.normal(0, 18), -0.7 * float(seen.min(2).mean()))
    return cv2.transform(seen, np.column_stack([np.diag(gain), np.full(3, offset)]))


def _relight(rng: np.random.Generator, seen: NDArray[np.float32]) -> NDArray[np.float32]:
    chance = rng.random()
    if chance < 0.45:
        angle = rng.uniform(0, 2 * np.pi)
        along = np.float32(np.cos(angle)) * _X + np.float32(np.sin(angle)) * _Y
        if chance < 0.25:
            light = 1 + np.float32(rng.uniform(0, 1.2)) * along
        else:
            beyond = (along - np.float32(rng.uniform(-0.4, 0.4))) / np.float32(rng.uniform(0.01, 0.1))
            light = 1 - np.float32(rng.uniform(0.2, 0.75)) / (1 + np.exp(-np.clip(beyond, -30, 30)))
        seen = seen * light[..., None]
    if rng.random() < 0.15:
        at = rng.uniform(-0.4, 0.4, 2).astype(np.float32)
        wide = rng.uniform(0.03, 0.13, 2).astype(np.float32)
        glow = np.exp(-(((_X - at[0]) / wide[0]) ** 2) - ((_Y - at[1]) / wide[1]) ** 2)
        seen = seen + (np.float32(rng.uniform(40, 220)) * glow)[..., None]
    return seen


def degrade(rng: np.random.Generator, seen: NDArray[np.float32]) -> Patch:
    """A picture (h, w, 3) as a worse camera gives it: blurred, coarse, faint, noisy, compressed.

    What is faint already gets less noise: nobody can learn to read what is not there.
    """
    height, width = seen.shape[:2]
    spread = float(seen[height // 4 : -height // 4, width // 4 : -width // 4].std((0, 1)).max())
    chance = rng.random()
    if chance < 0.25:
        seen = cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.4, 1.5))
    elif chance < 0.32:
        size = int(rng.integers(2, 5))
        kernel = cv2.warpAffine(
            np.eye(2 * size + 1, dtype=np.float32),
            cv2.getRotationMatrix2D((size, size), rng.uniform(0, 180), 1),
            (2 * size + 1, 2 * size + 1),
        )
        seen = cv2.filter2D(seen, -1, kernel / max(float(kernel.sum()), 1e-3))
    elif chance < 0.42:
        seen = seen + 0.9 * (seen - cv2.GaussianBlur(seen, (0, 0), 1.0))
    elif chance < 0.62:
        share = rng.uniform(0.42, 0.95)
        small = (int(width * share), int(height * share))
        seen = cv2.resize(seen, small, interpolation=cv2.INTER_AREA)
        seen = cv2.resize(seen, (width, height), interpolation=int(rng.choice([1, 2])))
    if rng.random() < 0.2:
        middle = float(seen.mean())
        seen = middle + (seen - middle) * np.float32(
            rng.uniform(min(0.8, max(0.2, FAINTEST / (spread + 1))), 0.8)
        )
        seen = seen + np.float32(rng.uniform(-40, 40) if middle > DARK else rng.uniform(0, 40))
    if rng.random() < 0.5:
        seen = seen + rng.standard_normal(seen.shape, np.float32) * np.float32(
            rng.uniform(0, min(7.0, NOISIEST * spread))
        )
    final = np.clip(seen, 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        _, packed = cv2.imencode(
            ".jpg", final, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35 if spread > CLEAR else 70, 95))]
        )
        final = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    return final


def training_patch(
    rng: np.random.Generator, patch: Patch, label: int, miss: float = 0.15
) -> tuple[Patch, int, NDArray[np.float32]]:
    """A (48, 48, 3) variation of a pool's patch, its label and place; `miss`: share of cuts meant to miss."""
    pose = good_pose(rng)
    if label != NOT_A_FACE and rng.random() < miss:
        pose, label = bad_pose(rng), NOT_A_FACE
    squeeze = 1.0 if rng.random() < 0.7 else float(rng.uniform(0.78, 1.0))
    seen = cut(patch, pose, squeeze).astype(np.float32)
    return degrade(rng, _relight(rng, recolour(rng, seen))), label, place(pose, squeeze)
