"""Whether what calibration found out still holds: the camera's place against the picture of the empty tray.

A small movement is followed: the profile moves with the picture, and the station says that it did. After a
large one no reading is trusted until somebody calibrates again.
"""

import logging
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.bump import Movement, Reference, Standing
from calibration.profile import Profile
from station.errors import BadInputError
from vision.frame import Frame
from vision.picture import load

log = logging.getLogger(__name__)

LOOK_S = 0.4
"""Between two comparisons, by the time of the frames; one takes 10 ms on a PC, some 60 on a Pi."""

AGREEING = 3
"""So many comparisons in a row must say the same: a hand or one odd picture is no bump."""

FOLLOWED_PX = 0.5
"""A further movement below this is not followed again."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """profile: what to read with. trusted: whether a sure reading may be called so. message: for people."""

    profile: Profile | None
    trusted: bool = True
    message: str = ""


class Guard:
    """Watches over one profile. folder: where its picture of the empty tray lies. Used by one thread."""

    def __init__(self, profile: Profile, folder: Path) -> None:
        self._profile = profile
        self._folder = folder
        self._fitting: Profile | None = None
        self._reference: Reference | None = None
        self._recent: deque[Movement] = deque(maxlen=AGREEING)
        self._looked_s = float("-inf")
        self._followed: NDArray[np.float64] | None = None
        self.verdict = Verdict(None)

    def begin(self, frame: Frame, camera: str) -> Verdict:
        """Fit the profile to a camera that has just been opened, by its first frame."""
        size_wh = (frame.image.shape[1], frame.image.shape[0])
        self._recent.clear()
        self._looked_s = float("-inf")
        try:
            self._fitting = self._profile.for_picture(size_wh, camera)
        except BadInputError as error:
            # Reading without a profile is worse than with one, but better than not at all.
            self._fitting = self._reference = None
            self.verdict = Verdict(None, message=str(error))
            return self.verdict
        self._reference = self._empty_tray(size_wh)
        self.verdict = Verdict(self._fitting)
        return self.verdict

    def look(self, frame: Frame) -> Verdict:
        """What holds at this frame; mostly what held before."""
        if self._reference is None or frame.time_s - self._looked_s < LOOK_S:
            return self.verdict
        self._looked_s = frame.time_s
        movement = self._agreed(self._reference.compare(frame.image))
        if movement is not None:
            self.verdict = self._judged(movement)
        return self.verdict

    def _empty_tray(self, size_wh: tuple[int, int]) -> Reference | None:
        if self._profile.reference is None:
            return None
        try:
            image = load(self._folder / self._profile.reference)
        except BadInputError as error:
            log.warning("bumps of the camera are not noticed: %s", error)
            return None
        if (image.shape[1], image.shape[0]) != size_wh:
            log.warning("bumps of the camera are not noticed: the empty tray was taken at another size")
            return None
        return Reference(image)

    def _agreed(self, now: Movement) -> Movement | None:
        """The movement the last comparisons agree on, or None."""
        if now.standing is Standing.HIDDEN:
            return None
        self._recent.append(now)
        alike = len({each.standing for each in self._recent}) == 1
        spread = max(each.most_px for each in self._recent) - min(each.most_px for each in self._recent)
        whole = len(self._recent) == AGREEING
        return now if whole and alike and spread < FOLLOWED_PX + 0.1 * now.most_px else None

    def _judged(self, movement: Movement) -> Verdict:
        assert self._fitting is not None  # noqa: S101 - there is no reference without a profile that fits
        if movement.standing is Standing.SAME:
            return Verdict(self._fitting)
        if not movement.small:
            advice = "" if movement.standing is Standing.LOST else " Calibrate again."
            return Verdict(self._fitting, trusted=False, message=movement.in_words + advice)
        if self._near(movement.change):
            return self.verdict
        self._followed = movement.change
        message = f"{movement.in_words} The station follows; calibrate again when there is time."
        return Verdict(self._fitting.moved(movement.change), message=message)

    def _near(self, change: NDArray[np.float64]) -> bool:
        """Whether the profile in use was moved just like that."""
        if self._followed is None or not self.verdict.message or not self.verdict.trusted:
            return False
        corner = np.array([1000.0, 1000.0, 1.0])
        return bool(np.linalg.norm((change - self._followed) @ corner) < FOLLOWED_PX)
