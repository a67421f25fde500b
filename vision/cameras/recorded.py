"""Frames that were taken before: a folder of stills, one picture, a video file."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from messages.camera_names import camera_label
from messages.errors import BadInputError, CameraError, os_error_as
from pictures.decode import PIXELS_MAX
from pictures.files import is_foreign, is_picture
from vision.cameras.ffmpeg import open_capture
from vision.frame import Camera, EndOfRecording, Frame
from vision.picture import load

VIDEOS = frozenset({".mp4", ".avi", ".mov", ".mkv", ".webm", ".m4v", ".mjpeg", ".mjpg"})

Pictures = Iterator[tuple[NDArray[np.uint8], float]]
"""Pictures with their time within the recording in seconds."""


class Recording(Camera):
    """A `Camera` over pictures that exist already: in order, none left out, then EndOfRecording.

    opener: begins the recording anew and gives its pictures. paced: hand each out no earlier than its
    time after `start`, as if it happened now. clock, sleep: monotonic seconds, only used when paced.
    """

    def __init__(
        self,
        opener: Callable[[], Pictures],
        name: str,
        *,
        paced: bool = False,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._opener, self._name = opener, name
        self._paced, self._clock, self._sleep = paced, clock, sleep
        self._pictures: Pictures | None = None
        self._next: tuple[NDArray[np.uint8], float] | None = None
        self._number = 0
        self._time_s = 0.0
        self._started_s = 0.0

    @property
    def name(self) -> str:
        """What a person would call it."""
        return self._name

    def start(self) -> None:
        """Open it; raises BadInputError when there is nothing in it that can be shown."""
        self.stop()
        pictures = self._opener()
        self._next = next(pictures, None)  # a file that is no recording is found out now, not later
        if self._next is None:
            raise BadInputError("camera/recording/no_picture", recording=camera_label(self._name))
        self._pictures, self._number, self._time_s, self._started_s = pictures, 0, 0.0, self._clock()

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        """The next picture; None when it is paced and not yet due. Raises EndOfRecording."""
        if self._pictures is None:
            raise CameraError("camera/not_started", camera=self._name)
        if self._next is None:
            self._next = next(self._pictures, None)
        if self._next is None:
            raise EndOfRecording(f"The {self._name} is at its end.")
        image, time_s = self._next
        if self._paced:
            wait_s = self._started_s + time_s - self._clock()
            if wait_s > 0:
                self._sleep(min(wait_s, timeout_s))
            if wait_s > timeout_s:
                return None
        self._next, self._time_s = None, max(self._time_s, time_s)
        frame = Frame(image, self._time_s, self._number)
        self._number += 1
        return frame

    def stop(self) -> None:
        """Close the file."""
        if self._pictures is not None:
            close = getattr(self._pictures, "close", None)
            if close is not None:
                close()
        self._pictures = self._next = None


def frames_of(recording: Camera) -> Iterator[Frame]:
    """All frames of a recording that is not started, however long each takes to read."""
    with recording:
        while True:
            try:
                frame = recording.read()
            except EndOfRecording:
                return
            if frame is not None:
                yield frame


def stills(path: str | Path, *, fps: float = 15.0, **settings: object) -> Recording:
    """The pictures of a folder by name (2 before 10), or one picture, shown at `fps` frames a second.

    Pictures of kinds that are not decoded are no part of it. Raises BadInputError when it is missing or holds
    no pictures; reading raises CameraError that names the picture when one of them is damaged.
    """
    path = Path(path)
    files = film_files(path) if path.is_dir() else (path,)
    if not files:
        raise BadInputError("camera/recording/no_pictures", folder=str(path))

    def opener() -> Pictures:
        for number, file in enumerate(files):
            try:
                image = load(file)
            except BadInputError as error:
                if number == 0:
                    raise
                raise CameraError(error.message) from None
            yield image, number / fps

    return Recording(opener, f"folder {path.name}" if path.is_dir() else f"picture {path.name}", **settings)  # type: ignore[arg-type]


def picture_files(folder: Path) -> tuple[Path, ...]:
    """The pictures in a folder in the order a person counts, frame 2 before frame 10; also of other kinds.

    Raises BadInputError when the folder cannot be read.
    """
    with os_error_as(lambda why: BadInputError("camera/recording/unreadable", folder=str(folder), why=why)):
        files = [file for file in folder.iterdir() if is_picture(file)]
    return tuple(sorted(files, key=lambda file: _natural(file.name)))


def film_files(folder: Path) -> tuple[Path, ...]:
    """Those of `picture_files` that can be decoded, as far as their kind tells."""
    return tuple(file for file in picture_files(folder) if not is_foreign(file))


def _natural(name: str) -> tuple[tuple[int, int, str], ...]:
    parts = re.split(r"(\d+)", name.lower())
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts)


def video(path: str | Path, **settings: object) -> Recording:
    """The frames of a video file with the times it gives them.

    Raises BadInputError when it is missing, empty or no video.
    """
    path = Path(path)
    if not path.is_file():
        raise BadInputError("camera/recording/missing", file=str(path))
    if path.stat().st_size == 0:
        raise BadInputError("camera/recording/empty", file=str(path))

    def opener() -> Pictures:
        capture = open_capture(str(path))
        try:
            pixels = capture.get(cv2.CAP_PROP_FRAME_WIDTH) * capture.get(cv2.CAP_PROP_FRAME_HEIGHT)
            if not capture.isOpened() or pixels > PIXELS_MAX:
                raise BadInputError("camera/recording/damaged", file=str(path))
            fps = capture.get(cv2.CAP_PROP_FPS)
            period_s = 1 / fps if 1 <= fps <= 1000 else 1 / 30
            number, before_s = 0, -period_s
            while True:
                good, image = capture.read()
                if not good:
                    return
                stamp_s = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
                # Some files carry no times, or the same one twice.
                time_s = (
                    stamp_s if stamp_s > before_s and (stamp_s > 0 or number == 0) else before_s + period_s
                )
                yield np.asarray(image, np.uint8), time_s
                number, before_s = number + 1, time_s
        finally:
            capture.release()

    return Recording(opener, f"video {path.name}", **settings)  # type: ignore[arg-type]
