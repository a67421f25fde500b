"""A camera that runs by itself: a thread of its own takes every picture and keeps only the newest.

Drivers and network streams hand out stale pictures after a pause unless somebody keeps reading; and a
driver that hangs must not hang the station. So one thread owns the device from opening to closing, and
`read` only waits for it.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from messages.camera_names import camera_label
from messages.errors import CameraError
from messages.message import Message
from vision.cameras.sensors import FieldOfView
from vision.cameras.wanted import AS_IT_COMES, CaptureSettings
from vision.frame import Camera, Frame

log = logging.getLogger(__name__)

STALE_S = 1.0
"""A picture taken longer ago than this is never handed out."""
SILENT_S = 3.0
"""A camera that is open but gives nothing for this long is called silent."""
FIRST_S = 10.0
"""How long the first picture after opening may take; a slow machine has much to set up for it."""
HANGS_S = 60.0
"""A device that is not open after so long hangs."""
EVERYTHING = ("exposure", "white_balance", "focus")
"""What there is to hold."""
FOCUS = frozenset({"focus", "LensPosition"})
"""Names of the controls that hold a focus, of every kind of camera."""
SETTLING_FRAMES = 20
"""How many pictures the automatics take to settle on a light: about a second."""
JOIN_S = 2.0
"""How long `stop` waits for the thread; a driver that hangs longer is left behind and ends by itself."""


Controls = Sequence[tuple[str, float]]
"""Settings of a camera by their names, as `Held` and profiles have them."""


class Held(NamedTuple):
    """Settings that a camera is to keep. controls: names and values. missing: those it cannot keep."""

    controls: tuple[tuple[str, float], ...]
    missing: tuple[str, ...] = ()

    @property
    def message(self) -> Message:
        """What is held, and what is not."""
        held = "held" if self.controls else "loose"
        if not self.missing:
            return Message(f"camera/settings/{held}")
        settings = tuple(Message(f"camera/setting/{name}") for name in self.missing)
        return Message(f"camera/settings/{held}_partly", settings=settings)


class Source(Protocol):
    """A device or stream, used by one thread: opened, asked for pictures, closed, perhaps opened again.

    view: what part of its field of view it shows; None where nobody knows. refused: settings that are wanted
    and that its device cannot do. focuses: whether its lens has a motor. coarse: see `Frame`. notice: what is
    to be said of it though it gives pictures. All of the last picture.
    """

    view: FieldOfView | None = None
    refused: tuple[str, ...] = ()
    focuses: bool = False
    coarse: bool = False
    notice: Message | None = None

    def open(self) -> None:
        """Make ready to grab. Raises CameraError with a sentence."""

    def grab(self) -> NDArray[np.uint8] | None:
        """Wait for the next picture, (h, w, 3) uint8 BGR, a new array; None when the source is gone."""

    def close(self) -> None:
        """Let go of the device; harmless when not open."""


@runtime_checkable
class Holding(Protocol):
    """A source whose settings can be held as they are now, and let go."""

    def hold(self, settings: Sequence[str] = EVERYTHING) -> Held:
        """Keep exposure and gain, white balance or focus from now on."""

    def release(self) -> None:
        """Let its automatics see to them again."""

    def keep(self, controls: Controls) -> None:
        """Hold exactly these, also whenever it is opened; the automatics see to the rest."""


class _Run:
    """What the thread of one run and the readers share, under one lock."""

    def __init__(self, name: str, wanted: CaptureSettings, clock: Callable[[], float]) -> None:
        self.name, self.wanted = name, wanted
        self.news = threading.Condition()
        self.ended = threading.Event()
        self.clock = clock
        self.image: NDArray[np.uint8] | None = None
        self.time_s = self.began_s = clock()
        self.number = -1
        self.opening = False  # is being opened, or was and has given no picture yet
        self.waiting = False  # for the first picture since it was opened
        self.view: FieldOfView | None = None
        self.refused: tuple[str, ...] = ()
        self.focuses = self.coarse = False
        self.notice: Message | None = None
        self.opened = False
        self.problem: CameraError | None = None
        self.request: Callable[[Holding], Held | None] | None = None
        self.held: Held | None = None
        self.kept: Controls | None = None  # for the source, as soon as it is open

    def put(self, image: NDArray[np.uint8], source: Source) -> None:
        with self.news:
            self.view, self.refused, self.focuses = source.view, source.refused, source.focuses
            self.image, self.number, self.problem = image, self.number + 1, None
            self.coarse, self.notice = source.coarse, source.notice
            self.waiting = self.opening = False
            self.time_s = max(self.clock(), self.time_s)
            self.news.notify_all()

    def tell(self, *, opened: bool = False, problem: CameraError | None = None) -> None:
        with self.news:
            self.opened = self.opened or opened
            if opened:  # however long that took, it cannot have given a picture before
                self.time_s, self.waiting = self.clock(), True
            else:  # what is wrong is wrong until a picture comes
                self.problem = problem
            self.news.notify_all()

    def tell_kept(self, source: Source) -> None:
        """Tell the source what it is to hold, also one that is not open; in the thread that owns it."""
        with self.news:
            kept = self.kept
        if kept is not None and isinstance(source, Holding):
            source.keep(kept)
        with self.news:
            if self.kept is kept:
                self.kept = None
                self.news.notify_all()

    def answer(self, source: Source) -> None:
        """Run the request to the source, in the thread that owns it."""
        self.tell_kept(source)
        with self.news:
            request = self.request
        if request is None:
            return
        held = request(source) if isinstance(source, Holding) else None
        with self.news:
            if self.request is request:  # not replaced by a later request
                self.request, self.held = None, held
                self.news.notify_all()

    def fresh(self) -> bool:
        return self.image is not None and self.clock() - self.time_s <= STALE_S


class LiveCamera(Camera):
    """A `Camera` over any `Source`; comes back by itself after the source has gone and returned.

    make_source: gives a new source for every run, with the settings that are wanted then. name: what a person
    would call it, with these settings. clock: monotonic seconds. open_s: how long `start` waits for the
    device. retry_s: pause between attempts to reopen.
    wanted: settings of the picture: how it is turned is seen to here, the rest is the source's.
    before_opening: called before the device is opened, every time, by the thread that does; a driver may keep
    all of Python from running then.
    """

    def __init__(
        self,
        make_source: Callable[[CaptureSettings], Source],
        name: str | Callable[[CaptureSettings], str],
        *,
        clock: Callable[[], float] = time.monotonic,
        open_s: float = 8.0,
        retry_s: float = 1.0,
        wanted: CaptureSettings = AS_IT_COMES,
    ) -> None:
        self._make_source, self._name = make_source, name
        self._clock, self._open_s, self._retry_s = clock, open_s, retry_s
        self._wanted, self._controls = wanted, dict[str, float]()
        self._asking = threading.RLock()
        self.before_opening: Callable[[], None] = lambda: None
        self._run: _Run | None = None
        self._thread: threading.Thread | None = None
        self._left_behind: list[threading.Thread] = []

    @property
    def name(self) -> str:
        """What a person would call it."""
        return self._name if isinstance(self._name, str) else self._name(self._wanted)

    def start(self) -> None:
        """Open the device; raises CameraError when that fails or is not done yet.

        A slow board may need longer: the device goes on being opened until `stop`, and another call waits for
        it. A thread that hangs in its driver is left behind once; with a second one that hangs there is no
        third.
        """
        run = self._run or self._begin()
        with run.news:
            run.news.wait_for(lambda: run.opened or run.problem is not None, self._open_s)
            opened, problem = run.opened, run.problem
        if opened and run.wanted != self._wanted:  # chosen while it was opened
            self.stop()
            self.start()
        elif not opened:
            if problem is not None or self._clock() - run.began_s > HANGS_S:
                self.stop()
            raise problem or CameraError("camera/no_answer", camera=camera_label(self.name))

    def _begin(self) -> _Run:
        """Have a thread of its own open the device and take its pictures."""
        self._left_behind = [each for each in self._left_behind if each.is_alive()]
        if len(self._left_behind) > 1:
            raise CameraError("camera/hangs_for_good", camera=camera_label(self.name))
        with self._asking:
            source = self._make_source(self._wanted)
            if self._controls and isinstance(source, Holding):
                source.keep(tuple(self._controls.items()))
            run = self._run = _Run(self.name, self._wanted, self._clock)
        self._thread = threading.Thread(
            target=_keep_grabbing,
            args=(run, source, self._retry_s, self.before_opening),
            name=self.name,
            daemon=True,
        )
        self._thread.start()
        return run

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        """The newest picture not given before; see `Camera.read`."""
        run = self._run
        if run is None:
            raise CameraError("camera/not_started", camera=camera_label(self.name))
        with run.news:
            run.news.wait_for(run.fresh, timeout_s)
            if run.fresh() and run.image is not None:
                frame = Frame(run.image, run.time_s, run.number, run.coarse)
                run.image = None
                return frame
            run.image = None
            if run.problem is not None:
                raise CameraError(run.problem.message)
            busy = run.request is not None  # it takes its pictures for that
            if not busy and self._clock() - run.time_s > (FIRST_S if run.waiting else SILENT_S):
                raise CameraError("camera/silent", camera=camera_label(self.name))
        return None

    @property
    def view(self) -> FieldOfView | None:
        """What it really shows of its field of view; None before the first picture, or where nobody knows."""
        run = self._run
        return None if run is None else run.view

    @property
    def refused(self) -> tuple[str, ...]:
        """Requested settings that it does not support: see `CaptureSettings.requested`."""
        run = self._run
        return () if run is None else run.refused

    @property
    def notice(self) -> Message | None:
        """A note on a camera that gives pictures."""
        run = self._run
        return None if run is None else run.notice

    @property
    def opening(self) -> bool:
        """Whether it is being opened, or has been and gave no picture yet."""
        run = self._run
        return run is not None and run.opening

    @property
    def focuses(self) -> bool:
        """Whether its lens has a motor; False before the first picture."""
        run = self._run
        return run is not None and run.focuses

    def want(self, wanted: CaptureSettings) -> None:
        """Take other settings, from the next `start` on."""
        self._wanted = wanted

    def hold(self, settings: Sequence[str] = EVERYTHING, timeout_s: float = 5.0) -> Held:
        """Let the camera keep its present exposure (and gain), white balance and focus, or some of them.

        It goes on keeping them when it is started again. Raises CameraError when it is not running or does
        not answer.
        """
        with self._asking:
            held = self._ask(lambda source: source.hold(settings), timeout_s) or Held((), tuple(settings))
            self._controls |= dict(held.controls)
        return held

    def release(self, timeout_s: float = 5.0) -> None:
        """Let the camera see to exposure, gain, white balance and focus by itself until it is started again.

        Raises CameraError as `hold` does.
        """
        with self._asking:
            self._ask(lambda source: source.release(), timeout_s)

    def keep(self, controls: Controls, timeout_s: float = 5.0) -> None:
        """Hold exactly these settings, as `hold` gave them, from now on and at every start.

        Raises CameraError when it runs and does not answer; the request is still carried out once it does.
        """
        with self._asking:
            self._controls = dict(controls)
            run = self._run
            if run is None:
                return
            with run.news:
                run.kept = tuple(controls)
                run.news.wait_for(lambda: run.kept is None or run.ended.is_set(), timeout_s)
                if run.kept is not None and not run.ended.is_set():
                    raise CameraError("camera/hangs", camera=camera_label(self.name))

    def _ask(self, what: Callable[[Holding], Held | None], timeout_s: float) -> Held | None:
        """Have the thread that owns the source do something; its answer, None where it cannot."""
        run = self._run
        if run is None:
            raise CameraError("camera/not_started", camera=camera_label(self.name))
        with run.news:
            run.request = what
            run.news.wait_for(lambda: run.request is not what or run.ended.is_set(), timeout_s)
            if run.request is what:
                run.request = None
                raise CameraError("camera/hangs", camera=camera_label(self.name))
            return run.held

    def let_go(self) -> None:
        """Wake a source that waits and need not: the thread is about to end."""

    def stop(self) -> None:
        """Release the device; returns within JOIN_S even when the driver hangs."""
        run, thread = self._run, self._thread
        self._run = self._thread = None
        if run is None or thread is None:
            return
        run.ended.set()
        with run.news:
            run.news.notify_all()
        self.let_go()
        thread.join(JOIN_S)
        if thread.is_alive():
            self._left_behind.append(thread)


def _keep_grabbing(run: _Run, source: Source, retry_s: float, before_opening: Callable[[], None]) -> None:
    while not run.ended.is_set():
        run.opening = True
        before_opening()
        try:
            run.tell_kept(source)
            source.open()
            run.tell(opened=True)
            while not run.ended.is_set():
                image = source.grab()
                if image is None:
                    break
                run.put(run.wanted.shown(image), source)
                run.answer(source)
            else:
                return
            run.tell(problem=CameraError("camera/gone", camera=camera_label(run.name)))
        except CameraError as error:
            run.tell(problem=error)
            if not run.opened:
                return
        except Exception as error:  # noqa: BLE001 - drivers raise anything; the thread must live to retry
            run.tell(problem=CameraError("camera/failed", camera=camera_label(run.name), why=str(error)))
            if not run.opened:
                return
        finally:
            _close(source, run.name)
        run.ended.wait(retry_s)


def _close(source: Source, name: str) -> None:
    try:
        source.close()
    except Exception as error:  # noqa: BLE001 - as above: the thread must live to open it again
        log.info("the %s was not closed in order: %s", name, error)
