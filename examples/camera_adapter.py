"""A camera of your own: one that has a web address for a single picture, as phones and doorbells do.

`python examples/camera_adapter.py http://phone.local:8080/shot.jpg` says what dice it sees, again and again.
Whatever has these members is a camera (`vision.frame.Camera`); `station/camera/camera_factory.py` is where a
station chooses one, and `tests/cameras/test_contract.py` what it is held to.
"""

import sys
import time
import urllib.request
from typing import Self

from messages.errors import BadInputError, CameraError
from pictures.decode import decode
from vision.frame import Frame
from vision.reader import Reader


class SnapshotCamera:
    """Asks for one picture after the other."""

    def __init__(self, url: str) -> None:
        self.name, self._url, self._number = f"camera at {url}", url, 0
        self._house = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # a proxy leads out of it

    def start(self) -> None:
        """Begin with number 0."""
        self._number = 0

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        """The picture as of now; None when none comes in time."""
        try:
            with self._house.open(self._url, timeout=timeout_s) as answer:
                image = decode(answer.read(), self._url)
        except TimeoutError:
            return None
        except OSError as error:
            raise CameraError(f"There is no picture at {self._url} ({error}).") from None
        except BadInputError as error:  # a web page, say
            raise CameraError(error.message) from None
        self._number += 1
        return Frame(image, time.monotonic(), self._number - 1)

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
