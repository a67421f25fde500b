"""Things of a die's size without a pip on it: blots, squares of a cloth, counters, balls; each no face."""

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.training.pools import SIDE, Pool
from vision.inference.face_looks import NOT_A_FACE

_Y, _X = (np.mgrid[0:SIDE, 0:SIDE].astype(np.float32) - (SIDE / 2 - 0.5)) / (SIDE * 3 / 8)  # in edges


def _wobbly(rng: np.random.Generator) -> NDArray[np.float32]:
    """Distance (SIDE, SIDE) in edges to the outline of a blot, negative inside."""
    angle, reach = np.arctan2(_Y, _X), np.hypot(_X, _Y)
    outline = np.full_like(reach, rng.uniform(0.3, 0.65))
    for wave in range(1, 5):
        outline *= 1 + np.float32(rng.normal(0, 0.12)) * np.sin(wave * angle + np.float32(rng.uniform(0, 6)))
    return reach - outline


def _square(rng: np.random.Generator) -> NDArray[np.float32]:
    turn, half, corner = rng.uniform(0, np.pi), rng.uniform(0.25, 0.6), rng.uniform(0, 0.2)
    c, s = np.float32(np.cos(turn)), np.float32(np.sin(turn))
    across, down = np.abs(c * _X + s * _Y), np.abs(c * _Y - s * _X) * np.float32(rng.uniform(0.6, 1.6))
    beyond = np.maximum(np.maximum(across, down) - half, 0.7 * (across + down) - half * (1 + corner))
    return beyond.astype(np.float32)


def _disc(rng: np.random.Generator) -> NDArray[np.float32]:
    return np.hypot(_X, _Y * np.float32(rng.uniform(0.8, 1.2))) - np.float32(rng.uniform(0.25, 0.65))


def _many(rng: np.random.Generator) -> NDArray[np.float32]:
    """A pattern of dots or squares, one of them in the middle."""
    step = np.float32(rng.uniform(0.7, 1.6))
    x, y = (_X + step / 2) % step - step / 2, (_Y + step / 2) % step - step / 2
    reach = np.hypot(x, y) if rng.random() < 0.5 else np.maximum(np.abs(x), np.abs(y))
    return reach - step * np.float32(rng.uniform(0.15, 0.42))


def _colour(rng: np.random.Generator) -> NDArray[np.float32]:
    grey = rng.uniform(0, 255)
    return np.clip(grey + rng.normal(0, 50 * float(rng.random() < 0.7), 3), 0, 255).astype(np.float32)


def blank(rng: np.random.Generator) -> NDArray[np.uint8]:
    """One pool patch (96, 96, 3) without a face."""
    picture = np.empty((SIDE, SIDE, 3), np.float32)
    picture[:] = _colour(rng)
    # One shape only: a spot within a square would be a face that shows one.
    drawer = (_wobbly, _square, _disc, _many)[rng.integers(4)]
    soft = 1 / (1 + np.exp(np.clip(drawer(rng) / np.float32(rng.uniform(0.01, 0.06)), -30, 30)))
    body = np.broadcast_to(_colour(rng), picture.shape)
    if rng.random() < 0.4:
        lean = rng.normal(0, 0.5, 2).astype(np.float32)
        body = body * (1 + lean[0] * _X + lean[1] * _Y)[..., None]
    if drawer is _disc and rng.random() < 0.5:
        angle = rng.uniform(0, 2 * np.pi)
        x, y = np.float32(0.25 * np.cos(angle)), np.float32(0.25 * np.sin(angle))
        wide = np.float32(rng.uniform(0.04, 0.15))
        body = body + 120 * np.exp(-((_X - x) ** 2 + (_Y - y) ** 2) / wide**2)[..., None]
    picture += (body - picture) * soft[..., None]
    small = rng.standard_normal((SIDE, SIDE, 1), np.float32) * np.float32(rng.uniform(0, 10))
    picture += cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.3, 2)))[..., None]
    return np.clip(picture, 0, 255).astype(np.uint8)


def blank_pool(seed: int, count: int) -> Pool:
    """`count` of them; group = `drawn`."""
    rng = np.random.default_rng(seed)
    patches = np.array([blank(rng) for _ in range(count)])
    return Pool(patches, np.full(count, NOT_A_FACE, np.uint8), np.array(["drawn"] * count, dtype="U60"))
