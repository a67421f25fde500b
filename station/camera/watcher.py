"""The camera worker: frames in, readings offered to the table, the newest picture kept for the page.

One thread owns the camera. A camera that goes away shows in the state and is tried again; the game goes
on meanwhile, rolls can be typed.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from calibration.profile import CalibrationProfile
from messages.camera_names import camera_label
from messages.errors import BadInputError, CameraError
from messages.message import Message
from station.camera.moments import Moments
from station.camera.profile_guard import ProfileGuard, ProfileVerdict
from station.game.feature import areas
from station.health.supervisor import silent
from station.table.table import Table
from vision.ahead import thread_ahead
from vision.cameras.live import FIRST_S
from vision.frame import Camera, EndOfRecording, Frame
from vision.picture import annotate, encode_jpeg
from vision.reader import Reader
from vision.reading import Reading, Reason, Status
from vision.stream import LOOKS_MAX, StreamReader
from vision.warming import warm

log = logging.getLogger(__name__)

READ_TIMEOUT_S = 0.5
"""One wait for a frame: also how long `stop` may have to wait."""
SILENT_S = 4.0
"""A camera without a frame for this long is restarted."""
FROZEN_S = 5.0
"""Pictures that stay the same for this long are not live."""
EVERY = 8
"""Every so many rows and columns are compared: 14,400 values of a 1280 by 720 picture."""
OFFERS_KEPT = 20
"""Number of throws whose times to the offer are stored."""


class FrozenPictures:
    """Notices a driver that hands out one picture again and again: a sensor's noise makes no two alike."""

    def __init__(self) -> None:
        self._last: NDArray[np.uint8] | None = None
        self._since_s = 0.0

    def looks_frozen(self, image: NDArray[np.uint8], now_s: float) -> bool:
        """Whether all pictures of the last `FROZEN_S` seconds were this one. image: (h, w, 3) uint8.

        One that is all black or all white is none that noise could tell from another.
        """
        sample = image[::EVERY, ::EVERY]
        same = self._last is not None and np.array_equal(self._last, sample)
        if not same or sample.min() == sample.max():
            self._last, self._since_s = sample.copy(), now_s
            return False
        return now_s - self._since_s >= FROZEN_S


class OfferTimes:
    """Times from rest to offer of the last throws.

    Noted by the thread that reads, read by the pages.
    """

    def __init__(self) -> None:
        self._took_s: deque[float] = deque(maxlen=OFFERS_KEPT)
        self._moved = False

    def begin(self) -> None:
        """The current dice were not seen to fall."""
        self._moved = False

    def note(self, still_since_s: float | None, now_s: float, *, ready: bool) -> None:
        """A frame was read: since when everything is at rest, None while it moves; whether it is a roll."""
        if still_since_s is None:
            self._moved = True
        elif self._moved and ready:
            self._moved = False
            self._took_s.append(now_s - still_since_s)

    @property
    def median_s(self) -> float | None:
        """Median seconds from rest to offer; None before the first throw."""
        found = sorted(self._took_s)
        return found[len(found) // 2] if found else None


class _StoppedError(Exception):
    """Nobody waits for the reading any more."""


class Watcher:
    """Reads one camera for one table; a part that is watched over (station.health.supervisor).

    guard: gives the profile to read with, and says when it no longer holds; None reads without one.
    sensor: pictures come from a sensor as it saw them, so that two never are the same (a drawn tray's may be,
    and those that were packed for a network).
    moments: what is kept of the dice and of the last throw. notice: a message about a camera that
    works. clock: monotonic seconds. ahead: whether a second
    thread works for a look (`vision.ahead`).
    """

    name = "camera"
    retry_s: tuple[float, ...] = (0.5, 1.0, 2.0, 5.0)
    """Waits before the first, second, … new start; the last one is kept."""

    def __init__(
        self,
        camera: Camera,
        table: Table,
        *,
        guard: ProfileGuard | None = None,
        sensor: bool = False,
        moments: Moments | None = None,
        clock: Callable[[], float] = time.monotonic,
        ahead: bool = False,
        new_stream: Callable[[Reader, int], StreamReader] = StreamReader,
    ) -> None:
        self._camera = camera
        self._new_stream = new_stream
        self.moments = moments or Moments()
        self._wants_ahead = ahead
        self._new_reader = partial(Reader)
        self._reader = self._new_reader()
        self._table = table
        self._guard = guard
        self._begun: tuple[int, ...] | None = None
        self._clock = clock
        self._sensor, self._next = sensor, (camera, sensor)
        self._still, self._stuck = FrozenPictures(), False
        self._stop, self._woken = threading.Event(), threading.Event()
        self._reopens = threading.Event()
        self._thread = self._new_thread()
        self._left_behind: threading.Thread | None = None
        self._through = False
        self._alive_s = clock()
        self._lock = threading.Lock()
        self._came = threading.Condition(self._lock)
        self._awaited = 0
        self._latest: tuple[Frame, Reading] | None = None
        self._latest_s = 0.0
        self._jpegs: tuple[Frame | None, dict[int, bytes]] = (None, {})
        self._told: tuple[bool, Message | None] | None = None
        self.offers = OfferTimes()
        self.notice: Callable[[], Message | None] = lambda: None
        self.looks_max = LOOKS_MAX

    def _new_thread(self) -> threading.Thread:
        return threading.Thread(target=self._run, args=(self._stop,), name="watcher", daemon=True)

    def start(self) -> None:
        """Begin, in a thread of its own."""
        self._alive_s = self._clock()
        self._thread.start()

    @property
    def ended(self) -> bool:
        """Whether its thread ended without a request, and not because a recording is through."""
        begun = self._thread.ident is not None
        return begun and not (self._thread.is_alive() or self._stop.is_set() or self._through)

    @property
    def silent_s(self) -> float:
        """Seconds since its thread last did something; 0.0 while it need not."""
        begun = self._thread.ident is not None
        return 0.0 if self._through or not begun else self._clock() - self._alive_s

    def wrong(self) -> Message | None:
        """Whether its thread ended, or hangs."""
        return Message("health/watchdog/ended") if self.ended else silent(self.silent_s)

    def restart(self) -> None:
        """Restart in another thread; one that hangs is abandoned, but only once.

        Raises CameraError when one that was left behind hangs still.
        """
        if self._left_behind is not None and self._left_behind.is_alive():
            raise CameraError("camera/hangs_for_good", camera=camera_label(self._camera.name))
        self.ask_to_stop()
        self._left_behind = self._thread
        self._stop = threading.Event()
        self._thread = self._new_thread()
        self.start()

    def ask_to_stop(self) -> None:
        """Let the thread end as soon as it can; `stop` waits for it."""
        self._stop.set()
        self.wake()

    def wake(self) -> None:
        """Open the camera at once where that failed and is waited with: it may be there now."""
        self._woken.set()

    def stop(self, timeout_s: float = 1.0) -> bool:
        """Stop; False if the camera was not released within `timeout_s` seconds."""
        self.ask_to_stop()
        if self._thread.is_alive():
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    @property
    def frame_age_s(self) -> float | None:
        """Seconds since the last frame came; None before the first."""
        with self._lock:
            return None if self._latest is None else self._clock() - self._latest_s

    def frame(self) -> Frame | None:
        """The newest picture as it came, for calibration; None while there is none."""
        with self._lock:
            return None if self._latest is None else self._latest[0]

    def latest(self) -> tuple[Frame, Reading] | None:
        """The newest picture and what was read in it; None while there is none."""
        with self._lock:
            return self._latest

    def next_frames(self, count: int, timeout_s: float) -> tuple[Frame, ...]:
        """The next pictures, taken after this call; waits for each at most `timeout_s` seconds.

        Raises CameraError when none comes in time.
        """
        taken: list[Frame] = []
        with self._came:
            self._awaited += 1
            try:
                for _ in range(count):
                    before = self._latest
                    if not self._came.wait_for(lambda before=before: self._sharp_after(before), timeout_s):  # type: ignore[misc]
                        raise CameraError("camera/no_pictures", camera=camera_label(self._camera.name))
                    assert self._latest is not None  # noqa: S101 - it has just changed, and only to a picture
                    taken.append(self._latest[0])
            finally:
                self._awaited -= 1
        return tuple(taken)

    def _sharp_after(self, before: tuple[Frame, Reading] | None) -> bool:
        return self._latest is not None and self._latest is not before and not self._latest[0].coarse

    @property
    def awaited(self) -> bool:
        """Whether somebody waits for pictures."""
        return self._awaited > 0

    @property
    def unread(self) -> bool:
        """Whether what is there is not read yet."""
        latest = self._latest
        return latest is None or latest[1].status is Status.MOVING

    def use(self, guard: ProfileGuard | None) -> None:
        """Read with another profile from the next frame on."""
        with self._lock:
            self._guard, self._begun = guard, None

    def look_through(self, camera: Camera, *, sensor: bool) -> None:
        """Take another camera from now on. sensor: as of the first one."""
        with self._lock:
            self._next = camera, sensor
            through, self._through = self._through, False
        self.reopen()
        self.wake()
        if through:  # a recording, whose thread has ended
            self.restart()

    def _take_next(self) -> None:
        """Look through the camera that was requested last; earlier pictures are of another one."""
        self._reopens.clear()  # before it is opened: what is requested meanwhile is not forgotten
        with self._lock:
            if self._next[0] is self._camera:
                return
            self._camera, self._sensor = self._next
            self._latest, self._told, self._still = None, None, FrozenPictures()
        self._table.camera(
            name=camera_label(self._camera.name), ok=False, message=Message("camera/no_frame"), reframed=True
        )

    def reopen(self) -> None:
        """Close the camera and open it again: it makes something else of its picture."""
        self._reopens.set()

    def frame_jpeg(self, width_max: int = 1280) -> bytes | None:
        """The newest picture with the dice drawn in, as a JPEG; None while there is none.

        width_max: pixels; what is wider is made smaller.
        """
        with self._lock:
            latest, (of, made) = self._latest, self._jpegs
        if latest is None:
            return None
        frame, reading = latest
        if of is not frame:
            made = {}
        if width_max not in made:
            # Made when somebody looks, once for all who do; two at a time may make it twice.
            made = {**made, width_max: encode_jpeg(annotate(frame.image, reading), width_max=width_max)}
            with self._lock:
                self._jpegs = (frame, made)
        return made[width_max]

    # -- the thread ----------------------------------------------------------------------------------

    def _run(self, stop: threading.Event) -> None:
        def going_on() -> None:
            if stop.is_set():
                raise _StoppedError

        with thread_ahead(wanted=self._wants_ahead) as ahead:
            self._new_reader = partial(Reader, ahead=ahead, going_on=going_on)
            self._reader = self._new_reader()
            self._keep_watching(stop)

    def _keep_watching(self, stop: threading.Event) -> None:
        """Open the camera and watch, again and again until stopped or at the end of a recording."""
        try:
            self._open_and_watch(stop)
        finally:
            if stop is self._stop:  # else another thread has it now
                self._camera.stop()

    def _open_and_watch(self, stop: threading.Event) -> None:
        failures = 0
        while not stop.is_set():
            self._alive_s = self._clock()
            self._take_next()
            try:
                self._camera.start()
                try:
                    log.info("camera: %s", self._camera.name)
                    if self._watch(stop):
                        failures = 0
                finally:
                    if stop is self._stop:
                        self._camera.stop()
            except EndOfRecording:
                if self._latest and self._latest[1].status in {Status.MOVING, Status.COVERED}:
                    self._table.offer(Reading(Status.EMPTY))  # nothing will come to rest any more
                self._tell(ok=True, message=Message("camera/recording_ended"))
                with self._lock:
                    self._through = self._next[0] is self._camera
                if self._through:
                    return
            except _StoppedError:
                return
            except (CameraError, BadInputError) as error:  # the latter of a recording that is none
                self._tell(ok=False, message=error.message)
            except Exception:
                log.exception("the camera worker failed")
                self._tell(ok=False, message=Message("camera/crashed"))
            wait_s = self.retry_s[min(failures, len(self.retry_s) - 1)]
            failures += 1
            self._woken.wait(wait_s)
            self._woken.clear()

    def _watch(self, stop: threading.Event) -> bool:
        """Read frames until stopped or until the camera is silent; returns whether there was any."""
        stream: StreamReader | None = None
        last_s = self._clock()
        seen = False
        with self._lock:
            self._begun = None
        while not stop.is_set():
            self._alive_s = self._clock()
            frame = self._camera.read(READ_TIMEOUT_S)
            if stop.is_set():
                break
            if self._reopens.is_set():
                self._told = None
                self._table.camera(name=camera_label(self._camera.name), ok=True, reframed=True)
                return True
            if frame is None:
                if self._clock() - last_s > (SILENT_S if seen else FIRST_S):
                    self._tell(
                        ok=False,
                        message=Message("camera/no_pictures", camera=camera_label(self._camera.name)),
                    )
                    return seen
                continue
            last_s = self._clock()
            seen = True
            if self._is_stuck(frame, last_s):
                continue
            verdict = self._verdict(frame)
            reader = self._reader_for(verdict)
            if stream is None or stream.reader is not reader:
                stream = self._stream_of(reader, frame)
            stream.looks_max = self.looks_max
            reading = _with_areas(stream.feed(frame), verdict.profile)
            ready = reading.status is Status.READY
            self.offers.note(stream.still_since_s, frame.time_s + self._clock() - last_s, ready=ready)
            if ready and not verdict.trusted:
                reading = replace(reading, status=Status.UNSURE, reasons=(Reason.CAMERA_MOVED,))
            with self._came:
                self._latest, self._latest_s = (frame, reading), last_s
                self._came.notify_all()
            self.moments.note(frame, reading)
            self._tell(ok=verdict.trusted, message=verdict.message or self.notice())
            # Whether the camera was moved while it was off is known a few pictures later; till then the table
            # keeps what it has. To call it moving would tell the table that somebody throws.
            if verdict.settled or reading.status is not Status.READY:
                self._table.offer(reading, taken_s=frame.time_s)
        return seen

    def _is_stuck(self, frame: Frame, now_s: float) -> bool:
        """Whether it gives the same picture again and again.

        Raises CameraError the first time, so that it is reopened; after that there is only a message.
        """
        before, self._stuck = self._stuck, self._sensor and self._still.looks_frozen(frame.image, now_s)
        if self._stuck:
            error = CameraError("camera/frozen", camera=camera_label(self._camera.name))
            if not before:
                raise error
            self._tell(ok=False, message=error.message)
        return self._stuck

    def _stream_of(self, reader: Reader, frame: Frame) -> StreamReader:
        """One that begins with this frame; what readings need is there before somebody throws."""
        warm((frame.image.shape[1], frame.image.shape[0]), reader.going_on)
        self.offers.begin()
        return self._new_stream(reader, self.looks_max)

    def _verdict(self, frame: Frame) -> ProfileVerdict:
        """The verdict of calibration at this frame.

        It starts again with the first one of a camera, a profile or a size: a phone that was turned, or
        a camera that came back in another mode, does not go away in between.
        """
        with self._lock:
            guard, begun, self._begun = self._guard, self._begun, frame.image.shape
        if guard is None:
            return ProfileVerdict(None)
        same = begun == frame.image.shape
        return guard.look(frame) if same else guard.begin(frame, self._camera.name)

    def _reader_for(self, verdict: ProfileVerdict) -> Reader:
        """The reader for the present dice and profile."""
        expected = self._table.dice_expected
        if verdict.profile != self._reader.profile or verdict.empty is not self._reader.empty:
            self._reader = self._new_reader(expected, verdict.profile, empty=verdict.empty)
        self._reader.dice = expected  # the stream goes on: nothing has moved in the tray by that
        return self._reader

    def _tell(self, *, ok: bool, message: Message | None = None) -> None:
        if (ok, message) != self._told:
            self._told = (ok, message)
            if not ok:
                log.warning("camera: %s", message)
            self._table.camera(name=camera_label(self._camera.name), ok=ok, message=message or "")


def _with_areas(reading: Reading, profile: CalibrationProfile | None) -> Reading:
    """The reading with what areas say of it that are marked in the profile."""
    if profile is not None:
        for area in areas():
            reading = area.read(reading, area.of(profile))
    return reading
