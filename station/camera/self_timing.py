"""Speed of this machine: measured once, at the first start with a camera, for about ten seconds.

A drawn tray is read, so that nobody has to throw. From it follow the size of the picture, where nobody has
chosen one and no calibration fits another, and how often a picture is looked at that cannot be read.
"""

import logging
import platform
import random
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from messages.atomic_write import write_whole
from messages.errors import FailedError, YachtError
from messages.regular_file import read_regular
from simulator import SimulatedTray
from station import resources
from station.config.machine import board_model
from vision.ahead import thread_ahead
from vision.cameras.sensors import PICTURE_WH, Size
from vision.picture import enlarged
from vision.reader import Reader
from vision.stream import LOOKS_MAX, READS_MIN, SETTLE_S
from vision.threads import use_threads

log = logging.getLogger(__name__)

FILE_NAME = "speed.json"
SMALLER_WH = (960, 540)
"""The next smaller picture: a die of 16 mm has 42 pixels in it, hung as `yacht height` says."""
AFTER_S = 8.0
"""Seconds for the camera to start: else its first pictures would be read together with the measured ones."""
SHARE_S = 1.7
"""The time for each measured task."""
QUICK_S = 1.0
"""A throw that would be offered later than this after it comes to rest is read in a smaller picture."""
GAIN = 0.8
"""Share of the time below which a smaller picture is worth its lost pixels."""
LOOKING_S = 2.0
"""A picture that cannot be read is looked at closely for about so long before it is looked at less often."""
FPS = 20.0

Seconds = Annotated[float, Field(gt=0, le=600, allow_inf_nan=False)]


class Speed(BaseModel):
    """The measured times.

    machine: on which. Seconds: to read a picture of PICTURE_WH and one of SMALLER_WH closely and again; those
    of PICTURE_WH are None where it is not taken. smaller: whether for it the camera is to give SMALLER_WH
    where nobody names a size. A file of before may say more.
    """

    model_config = ConfigDict(frozen=True)

    machine: str
    read_s: Seconds | None = None
    again_s: Seconds | None = None
    smaller_read_s: Seconds
    smaller_again_s: Seconds
    smaller: bool = False

    def offered_s(self, size_wh: Size) -> float:
        """About how long after it comes to rest a throw is offered, in pictures of that size."""
        return offered_s(*self._reading_s(size_wh))

    @property
    def wants_smaller(self) -> bool:
        """Whether a throw comes too late in a picture of PICTURE_WH, and a good deal sooner in the other."""
        if self.read_s is None or self.again_s is None:
            return True
        usual_s = offered_s(self.read_s, self.again_s)
        return usual_s > QUICK_S and offered_s(self.smaller_read_s, self.smaller_again_s) < GAIN * usual_s

    def looks(self, size_wh: Size) -> int:
        """The number of looks at an unreadable picture of that size."""
        return max(READS_MIN + 1, min(LOOKS_MAX, round(LOOKING_S / self._reading_s(size_wh)[0])))

    def _reading_s(self, size_wh: Size) -> tuple[float, float]:
        """To read a picture of that size, or the next larger that was timed, closely and again."""
        small = max(size_wh) <= max(SMALLER_WH)
        if small or self.read_s is None or self.again_s is None:
            return self.smaller_read_s, self.smaller_again_s
        return self.read_s, self.again_s


def offered_s(read_s: float, again_s: float, fps: float = FPS) -> float:
    """From rest to offer: half a frame until one is due, then three looks, or the time to lie still.

    >>> round(offered_s(0.05, 0.03), 2), round(offered_s(0.4, 0.2), 2)
    (0.31, 0.88)
    """
    frame_s = 1 / fps
    looks_s = frame_s + read_s + (READS_MIN - 1) * max(again_s, frame_s)
    return frame_s / 2 + max(SETTLE_S + again_s, looks_s)


def machine() -> str:
    """The machine for which the measurement is valid."""
    return f"{board_model() or platform.processor()} {platform.machine()}".strip()


@dataclass(frozen=True, slots=True)
class Task:
    """A task of an evening. name: of its time in `Speed`; fresh returns the input of `work`."""

    name: str
    fresh: Callable[[], NDArray[np.uint8]]
    work: Callable[[NDArray[np.uint8]], object]


def tasks(small: NDArray[np.uint8], ahead: Executor | None = None, *, usual: bool = True) -> Iterator[Task]:
    """One after the other, each made when it is needed.

    small: what `drawn` gives. ahead: as the station's own reader has it. usual: pictures of PICTURE_WH too.
    """
    use_threads(resources.threads().opencv)
    noise = np.random.default_rng(1)
    sizes = ((PICTURE_WH, "read_s", "again_s"), (SMALLER_WH, "smaller_read_s", "smaller_again_s"))
    for size_wh, closely, again in sizes[not usual :]:
        # to draw the larger one would take 80 MB for a moment
        tray = enlarged(small, size_wh)
        reader = Reader(5, ahead=ahead)
        smallest = min(die.size for die in reader.read(tray).dice)
        fresh = partial(_noisy, tray, noise)
        yield Task(closely, fresh, partial(reader.read, smallest=smallest))
        yield Task(again, fresh, partial(reader.read, again=True, smallest=smallest))


def measure(small: NDArray[np.uint8], go_on: Callable[[], None], *, usual: bool = True) -> Speed:
    """Time this machine. go_on: called every now and then; what it raises ends it. The others: see `tasks`.

    Meant for the station's own process: another one that reads takes 130 MB more, which not every board has.
    """
    with thread_ahead(wanted=resources.threads().ahead) as ahead:
        times = {task.name: least_s(task, go_on) for task in tasks(small, ahead, usual=usual)}
    return Speed.model_validate({"machine": machine(), **times})


def _noisy(picture: NDArray[np.uint8], noise: np.random.Generator) -> NDArray[np.uint8]:
    """The picture as a camera gives it another time: the reader remembers its answer for one it has seen."""
    added = noise.integers(0, 3, picture.shape, np.uint8)
    return np.asarray(np.minimum(picture, np.uint8(253)) + added, np.uint8)


def drawn() -> NDArray[np.uint8]:
    """Five dice in the simulated tray, in a picture of SMALLER_WH; takes 45 MB meanwhile."""
    now = [0.0]
    tray = SimulatedTray(
        random.Random(1),  # noqa: S311 - dice of no game
        size_wh=SMALLER_WH,
        clock=lambda: now[0],
        sleep=lambda _: None,
    )
    with tray:
        tray.throw()
        now[0] = 60.0
        frame = tray.read()
    assert frame is not None  # noqa: S101 - one is due
    return frame.image


def least_s(task: Task, go_on: Callable[[], None]) -> float:
    """The least time of a task, seconds of the clock: whatever else runs makes every other time longer."""
    task.work(task.fresh())
    times: list[float] = []
    while not times or sum(times) < SHARE_S:
        go_on()
        given = task.fresh()
        before_s = time.perf_counter()
        task.work(given)
        times.append(time.perf_counter() - before_s)
    return min(times)


class SelfTiming:
    """Has the machine timed once, and keeps what came out.

    folder: of the data. time_it: gives a Speed, as `measure` does, from the picture that draw gives. usual:
    pictures of PICTURE_WH are timed too; what is kept without them is then not enough.
    """

    def __init__(
        self,
        folder: Path,
        time_it: Callable[..., Speed] = measure,
        *,
        draw: Callable[[], NDArray[np.uint8]] = drawn,
        usual: bool = True,
    ) -> None:
        self._path = folder / FILE_NAME
        self._time_it, self._draw, self._usual = time_it, draw, usual
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        self.speed = self._stored_speed()

    def begin(self, use: Callable[[Speed], Speed]) -> None:
        """Time this machine in the background, if nobody has. use: gives what is kept of it."""
        if self.speed is None and self._thread is None:
            self._thread = threading.Thread(target=self._run, args=(use,), name="timing", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Leave it at that, soon."""
        self._ending.set()

    def join(self, timeout_s: float) -> None:
        """Wait until it is over: a thread that computes when Python ends may take the process down."""
        if self._thread is not None:
            self._thread.join(timeout_s)

    def _run(self, use: Callable[[Speed], Speed]) -> None:
        if self._ending.wait(AFTER_S):
            return
        try:
            speed = use(self._time_it(self._draw(), self._go_on, usual=self._usual))
            self.speed = speed
            write_whole(self._path, speed.model_dump_json(indent=1).encode(), "settings")
        except YachtError as error:
            log.info("this machine was not timed: %s", error)

    def _go_on(self) -> None:
        if self._ending.is_set():
            raise FailedError("advice/process", why="-")

    def _stored_speed(self) -> Speed | None:
        try:
            found = Speed.model_validate_json(read_regular(self._path))
        except (OSError, ValidationError):
            return None
        enough = found.read_s is not None or not self._usual
        return found if found.machine == machine() and enough else None
