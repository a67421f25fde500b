"""Writes frames and what is known about them into a folder: pictures, and labels.jsonl beside them."""

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from messages.errors import BadInputError, FailedError, os_error_as
from vision.frame import Camera, EndOfRecording

LABELS = "labels.jsonl"
JPEG_QUALITY = 90


class Recorder:
    """A folder that is being filled. suffix: ``jpg`` or ``png``; quality: of JPEG, 1-100.

    Without a single frame it is no recording: the labels go again, so that the folder may be named once more.
    Raises BadInputError when the folder has a recording already, FailedError when it cannot be written.
    """

    def __init__(self, folder: Path, *, suffix: str = "jpg", quality: int = JPEG_QUALITY) -> None:
        self._folder, self._suffix, self._quality = folder, suffix, quality
        self.count = 0
        if (folder / LABELS).exists():
            raise BadInputError("camera/recording/exists", folder=str(folder))
        with self._written():
            folder.mkdir(parents=True, exist_ok=True)
            self._labels = (folder / LABELS).open("x", encoding="utf-8")

    def add(self, image: NDArray[np.uint8], label: Mapping[str, Any]) -> None:
        """Write one picture, (h, w, 3) uint8 BGR, and what is known of it."""
        name = f"{self.count:05d}.{self._suffix}"
        _, data = cv2.imencode(f".{self._suffix}", image, [cv2.IMWRITE_JPEG_QUALITY, self._quality])
        with self._written():
            (self._folder / name).write_bytes(data.tobytes())
            self._labels.write(json.dumps({"file": name, **label}) + "\n")
            self._labels.flush()
        self.count += 1

    def _written(self) -> AbstractContextManager[None]:
        folder = str(self._folder)
        return os_error_as(lambda why: FailedError("camera/recording/unwritable", folder=folder, why=why))

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Close the labels, which tries again to write what a full disk did not take. Raises FailedError."""
        try:
            with self._written():
                self._labels.close()
        finally:
            if self.count == 0:
                (self._folder / LABELS).unlink(missing_ok=True)


def record_camera(camera: Camera, recorder: Recorder, seconds: float) -> None:
    """Everything a started camera gives for that long (on its clock); nothing is known of what it shows."""
    first_s = None
    silent = 0
    while silent < 10:
        try:
            frame = camera.read(timeout_s=1.0)
        except EndOfRecording:
            return
        if frame is None:
            silent += 1
            continue
        silent = 0
        first_s = frame.time_s if first_s is None else first_s
        if frame.time_s - first_s > seconds:
            return
        recorder.add(frame.image, {"frame": frame.number, "time_s": round(frame.time_s - first_s, 4)})
