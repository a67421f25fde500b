"""Pictures of the tray for the big screen: the dice of a throw, and the last throw as a short film.

All of it in memory, and only of the last throws.
"""

from collections import deque
from collections.abc import Callable
from threading import Lock

from vision.frame import Frame
from vision.picture import encode_jpeg, straightened
from vision.reading import Reading, Status
from vision.slow_motion import Shot, Still, Take, cut

DIE_PX = 288
"""Width of a die that is cut out; on a television of 1080 lines it is shown about as large."""
RESTS = 2
"""Rests that are kept: the dice of the throw before are still shown while the next rolls."""
FILM_S = 2.5
"""Seconds of a throw that are stored."""
FILM_PX = 960
FILM_FPS = 30.0
"""A picture of a film takes some 50 kB; what is kept of a throw less than four megabytes."""
PICTURE_PX = 640
"""Width of the picture that is kept of a throw."""
RESTING = frozenset({Status.READY, Status.UNSURE})


class Moments:
    """Told of every picture and its reading by the watcher. Safe to call from several threads.

    shrink: makes the JPEG of a picture, so wide at most. cut: makes a film of what was seen of a throw.
    """

    def __init__(
        self,
        shrink: Callable[[Frame, int], bytes] = lambda frame, px: encode_jpeg(frame.image, width_max=px),
        cut: Callable[[Take], tuple[Shot, ...]] = cut,
    ) -> None:
        self._shrink, self._cut = shrink, cut
        self._lock = Lock()
        self._rests: deque[tuple[Frame, Reading]] = deque(maxlen=RESTS)
        self._rolling: deque[tuple[float, bytes]] = deque()
        self._lay: Reading | None = None  # the dice as they lay before they rolled
        self._rest: tuple[Frame, Reading] | None = None  # the newest picture, where dice lie still in it
        self._newest: tuple[Take, Frame] | None = None
        self._confirmed: Take | None = None
        self._film: tuple[Take | None, tuple[Shot, ...]] = (None, ())

    def note(self, frame: Frame, reading: Reading) -> None:
        """One more picture, and what was read in it."""
        if reading.status in {Status.MOVING, Status.COVERED}:
            with self._lock:
                self._rest = None
                if not self._rolling:
                    self._lay = self._rests[-1][1] if self._rests else None
                self._roll(frame)
        elif reading.status in RESTING:
            with self._lock:
                self._rest = (frame, reading)
                if reading.status is Status.READY:
                    if self._lay is not None and _same(self._lay, reading):
                        self._rolling.clear()  # a hand passed over them
                    self._end()
                if self._rests and _same(self._rests[-1][1], reading):
                    self._rests.pop()
                self._rests.append((frame, reading))

    def _roll(self, frame: Frame, *, last: bool = False) -> None:
        """Dice are rolling: add a picture; drop the oldest, and those from before the camera restarted."""
        if self._rolling and frame.time_s < self._rolling[-1][0]:
            self._rolling.clear()
        while self._rolling and frame.time_s - self._rolling[0][0] > FILM_S:
            self._rolling.popleft()
        if last or not self._rolling or frame.time_s - self._rolling[-1][0] >= 0.9 / FILM_FPS:
            self._rolling.append((frame.time_s, self._shrink(frame, FILM_PX)))

    def _end(self) -> None:
        """The dice that rolled lie still: that was a throw."""
        if self._rolling and self._rest is not None:
            frame, reading = self._rest
            self._roll(frame, last=True)
            begun_s = self._rolling[0][0]
            stills = tuple(Still(round(at - begun_s, 3), jpeg) for at, jpeg in self._rolling)
            lay = self._lay or Reading(Status.EMPTY)
            self._newest = Take(stills, lay, reading, frame.image.shape[1]), frame
            self._rolling.clear()

    def confirm(self) -> bytes | None:
        """The throw that is there is confirmed: its picture, a JPEG. Its film stays until the next one is.

        None where no dice rolled before the camera since the one before.
        """
        with self._lock:
            self._end()  # of dice the camera was not sure of
            newest, self._newest = self._newest, None
            self._confirmed = newest and newest[0]
        return self._shrink(newest[1], PICTURE_PX) if newest else None

    def confirm_unseen(self) -> None:
        """A throw is confirmed that was not thrown here: there is no film of it."""
        with self._lock:
            self._confirmed = None

    def die_jpeg(
        self, x: float, y: float, *, edge_px: int = DIE_PX, bytes_max: int | None = None
    ) -> bytes | None:
        """The die that lay at x, y (px), cut out and turned upright; None where none did."""
        with self._lock:
            rests = tuple(self._rests)
        for frame, reading in reversed(rests):
            die = reading.die_at(x, y)
            if die is not None:
                return encode_jpeg(straightened(frame.image, die, edge_px), quality=85, bytes_max=bytes_max)
        return None

    def film(self) -> tuple[Shot, ...]:
        """The last throw that was confirmed; nothing before the first, or where the camera did not see it."""
        with self._lock:
            take, (of, film) = self._confirmed, self._film
        if take is not of:
            film = self._cut(take) if take else ()
            with self._lock:
                self._film = take, film
        return film


def _same(before: Reading, now: Reading) -> bool:
    """Whether these dice lie where those lay."""
    return len(before.dice) == len(now.dice) and all(before.die_at(*die.center) for die in now.dice)
