"""A camera of your own: one that has a web address for a single picture, as phones and doorbells do.

`python examples/camera_adapter.py http://phone.local:8080/shot.jpg` says what dice it sees, again and again.
Whatever has these members is a camera (`vision.frame.Camera`); `station/camera/camera_factory.py` is where a
station chooses one, and `tests/cameras/test_contract.py` what it is held to.
"""

import sys
import time
import urllib.request
from typing import Self

import cv2
import numpy as np

from messages.errors import CameraError
from vision.frame import Frame
from vision.reader import Reader


class SnapshotCamera:
    """Asks for one picture after the other."""

    def __init__(self, url: str) -> None:
        self.name, self._url, self._number = f"camera at {url}", url, 0

    def start(self) -> None:
        """Begin with number 0."""
        self._number = 0

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        """The picture as of now; None when none comes in time."""
        try:
            with urllib.request.urlopen(self._url, timeout=timeout_s) as answer:
                image = cv2.imdecode(np.frombuffer(answer.read(), np.uint8), cv2.IMREAD_COLOR)
        except TimeoutError:
            return None
        except OSError as error:
            raise CameraError(f"There is no picture at {self._url} ({error}).") from None
        if image is None:
            raise CameraError(f"What {self._url} sends is no picture.")
        self._number += 1
        return Frame(np.asarray(image, np.uint8), time.monotonic(), self._number - 1)

    def stop(self) -> None:
        """Nothing is held open."""

    def __enter__(self) -> Self:
        """Start and give itself."""
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        """Stop."""
        self.stop()


if __name__ == "__main__":
    reader = Reader(5)
    with SnapshotCamera(sys.argv[1]) as camera:
        while True:
            if frame := camera.read():
                reading = reader.read(frame.image)
                print(frame.number, reading.status, *reading.faces, flush=True)
