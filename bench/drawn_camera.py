"""A camera whose pictures another process draws: as those of a sensor, they only cost who takes them a copy.

`drawn_camera.py station FRAMES …` is `yacht …` with that camera instead of the one of the settings;
`drawn_camera.py draw FRAMES FPS` draws the simulated tray at its natural pace into the file FRAMES; each line
of standard input is a throw.
"""

import logging
import mmap
import random
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from subprocess import PIPE
from unittest.mock import patch

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import CalibrationProfile
from simulator import SimulatedTray
from station import cli
from station.camera import opened_camera
from station.config import Config
from vision.cameras.live import LiveCamera, Source
from vision.cameras.sensors import PICTURE_WH
from vision.cameras.wanted import CaptureSettings
from vision.threads import use_threads

PROGRAM = (sys.executable, "-P", __file__)
"""Not by its folder, which has modules of the names of the project's packages."""
SEED = 7
SHAPE = (PICTURE_WH[1], PICTURE_WH[0], 3)
SLOTS = 4
"""Pictures there is room for: who takes one has three periods to."""
HEAD = 8
LOOK_S = 0.002
"""Between two looks for a new picture."""
PATIENCE_S = 2.5


class Frames:
    """The pictures in a file that both processes have mapped."""

    def __init__(self, path: Path, *, new: bool = False) -> None:
        size = HEAD + SLOTS * int(np.prod(SHAPE))
        if new:
            path.write_bytes(bytes(size))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), size)
        self._count = np.frombuffer(self._map, np.int64, 1)
        self._slots = np.frombuffer(self._map, np.uint8, size - HEAD, HEAD).reshape(SLOTS, *SHAPE)

    @property
    def count(self) -> int:
        """How many there were."""
        return int(self._count[0])

    def put(self, picture: NDArray[np.uint8]) -> None:
        """Add one."""
        self._slots[self.count % SLOTS] = picture
        self._count[0] += 1

    def newest(self, size_wh: tuple[int, int]) -> NDArray[np.uint8]:
        """A copy of the newest in that size."""
        newest: NDArray[np.uint8] = self._slots[(self.count - 1) % SLOTS]
        if size_wh == PICTURE_WH:
            return newest.copy()
        return np.asarray(cv2.resize(newest, size_wh, interpolation=cv2.INTER_AREA), np.uint8)


class DrawnSource(Source):
    """A `Source` over the file. size_wh: of its pictures, None as drawn."""

    def __init__(self, path: Path, size_wh: tuple[int, int] | None = None) -> None:
        self._path = path
        self._size_wh = size_wh or PICTURE_WH
        self._frames: Frames | None = None
        self._given = 0

    def open(self) -> None:
        """Map the file."""
        self._frames = Frames(self._path)
        self._given = self._frames.count

    def grab(self) -> NDArray[np.uint8] | None:
        """The next picture."""
        frames = self._frames
        until_s = time.monotonic() + PATIENCE_S
        while frames is not None and time.monotonic() < until_s:
            if frames.count > self._given:
                self._given = frames.count
                return frames.newest(self._size_wh)
            time.sleep(LOOK_S)
        return None

    def close(self) -> None:
        """Let go of it."""
        self._frames = None


class DrawingProcess:
    """Draws into the file; a tray one can throw into."""

    def __init__(self, path: Path, fps: int) -> None:
        Frames(path, new=True)
        self.station = (*PROGRAM, "station", str(path))
        self.process = subprocess.Popen(
            [*PROGRAM, "draw", str(path), str(fps)], stdin=PIPE, stdout=PIPE, text=True
        )

    def throw(self) -> float:
        """Throw all dice; when they come to rest, by the monotonic clock."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("throw\n")
        self.process.stdin.flush()
        while not (
            found := re.search(r"the dice will lie still at ([\d.]+) s", self.process.stdout.readline())
        ):
            assert self.process.poll() is None, "the tray is not drawn any more"
        return float(found[1])

    def stop(self) -> None:
        """End it."""
        self.process.communicate()


def draw(path: Path, fps: int) -> None:
    """Draw until standard input ends; the log says when dice lie."""
    logging.basicConfig(stream=sys.stdout, level=logging.INFO)
    use_threads(1)
    frames, ended = Frames(path), threading.Event()
    tray = SimulatedTray(random.Random(SEED), fps=fps)  # noqa: S311 - dice of no game

    def listen() -> None:
        for _ in sys.stdin:
            tray.throw()
        ended.set()

    with tray:
        threading.Thread(target=listen, daemon=True).start()
        while not ended.is_set():
            frame = tray.read(1.0)
            if frame is not None:
                frames.put(frame.image)


def station(path: Path, arguments: list[str]) -> None:
    """`yacht …` with the drawn pictures as its camera."""

    def find(_config: Config, wanted: CaptureSettings, _profile: CalibrationProfile | None) -> LiveCamera:
        return LiveCamera(lambda now: DrawnSource(path, now.taken_wh), "drawn tray", wanted=wanted)

    sys.argv[1:] = arguments
    with patch.object(opened_camera, "find_camera", find):
        cli.main()


if __name__ == "__main__":
    if sys.argv[1] == "draw":
        draw(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        station(Path(sys.argv[2]), sys.argv[3:])
