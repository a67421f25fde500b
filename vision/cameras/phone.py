"""A phone as the camera: a page on it sends pictures to the station, which takes them here.

What is sent the phone decides. While something moves it sends small pictures, from which nobody reads dice;
as soon as all lies still a large one, and from then on only word that nothing has moved, for which the large
one counts again.
"""

import threading
import time
from collections.abc import Callable, Collection, Sequence
from enum import StrEnum
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from messages.errors import BadInputError, CameraError
from messages.message import Message
from pictures.decode import CAMERA_PIXELS_MAX, decode
from vision.cameras.live import EVERYTHING, STALE_S, Controls, Held, LiveCamera, Source
from vision.cameras.sensors import PICTURE_WH, Size
from vision.cameras.wanted import AS_IT_COMES, CaptureSettings

SILENT_S = 2.5
"""A phone of which nothing has come for this long is called silent."""
HOLD_S = 3.0
"""How long a phone may take to hold light and focus."""
FEW_FPS = 4.0
"""A phone that looks less often than this a second saves its battery."""
ALIKE = 0.02
"""Pictures whose shapes differ by less than this share have the same one: sizes are whole pixels."""


class Trouble(StrEnum):
    """What a phone says of itself where it can send no pictures."""

    HIDDEN = "hidden"
    BUSY = "busy"
    CLOSED = "closed"


class Wants(StrEnum):
    """What is of use: word that nothing has moved, a fresh large picture of that, or one whatever moves."""

    WORD = "word"
    FRESH = "fresh"
    LARGE = "large"


class PhoneLine:
    """The messages from and to the phone; thread-safe.

    wants: which pictures are of use now. came: called when a phone sends and nobody takes its
    pictures yet. has_request: whether another phone asks to be the camera. clock: monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.wants: Callable[[], Wants] = lambda: Wants.WORD
        self.came: Callable[[], None] = lambda: None
        self.has_request: Callable[[], bool] = lambda: False
        self.long_px = max(PICTURE_WH)
        """Pixels of the longer side of a large picture."""
        self._news, self._clock, self._came_s = threading.Condition(), clock, 0.0
        self._taken = False
        self._hold: frozenset[str] = frozenset()
        self.change(Message("camera/phone/none"))

    def change(self, wrong: Message) -> None:
        """Forget the phone; that is what is wrong until another one sends."""
        with self._news:
            self._image: NDArray[np.uint8] | None = None
            self._large_wh: Size | None = None
            self._coarse, self._new, self._fps = False, False, 0.0
            self._wrong: Message | None = wrong
            self._held: frozenset[str] | None = None
            self._news.notify_all()

    # -- from the phone ------------------------------------------------------------------------------

    def put(self, data: bytes, *, small: bool) -> None:
        """A picture has come. Raises BadInputError where it is none."""
        try:
            image = decode(data, pixels_max=CAMERA_PIXELS_MAX)
        except BadInputError as error:
            raise BadInputError("phone/damaged") from error
        with self._news:
            if small:
                image = self._enlarged(image)
            else:
                self._large_wh = (image.shape[1], image.shape[0])
            self._image, self._coarse = image, small
        self._arrived()

    def still(self) -> None:
        """Nothing has moved since the large picture."""
        if self._image is not None and not self._coarse:
            self._arrived()

    def tell(self, trouble: Trouble) -> None:
        """The phone can send no pictures for now."""
        with self._news:
            self._wrong = Message(f"camera/phone/{trouble.value}")
            self._new = False
            self._news.notify_all()

    def look_rate(self, fps: float) -> None:
        """How often a second the phone looks."""
        self._fps = fps

    def holds(self, wished: Collection[str], held: Collection[str]) -> None:
        """The phone has confirmed which of exposure, white balance and focus it has locked."""
        with self._news:
            if self._hold == frozenset(wished):
                self._held = frozenset(held) & self._hold
                self._news.notify_all()

    def _enlarged(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A small picture as large as the large ones, for dice to stay where they are."""
        high, wide = image.shape[:2]
        size = self._large_wh
        if size is None or abs(size[0] / size[1] - wide / high) > ALIKE * wide / high:
            share = self.long_px / max(wide, high)
            size = (max(round(wide * share), 1), max(round(high * share), 1))
        return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR), np.uint8)

    def _arrived(self) -> None:
        with self._news:
            self._new, self._wrong, self._came_s = True, None, self._clock()
            self._news.notify_all()
            waited_for = self._taken
        if not waited_for:
            self.came()

    # -- to the phone --------------------------------------------------------------------------------

    @property
    def wanted(self) -> Wants:
        """What the phone is to send."""
        wants = self.wants()
        there = self._image is not None and not self._coarse
        return wants if there or wants is Wants.LARGE else Wants.FRESH

    @property
    def hold(self) -> tuple[str, ...]:
        """What the phone is to hold of light and focus."""
        return tuple(each for each in EVERYTHING if each in self._hold)

    # -- to the camera -------------------------------------------------------------------------------

    def take(self, timeout_s: float, *, first: bool = False) -> tuple[NDArray[np.uint8], bool]:
        """The next picture, and whether it is a small one. Raises CameraError with why none comes.

        first: that is not stale; it stays to be taken.
        """
        with self._news:
            if first:
                self._taken = True
                self._new &= self._clock() - self._came_s <= STALE_S
            self._news.wait_for(
                lambda: self._new or not self._taken or (self._wrong is not None and not first), timeout_s
            )
            if self._new and self._image is not None:
                self._new = first
                return self._image, self._coarse
            raise CameraError(self._wrong or Message("camera/phone/silent", seconds=f"{SILENT_S:g}"))

    def leave(self) -> None:
        """Nobody takes pictures any more; who waits for one waits no longer."""
        with self._news:
            self._taken = False
            self._news.notify_all()

    def wish(self, settings: Collection[str]) -> None:
        """Have the phone hold these of light and focus, and no others."""
        with self._news:
            self._hold = frozenset(settings)
            self._held = None

    def wait_held(self, timeout_s: float) -> frozenset[str]:
        """What it holds of that, once it has said so; nothing where it does not."""
        with self._news:
            self._news.wait_for(lambda: self._held is not None, timeout_s)
            return self._held or frozenset()

    @property
    def notice(self) -> Message | None:
        """A note on a phone that sends."""
        if self.has_request():
            return Message("camera/phone/asks")
        return Message("camera/phone/saver") if 0 < self._fps < FEW_FPS else None


class PhoneSource(Source):
    """A `Source` over what a phone sends; `Holding` as far as its browser lets it."""

    def __init__(self, line: PhoneLine, wanted: CaptureSettings, silent_s: float) -> None:
        self._line, self._silent_s = line, silent_s
        self.refused = tuple(each for each in wanted.requested if each != "size")
        line.long_px = max(wanted.taken_wh or PICTURE_WH)

    def open(self) -> None:
        """Wait for a phone. Raises CameraError where there is none."""
        self._line.take(self._silent_s, first=True)

    def grab(self) -> NDArray[np.uint8]:
        """The next picture, also one that counts again. Raises CameraError with what the phone says."""
        image, self.coarse = self._line.take(self._silent_s)
        self.notice = self._line.notice
        return image

    def close(self) -> None:
        """Take no more; the phone may go on sending."""
        self._line.leave()

    def hold(self, settings: Sequence[str] = EVERYTHING) -> Held:
        """Have the phone hold them; its browser does not say at which value."""
        wished = {*self._line.hold, *settings}
        self._line.wish(wished)
        held = self._line.wait_held(HOLD_S)
        controls = tuple((name, 1.0) for name in settings if name in held)
        return Held(controls, tuple(name for name in settings if name not in held))

    def release(self) -> None:
        """Let the phone see to light and focus."""
        self._line.wish(())

    def keep(self, controls: Controls) -> None:
        """Have it hold what it held then."""
        self._line.wish([name for name, _ in controls])


class PhoneCamera(LiveCamera):
    """The camera of a phone. silent_s: without a message for so long it counts as silent."""

    def __init__(
        self, *, wanted: CaptureSettings = AS_IT_COMES, silent_s: float = SILENT_S, **settings: Any
    ) -> None:
        self.line = line = PhoneLine()
        super().__init__(lambda now: PhoneSource(line, now, silent_s), "phone", wanted=wanted, **settings)

    def let_go(self) -> None:
        """Wait for no picture of it."""
        self.line.leave()
