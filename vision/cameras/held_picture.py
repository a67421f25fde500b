"""Keeps a picture as it is when the settings of a USB camera are made manual.

Many webcams do not say what their automatics chose: while these run, exposure and gain read as they were set
last, or as they come (seen with Logitech's; OpenCV pull request 5516). To hold these makes another picture of
it, often a dark one. So what is held is turned until the picture is as bright as before. Some do so with
focus and white balance: where the picture is another one then, these are left to the camera.
"""

from collections.abc import Callable
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

GAMMA = 2.2
"""Of the values of a picture, about (IEC 61966-2-1)."""
ALIKE, NEAR = 1.25, 1.7
"""Light that differs by less than the first factor is alike; coarse steps may get to the second only."""
STEPS, STEP_MOST = 7, 8.0
"""So often it is turned, and by so much at once: an all white picture does not say how bright it is."""
EXPOSURE_MOST = 667.0
"""V4L2's 100 microseconds: a picture that takes longer comes less than fifteen times a second."""
GAIN_LEAST = 16.0
"""From none, gain is turned up to this first, then to twice as much each time."""
EVERY = 8
"""Of so many columns and rows one is looked at."""
WARMER, SOFTER = 1.3, 0.5
"""Another colour of light differs by the first factor, a lost focus leaves this share of what is sharp."""


class Dial(NamedTuple):
    """One setting of an open camera. read: -1 where it has none. turn: as far as the camera can."""

    read: Callable[[], float]
    turn: Callable[[float], object]


def light_of(image_bgr: NDArray[np.uint8]) -> float:
    """How much light there is in a picture (h, w, 3), 0-1: twice as much when it is exposed twice as long."""
    sample = image_bgr[::EVERY, ::EVERY].astype(np.float64) / 255
    return float((sample**GAMMA).mean())


def warmth_of(image_bgr: NDArray[np.uint8]) -> float:
    """How much more red than blue there is in the light of a picture (h, w, 3)."""
    blue, _, red = ((image_bgr[::EVERY, ::EVERY].astype(np.float64) / 255) ** GAMMA).mean((0, 1))
    return float(red / max(blue, 1e-6))


def sharpness_of(image_bgr: NDArray[np.uint8]) -> float:
    """How steep the steepest edges of a picture (h, w, 3) are, as a share of its light."""
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY).astype(np.float32)
    steep = np.abs(grey[:, 2:] - grey[:, :-2])
    return float(np.percentile(steep, 99.5) / max(float(grey.mean()), 1.0))


def as_warm(before: float, now: float) -> bool:
    """Whether the light has the colour it had."""
    return _apart(before, now) < WARMER


def as_sharp(before: float, now: float) -> bool:
    """Whether the picture is about as sharp as it was, or sharper."""
    return now > SOFTER * before


def keep_light(before: float, look: Callable[[], float | None], exposure: Dial, gain: Dial) -> bool:
    """Turn a manual exposure and gain until the picture has that light again; whether it has.

    look: the light of the next picture that is taken with what was turned; None where there is none.
    """
    for _ in range(STEPS):
        now = look()
        if now is None:
            return False
        if _apart(before, now) < ALIKE:
            return True
        factor = min(max(before / max(now, 1e-6), 1 / STEP_MOST), STEP_MOST)
        longer = exposure.read()
        if factor < 1 or longer < EXPOSURE_MOST:
            exposure.turn(round(min(max(longer * factor, 1.0), max(longer, EXPOSURE_MOST))))
        elif gain.read() >= 0:
            gain.turn(max(2 * gain.read(), GAIN_LEAST))
    now = look()
    return now is not None and _apart(before, now) < NEAR


def _apart(one: float, other: float) -> float:
    """By which factor they differ."""
    return max(one, other) / max(min(one, other), 1e-6)
