"""The whole way from a picture to a reading, for stills and for a stream of frames."""

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from vision.frame import Frame
from vision.reading import Reading, Status


class Reader:
    """Reads stills: pure, reusable, one thread at a time.

    dice: how many dice are expected, 1-10. profile: what is known of camera and tray, if anything.
    clock: seconds, only for `Reading.ms`.
    """

    def __init__(
        self, dice: int = 5, profile: Profile | None = None, *, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self.dice = dice
        self.profile = profile
        self._clock = clock

    def expecting(self, dice: int) -> "Reader":
        """A reader with the same settings that expects another number of dice."""
        return Reader(dice, self.profile, clock=self._clock)

    def read(self, image_bgr: NDArray[np.uint8]) -> Reading:
        """What one picture shows. image_bgr: (height, width, 3) uint8, BGR, 0-255."""
        del image_bgr
        return Reading(Status.EMPTY)


class StreamReader:
    """Reads a stream of frames of one fixed camera: a roll is ready only when it lies still."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def reset(self) -> None:
        """Forget what was seen so far."""

    def feed(self, frame: Frame) -> Reading:
        """The reading at this frame; frames come in the order of their times."""
        return self.reader.read(frame.image)
