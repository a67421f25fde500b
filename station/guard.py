"""Whether what calibration found out still holds: with what to read, and whether to trust it.

`calibration.guard` notices what has changed. Here a profile is fitted to the camera that was opened, and what
was noticed is taken back when the picture is again what it was: a camera that was pushed back, or a head
that bent over the tray and is gone.
"""

import logging
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration import guard as looking
from calibration.bump import Reference, Standing
from calibration.empty import load_picture
from calibration.profile import Profile
from station.errors import BadInputError
from vision.frame import Frame

log = logging.getLogger(__name__)

LOOK_S = 0.4
"""Between two looks whether all is as it was, by the time of the frames, once something had changed."""

AGREEING = 3
"""So many looks in a row must say so."""

TOLD_S = 60.0
"""A word about light or focus stays so long; it is said again when it comes up again."""


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
        self._empty: NDArray[np.uint8] | None = None
        self._looking: looking.Guard | None = None
        self._reference: Reference | None = None
        self._recent: deque[Standing] = deque(maxlen=AGREEING)
        self._looked_s = float("-inf")
        self._told_s = float("inf")
        self.verdict = Verdict(None)

    def begin(self, frame: Frame, camera: str) -> Verdict:
        """Fit the profile to a camera that has just been opened, by its first frame."""
        size_wh = (frame.image.shape[1], frame.image.shape[0])
        self._fitting = self._empty = self._looking = self._reference = None
        self._recent.clear()
        try:
            self._fitting = self._profile.for_picture(size_wh, camera)
        except BadInputError as error:
            # Reading without a profile is worse than with one, but better than not at all.
            self.verdict = Verdict(None, message=str(error))
            return self.verdict
        self._empty = self._empty_tray(size_wh)
        self._as_learnt()
        return self.verdict

    def look(self, frame: Frame) -> Verdict:
        """What holds at this frame; mostly what held before."""
        if self._looking is None:
            return self.verdict
        notice = self._looking.feed(frame.image, frame.time_s)
        if notice is not None:
            self._note(notice, frame.time_s)
        elif self.verdict.message and self._well_again(frame):
            self._as_learnt()
        return self.verdict

    def _note(self, notice: looking.Notice, time_s: float) -> None:
        assert self._looking is not None  # noqa: S101 - it has just spoken
        passing = notice.trouble in {looking.Trouble.LIGHT, looking.Trouble.FOCUS}
        if passing and not self.verdict.trusted:
            return  # that the camera was moved is the greater trouble
        self._told_s = time_s if passing else float("inf")
        self._recent.clear()
        self.verdict = Verdict(self._looking.profile, not self._looking.withhold, notice.words)

    def _well_again(self, frame: Frame) -> bool:
        """Whether what was said need not be said any more."""
        if frame.time_s - self._told_s > TOLD_S:
            return True
        if np.isfinite(self._told_s) or self._reference is None or frame.time_s - self._looked_s < LOOK_S:
            return False
        self._looked_s = frame.time_s
        self._recent.append(self._reference.compare(frame.image).standing)
        return len(self._recent) == AGREEING and set(self._recent) == {Standing.SAME}

    def _as_learnt(self) -> None:
        """Everything is as it was when the profile was made."""
        self._recent.clear()
        self._told_s = float("inf")
        self.verdict = Verdict(self._fitting)
        if self._fitting is not None and self._empty is not None:
            self._looking = looking.Guard(self._fitting, self._empty)
            self._reference = self._reference or Reference(self._empty, self._fitting.outline)

    def _empty_tray(self, size_wh: tuple[int, int]) -> NDArray[np.uint8] | None:
        if self._profile.reference is None:
            return None
        try:
            return load_picture(self._folder / self._profile.reference, size_wh)
        except BadInputError as error:
            log.warning("changes of camera and light are not noticed: %s", error)
            return None
