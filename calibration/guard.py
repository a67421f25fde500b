"""Notices when a profile no longer holds, says so, and lets it follow where that is safe."""

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import light
from calibration.bump import BUMPED_PX, Movement, Reference, Standing, Watch
from calibration.profile import Profile

EVERY_S = 0.3
"""Between two looks at the picture; three that agree are a bump, so one is told within a second."""
LIGHT_EVERY_S = 3.0
"""Between two looks at light and focus. Two in a row must agree: a hand that throws is no other light."""
SOFTER = 1.7
"""Edges this much wider than when the tray was learnt are a lost focus."""


class Trouble(StrEnum):
    """What is no longer as it was."""

    BUMPED = "bumped"
    TRAY_MOVED = "tray_moved"
    LOST = "lost"
    LIGHT = "light"
    FOCUS = "focus"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that has changed. words: for the page. withhold: rolls must not be offered any more.

    followed: the profile that has followed by itself; None when a person has to repair it.
    """

    trouble: Trouble
    words: str
    withhold: bool
    followed: Profile | None = None


class Guard:
    """Looks after one profile; fed with every frame, it works a few times a second.

    empty_bgr: the empty tray the profile was made with, (h, w, 3) uint8 BGR.
    """

    def __init__(self, profile: Profile, empty_bgr: NDArray[np.uint8]) -> None:
        self._learnt = profile
        self.profile = profile
        self._watch = Watch(Reference(empty_bgr, profile.outline))
        self._sharp = light.rise_px(np.asarray(cv2.cvtColor(empty_bgr, cv2.COLOR_BGR2GRAY), np.uint8))
        self._at = np.array([[1.0, 0, 0], [0, 1, 0]])
        self._lost = False
        self._next_s = -np.inf
        self._light_s = -np.inf
        self._seen: Trouble | None = None
        self._told: Trouble | None = None

    @property
    def withhold(self) -> bool:
        """Whether rolls must not be offered at present."""
        return self._lost

    def feed(self, image_bgr: NDArray[np.uint8], time_s: float) -> Notice | None:
        """What has just been noticed, once for each change; None when nothing has."""
        if time_s < self._next_s:
            return None
        self._next_s = time_s + EVERY_S
        movement = self._watch.feed(image_bgr)
        if movement is not None:
            notice = self._moved(movement)
            if notice is not None:
                return notice
        if time_s < self._light_s:
            return None
        self._light_s = time_s + LIGHT_EVERY_S
        return self._looked_at(image_bgr)

    def _moved(self, movement: Movement) -> Notice | None:
        if movement.standing is Standing.LOST or not movement.small:
            if self._lost:
                return None
            self._lost = True
            trouble = Trouble.LOST if movement.standing is Standing.LOST else Trouble(movement.standing.value)
            return Notice(trouble, f"{movement.in_words} Press 'Find the tray'.", withhold=True)
        if not self._lost and _apart(movement.change, self._at) < BUMPED_PX:
            return None  # the movement that is known already
        self._lost, self._at = False, movement.change
        self.profile = self._learnt.moved(movement.change)
        words = f"{movement.in_words} The station has followed it."
        return Notice(Trouble(movement.standing.value), words, withhold=False, followed=self.profile)

    def _looked_at(self, image_bgr: NDArray[np.uint8]) -> Notice | None:
        """Light and focus, each told once until it is well again."""
        grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        rise = light.rise_px(grey)
        words = None
        trouble = Trouble.LIGHT
        if self._learnt.light is not None:
            words = light.changed(self._learnt.light, light.figures(image_bgr, self._mask(grey.shape)))
        if words is None and self._sharp and rise > max(SOFTER * self._sharp, light.SOFT):
            trouble, words = (
                Trouble.FOCUS,
                "The picture is no longer sharp; focus the camera, or wipe its lens.",
            )
        if words is None:
            self._seen = self._told = None
            return None
        before, self._seen = self._seen, trouble
        if before is not trouble or self._told is trouble:
            return None
        self._told = trouble
        return Notice(trouble, words, withhold=False)

    def _mask(self, shape: tuple[int, ...]) -> NDArray[np.uint8] | None:
        if self.profile.outline is None:
            return None
        mask = np.zeros(shape[:2], np.uint8)
        cv2.fillPoly(mask, [np.round(np.array(self.profile.outline)).astype(np.int32)], (255,))
        return mask


def _apart(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """By how much two movements differ, pixels, at a point some way from the corner."""
    spots = np.array([[0.0, 0.0, 1.0], [600.0, 400.0, 1.0]])
    return float(np.linalg.norm(spots @ (one - other).T, axis=1).max())
