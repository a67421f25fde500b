"""Notices when a profile no longer holds, says so, and lets it follow where that is safe."""

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import light
from calibration.camera_movement import (
    BUMPED_PX,
    POINTS_LEAST,
    Movement,
    MovementDetector,
    MovementKind,
    Reference,
)
from calibration.outline import area
from calibration.profile import CalibrationProfile
from messages.message import Message

EVERY_S = 0.3
"""Between two looks at the picture; three that agree are a bump, so one is reported within a second."""
FIRST_EVERY_S = 0.05
"""The same until the pose of the camera is known: three agree before a roll has lain still long enough."""
FIRST_MOST = 20
"""After this many looks that disagree it is read nevertheless, as later on."""
LIGHT_EVERY_S = 3.0
"""Between two looks at light and focus. Two in a row must agree: a hand that throws is no other light."""
SOFTER = 1.7
"""Edges this much wider than when the tray was learnt are a lost focus."""
BACK_PX = 0.7
"""Nearer to where it was than this, a camera is there again; less than what counts as a bump, so that one
just beside it does not go to and fro."""
UNSEEN = (255, 0, 255)
"""Colour of pixels that came into view by a bump and were never seen empty; no tray has it."""
STILL = np.array([[1.0, 0, 0], [0, 1, 0]])
STILL.setflags(write=False)
Image = NDArray[np.uint8]


class ProfileTrouble(StrEnum):
    """The reasons why a profile is no longer valid."""

    BUMPED = "bumped"
    TRAY_MOVED = "tray_moved"
    LOST = "lost"
    LIGHT = "light"
    FOCUS = "focus"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that has changed. message: for people. withhold: rolls must not be offered any more.

    trouble: None when all holds again.
    """

    trouble: ProfileTrouble | None
    message: Message | None
    withhold: bool


class DriftMonitor:
    """Looks after one profile; fed with every frame, it works a few times a second.

    empty_bgr: the empty tray the profile was made with, (h, w, 3) uint8 BGR.
    profile, empty: as they fit the picture now; after a bump that is followed, where the tray is now.
    settled: whether the pose of the camera is known, or cannot be; before that no reading is to be trusted.
    """

    def __init__(self, profile: CalibrationProfile, empty_bgr: Image) -> None:
        self._learnt, self._empty = profile, empty_bgr
        self.profile, self.empty = profile, empty_bgr
        reference = Reference(empty_bgr, profile.outline)
        self._watch = MovementDetector(reference)
        self.settled = reference.points < POINTS_LEAST
        self._looks = 0
        self._sharp = light.rise_px(np.asarray(cv2.cvtColor(empty_bgr, cv2.COLOR_BGR2GRAY), np.uint8))
        self._at = STILL
        self._moved: Notice | None = None
        self._passing: Notice | None = None
        self._next_s = -np.inf
        self._light_s = -np.inf
        self._previous: ProfileTrouble | None = None

    @property
    def withhold(self) -> bool:
        """Whether rolls must not be offered at present."""
        return self._moved is not None and self._moved.withhold

    @property
    def standing(self) -> Notice | None:
        """The greatest trouble there is at present."""
        return self._moved or self._passing

    def feed(self, image_bgr: Image, time_s: float) -> Notice | None:
        """Examine one frame. Returns a notice once for each change, else None.

        A return to the former state is a change, too: a camera pushed back, a lamp switched on again.
        """
        if time_s < self._next_s:
            return None
        self._next_s = time_s + (EVERY_S if self.settled else FIRST_EVERY_S)
        movement = self._watch.feed(image_bgr)
        self._looks += 1
        self.settled = self.settled or movement is not None or self._looks >= FIRST_MOST
        notice = None if movement is None else self._after(movement)
        if notice is not None or time_s < self._light_s:
            return notice
        self._light_s = time_s + LIGHT_EVERY_S
        return self._check_picture(image_bgr)

    def _after(self, movement: Movement) -> Notice | None:
        if movement.kind is MovementKind.SAME:
            return self._as_learnt(movement)
        if not movement.small:
            if self.withhold:
                return None
            trouble = ProfileTrouble(movement.kind.value)
            message = Message("calibration/movement/press", movement=movement.message)
            self._moved = Notice(trouble, message, withhold=True)
            return self._moved
        if not self.withhold and _apart(movement.change, self._at) < BUMPED_PX:
            return None  # the movement that is known already
        self._follow(movement.change)
        trouble = ProfileTrouble(movement.kind.value)
        message = Message("calibration/movement/followed", movement=movement.message)
        self._moved = Notice(trouble, message, withhold=False)
        return self._moved

    def _as_learnt(self, movement: Movement) -> Notice | None:
        """Everything looks as it did when the profile was made."""
        if self._moved is None or movement.most_px > BACK_PX:
            return None
        self._moved = None
        self._follow(STILL)
        return self._passing or WELL

    def _follow(self, change: NDArray[np.float64]) -> None:
        self._at = change
        if change is STILL:
            self.profile, self.empty = self._learnt, self._empty
            return
        self.profile = self._learnt.moved(change)
        size = (self._empty.shape[1], self._empty.shape[0])
        moved = cv2.warpAffine(self._empty, change, size, borderMode=cv2.BORDER_CONSTANT, borderValue=UNSEEN)
        self.empty = np.asarray(moved, np.uint8)

    def _check_picture(self, image_bgr: Image) -> Notice | None:
        """Light and focus, each reported once until it is well again."""
        notice = self._light_and_focus(image_bgr)
        trouble = None if notice is None else notice.trouble
        before, self._previous = self._previous, trouble
        passing = None if self._passing is None else self._passing.trouble
        if before is not trouble or passing is trouble:
            return None
        self._passing = notice
        if self._moved is not None:
            return None  # that the camera was moved is the greater trouble
        return self._passing or WELL

    def _light_and_focus(self, image_bgr: Image) -> Notice | None:
        grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        if self._learnt.light is not None:
            outline = self.profile.outline
            tray = None if outline is None else area(outline, grey.shape)
            message = light.changed(self._learnt.light, light.figures(image_bgr, tray))
            if message is not None:
                return Notice(ProfileTrouble.LIGHT, message, withhold=False)
        if self._sharp and light.rise_px(grey) > max(SOFTER * self._sharp, light.SOFT):
            return Notice(ProfileTrouble.FOCUS, Message("calibration/light/unsharp"), withhold=False)
        return None


WELL = Notice(None, None, withhold=False)
"""Everything holds again."""


def _apart(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """The difference of two movements, pixels, at a point some way from the corner."""
    spots = np.array([[0.0, 0.0, 1.0], [600.0, 400.0, 1.0]])
    return float(np.linalg.norm(spots @ (one - other).T, axis=1).max())
