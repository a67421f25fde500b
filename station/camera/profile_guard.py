"""Whether what calibration found out still holds: with what to read, and whether to trust it.

`calibration.drift` notices what has changed and when it is well again. Here a profile is fitted to the camera
that was opened, and what was noticed becomes a verdict for the watcher.
"""

import logging
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.drift import DriftMonitor, Notice, ProfileTrouble
from calibration.empty_tray import load_picture, scaled
from calibration.profile import CalibrationProfile
from messages.errors import BadInputError
from messages.message import Message
from vision.frame import Frame

log = logging.getLogger(__name__)

NOTICE_S = 60.0
"""A word about light or focus stays this long, and comes back when its cause does."""


@dataclass(frozen=True, slots=True, eq=False)
class ProfileVerdict:
    """profile: what to read with. trusted: whether a sure reading may be called so. message: if there is one.

    empty: the tray as that profile knows it, (h, w, 3) uint8 BGR; one array as long as nothing changes.
    settled: False while it is not known yet whether the camera stands as it did.
    """

    profile: CalibrationProfile | None
    trusted: bool = True
    message: Message | None = None
    empty: NDArray[np.uint8] | None = None
    settled: bool = True


class ProfileGuard:
    """Watches over one profile. Used by one thread.

    profile: None where there is one that cannot be read; then it is read without, with a message.
    folder: where its picture of the empty tray is.
    """

    def __init__(self, profile: CalibrationProfile | None, folder: Path) -> None:
        self.profile = profile
        self._folder = folder
        self._monitor: DriftMonitor | None = None
        self._told_s = float("inf")
        self.verdict = ProfileVerdict(None)

    def begin(self, frame: Frame, camera: str) -> ProfileVerdict:
        """Fit the profile to a camera that has just been opened, by its first frame."""
        size_wh = (frame.image.shape[1], frame.image.shape[0])
        self._monitor = None
        if self.profile is None:
            self.verdict = ProfileVerdict(None, message=Message("calibration/profile/unreadable"))
            return self.verdict
        try:
            fitting = self.profile.for_picture(size_wh, camera)
        except BadInputError as error:
            # Reading without a profile is worse than with one, but better than not at all.
            self.verdict = ProfileVerdict(None, message=error.message)
            return self.verdict
        empty = self._empty_tray(self.profile, size_wh)
        self.verdict = ProfileVerdict(fitting, empty=empty)
        if empty is not None:
            self._monitor = DriftMonitor(fitting, empty)
            self.verdict = replace(self.verdict, settled=self._monitor.settled)
        return self.look(frame)

    def look(self, frame: Frame) -> ProfileVerdict:
        """The verdict at this frame; mostly the same as before."""
        if self._monitor is None or frame.coarse:  # one that was made larger is not sharp
            return self.verdict
        if self._monitor.feed(frame.image, frame.time_s) is not None:
            self._told_s = frame.time_s
            self.verdict = self._verdict_of(self._monitor.standing)
        elif frame.time_s - self._told_s > NOTICE_S and _passing(self._monitor.standing):
            self._told_s = float("inf")
            self.verdict = self._verdict_of(None)
        elif self._monitor.settled != self.verdict.settled:
            self.verdict = replace(self.verdict, settled=True)
        return self.verdict

    def _verdict_of(self, standing: Notice | None) -> ProfileVerdict:
        assert self._monitor is not None  # noqa: S101 - it has just looked
        message = None if standing is None else standing.message
        now = self._monitor
        return ProfileVerdict(now.profile, not now.withhold, message, now.empty, now.settled)

    def _empty_tray(self, profile: CalibrationProfile, size_wh: tuple[int, int]) -> NDArray[np.uint8] | None:
        """The profile's picture of the empty tray, fitted to pictures of that size; None without one."""
        if profile.reference is None:
            return None
        try:
            empty = load_picture(self._folder / profile.reference, profile.size_wh or size_wh)
        except BadInputError as error:
            log.warning("changes of camera and light are not noticed: %s", error)
            return None
        return scaled(empty, size_wh)


def _passing(standing: Notice | None) -> bool:
    """Whether it is a word about light or focus: worth saying, not worth saying all evening."""
    return standing is not None and standing.trouble in {ProfileTrouble.LIGHT, ProfileTrouble.FOCUS}
