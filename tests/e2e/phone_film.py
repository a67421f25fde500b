"""Films of the simulated tray for the camera that Chromium fakes: JPEGs in a row, thirty a second."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2

from simulator import SimulatedTray
from simulator.person import SimulatedPerson

FPS = 30
EACH = 2
"""So many times each picture of the tray stands in the film."""


class PhoneFilm:
    """What a phone over a simulated tray sees. path: of the file that the browser reads at every opening."""

    def __init__(self, path: Path, seed: int = 7) -> None:
        self.path = path
        self._now_s = 100.0
        self._tray = SimulatedTray(
            random.Random(seed), fps=FPS / EACH, clock=lambda: self._now_s, sleep=self._sleep
        )
        self.person = SimulatedPerson(self._tray, clock=lambda: self._now_s, sleep=self._sleep)
        self._jpegs: list[bytes] = []
        self._tray.start()

    @property
    def switches(self) -> tuple[str, ...]:
        """Of the browser."""
        return (
            "--use-fake-ui-for-media-stream",
            "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-video-capture={self.path}",
        )

    def _sleep(self, seconds: float) -> None:
        self._now_s += seconds

    def film(self, seconds: float, until: Callable[[], bool] = lambda: False) -> "PhoneFilm":
        """Go on filming, for so long or until something is so."""
        for _ in range(round(seconds * FPS / EACH)):
            frame = self._tray.read()
            assert frame is not None
            good, jpeg = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, 90])
            assert good
            self._jpegs += [jpeg.tobytes()] * EACH
            if until():
                break
        return self

    def throw(self, faces: Sequence[int] | None = None, still_s: float = 3.0) -> "PhoneFilm":
        """A throw, and how long the dice lie after it."""
        self._tray.throw(faces)
        return self.film(30.0, lambda: not self._tray.moving).film(still_s)

    def done(self) -> None:
        """Write it: from now on this is what the camera sees, again and again."""
        fresh = self.path.with_suffix(".new")
        fresh.write_bytes(b"".join(self._jpegs))
        fresh.replace(self.path)
        self._jpegs = []
