"""A frame, and the port through which every camera delivers it."""

from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture and when it was taken.

    image: (height, width, 3) uint8, BGR, 0-255; owned by the frame, never written to again.
    time_s: seconds on the monotonic clock of the camera's host, or for a recorded source the time
        within the recording; never decreasing within one run of a camera.
    number: counts from 0 within one run of a camera; gaps mean dropped frames.
    coarse: taken small while something moves, and made larger: no dice are read in it.
    """

    image: NDArray[np.uint8]
    time_s: float
    number: int
    coarse: bool = False


class Camera(Protocol):
    """A source of frames.

    Between `start` and `stop` a call of `read` gives the newest frame not given before, never a stale
    one; a recorded source gives its frames in order, none left out. Used by one thread at a time;
    `start` after `stop` begins anew with number 0. What is derived from it has `with` already.
    """

    @property
    def name(self) -> str:
        """What a person would call it: "USB camera 0", "simulated tray"."""

    def start(self) -> None:
        """Open the device.

        Raises CameraError with what is wrong and what to do.
        """

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        """Wait up to `timeout_s` seconds for the next frame; None when none came in time.

        Raises CameraError when the source is gone, EndOfRecording when a recorded source has no more.
        """

    def stop(self) -> None:
        """Release the device; harmless when not started."""

    def __enter__(self) -> Self:
        """Start and give itself; one that does not start is stopped."""
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        """Stop."""
        self.stop()


class EndOfRecording(Exception):  # noqa: N818 - an end like StopIteration, no error
    """A recorded source (folder, video) has given its last frame."""
