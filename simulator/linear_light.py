"""Between colours as people write them and light as it adds up."""

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulator.geometry import Floats

GAMMA = 2.2
SHOULDER = 0.82
"""Linear light above this is rolled off towards white, as cameras do."""


def linear(rgb: ArrayLike) -> Floats:
    """Gamma-coded RGB 0-255 (..., 3) -> linear BGR 0-1, float32."""
    coded = np.asarray(rgb, np.float32)[..., ::-1] / np.float32(255)
    return np.ascontiguousarray(coded**GAMMA, dtype=np.float32)


_LIGHT = np.asarray((np.arange(256) / 255) ** GAMMA, np.float32)
_LIGHT.setflags(write=False)


def light_of(coded_bgr: NDArray[np.uint8]) -> Floats:
    """Gamma-coded 0-255 (h, w, 3) -> linear light 0-1 float32, same shape, channels as they are."""
    return np.asarray(cv2.LUT(coded_bgr, _LIGHT), np.float32)


def in_channels(plane: Floats) -> Floats:
    """(h, w) -> (h, w, 3), the same in each channel; five times as fast as broadcasting over three."""
    return np.asarray(cv2.merge((plane, plane, plane)))


def coloured(plane: Floats, colour: Floats) -> Floats:
    """(h, w) times a colour (3,) -> (h, w, 3); ten times as fast as broadcasting over three."""
    return np.asarray(cv2.merge([plane * channel for channel in colour]))


def _curve() -> NDArray[np.uint8]:
    light = np.linspace(0, 2, 4096)
    rest = 1 - SHOULDER
    rolled = np.where(light < SHOULDER, light, SHOULDER + rest * (1 - np.exp(-(light - SHOULDER) / rest)))
    coded: NDArray[np.uint8] = np.round(255 * np.clip(rolled, 0, 1) ** (1 / GAMMA)).astype(np.uint8)
    return coded


_CURVE = _curve()
_CURVE.setflags(write=False)


def coded(light: Floats) -> NDArray[np.uint8]:
    """Linear light, any shape, 1 is white -> gamma-coded 0-255 uint8 of the same shape.

    >>> coded(linear([[200, 128, 0]])).tolist()
    [[0, 128, 200]]
    """
    steps = np.clip(light * np.float32(2047.5), 0, 4095).astype(np.uint16)
    return np.take(_CURVE, steps)


def lamp_colour(warmth: float) -> Floats:
    """Colour of a lamp, linear BGR, (3,): 0 daylight, 1 candle light; green stays 1."""
    return np.array([1 - 0.62 * warmth, 1 - 0.14 * warmth, 1 + 0.18 * warmth], np.float32)
