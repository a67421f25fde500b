"""Worlds to be filmed: each gives one adapter something to show, and can make it go away."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from messages.errors import CameraError
from vision.cameras.phone import PhoneCamera, Trouble
from vision.frame import Camera, Frame

DEADLINE_S = 60.0
WIDTH, HEIGHT = 192, 96
SPOTS = ((32, 40), (96, 40), (160, 40))
"""Where the test card is red, green and blue, in this order: x, y."""


def card(level: int = 0) -> NDArray[np.uint8]:
    """A test card, red, green, blue from left to right, with a grey bar below that shows `level` 0-9."""
    image = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    image[:, :64] = (0, 0, 230)
    image[:, 64:128] = (0, 230, 0)
    image[:, 128:] = (230, 0, 0)
    image[72:] = 20 + level * 24
    return image


def level_of(frame: Frame) -> int:
    """The level that the card in the frame shows."""
    return round((float(frame.image[78:92].mean()) - 20) / 24)


def next_frame(camera: Camera) -> Frame:
    frame = camera.read(timeout_s=DEADLINE_S)
    assert frame is not None, "no frame came"
    return frame


def trouble_of(camera: Camera) -> str:
    """The sentence of the CameraError that reading ends with."""
    end_s = time.monotonic() + DEADLINE_S
    while time.monotonic() < end_s:
        try:
            camera.read(timeout_s=0.05)
        except CameraError as error:
            return str(error)
    pytest.fail("it never says that something is wrong")


def open_files() -> int:
    """How many files this process has open."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


@dataclass
class World:
    """A camera and what it looks at. show: sets the level; wait_shown: until that reached the device."""

    camera: Camera
    live: bool
    spots: tuple[tuple[int, int], ...] = SPOTS
    size_wh: tuple[int, int] = (WIDTH, HEIGHT)
    show: Callable[[int], None] = lambda _level: None
    wait_shown: Callable[[], None] = lambda: None
    vanish: Callable[[], None] = lambda: None
    come_back: Callable[[], None] = lambda: None
    restarts: int = 50


class Device:
    """A camera as a driver gives it: every `read` waits for the next picture, until it is unplugged.

    It is cv2.VideoCapture as far as the adapter knows it, and can be opened again and again.
    """

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._level = 0
        self._plugged = True
        self._taken = 0
        self.open_captures = 0
        self.controls: list[dict[str, Any]] = []
        """What was set on the camera, one after the other."""
        self.model = "imx708"
        """libcamera's name of the sensor."""
        self.configured: dict[str, Any] = {}
        """The last configuration, as picamera2 made it."""
        self.cameras = 1
        """How many cameras picamera2 finds, and below it which one was opened last."""
        self.opened: int | None = None
        self.heeds_ae_enable = True
        """Whether libcamera heeds AeEnable; 0.5 does not always (picamera2 issue 1269)."""
        self.autofocus = True
        self.hdr = False
        """Whether the board combines exposures, as a Pi 5 does."""
        self.sharp_at: float | None = 2.5
        """Where a lens with a motor finds the tray sharp, in dioptres or a USB camera's own numbers; None
        where there is nothing to see."""
        self.lit_by: float | None = None
        """Temperature of the light a USB camera looks at, in kelvin; None: it always looks white."""
        self.settings: dict[int, float] = {}
        """What a driver has; what is not there is refused."""
        self.fixed = False
        """Whether the driver refuses every change."""
        self.still: NDArray[np.uint8] | None = None
        """The picture of a USB camera that films something else than the card."""
        self.takes: float | None = None
        """What exposure, with gain, makes its picture as bright as it should be; None: it always is."""
        self.failing: set[str] = set()
        """Steps of opening and closing that fail at present."""

    def fail(self, step: str) -> None:
        """Raise what a driver raises, if that step is to fail."""
        if step in self.failing:
            raise AttributeError(f"{step} failed")

    def capture(self) -> "DeviceCapture":
        return DeviceCapture(self)

    def show(self, level: int) -> None:
        with self._news:
            self._level, self._taken = level, 0

    def wait_shown(self) -> None:
        with self._news:
            assert self._news.wait_for(lambda: self._taken >= 3, DEADLINE_S), "nobody takes pictures"

    def plug(self, *, plugged: bool) -> None:
        with self._news:
            self._plugged = plugged
            self._news.notify_all()

    @property
    def plugged(self) -> bool:
        with self._news:
            return self._plugged

    def picture(self) -> NDArray[np.uint8] | None:
        with self._news:
            self._news.wait_for(lambda: not self._plugged, 0.005)  # a camera of 200 frames a second
            if not self._plugged:
                return None
            self._taken += 1
            self._news.notify_all()
            if self.still is not None:
                return self.still
            return self._focused(self._balanced(self._exposed(card(self._level))))

    def _focused(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Blurred where a manual focus is another than the one that is sharp."""
        focus = self.settings.get(cv2.CAP_PROP_FOCUS)
        if self.settings.get(cv2.CAP_PROP_AUTOFOCUS) != 0 or focus in {None, self.sharp_at}:
            return image
        return np.asarray(cv2.GaussianBlur(image, (0, 0), 4), np.uint8)

    def _balanced(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Too yellow or too blue where a manual white balance is meant for another light."""
        if self.lit_by is None or self.settings.get(cv2.CAP_PROP_AUTO_WB) != 0:
            return image
        share = self.settings[cv2.CAP_PROP_WB_TEMPERATURE] / self.lit_by
        return np.asarray(np.clip(image * [1 / share, 1.0, share], 0, 255), np.uint8)

    def _exposed(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """As it comes out with a manual exposure: light is what counts, and 64 of gain are as much again."""
        if self.takes is None or self.settings.get(cv2.CAP_PROP_AUTO_EXPOSURE) != 1:
            return image
        gain = 1 + self.settings.get(cv2.CAP_PROP_GAIN, 0) / 64
        share = self.settings[cv2.CAP_PROP_EXPOSURE] * gain / self.takes
        return np.asarray(255 * np.clip(share * (image / 255) ** 2.2, 0, 1) ** (1 / 2.2), np.uint8)


RANGES = {cv2.CAP_PROP_EXPOSURE: (3.0, 2047.0), cv2.CAP_PROP_GAIN: (0.0, 255.0)}
"""Least and most, as of a Logitech C920."""


class DeviceCapture:
    """What cv2.VideoCapture(…) gives for the device."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._open = device.plugged
        device.open_captures += self._open

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self._open

    def read(self) -> tuple[bool, Any]:
        picture = self._device.picture() if self._open else None
        return picture is not None, picture

    def get(self, propId: int) -> float:  # noqa: N803 - OpenCV's name
        return self._device.settings.get(propId, -1.0)

    def set(self, propId: int, value: float) -> bool:  # noqa: N803 - OpenCV's name
        if self._device.fixed or propId not in self._device.settings:
            return False
        least, most = RANGES.get(propId, (-np.inf, np.inf))
        self._device.settings[propId] = min(max(value, least), most)  # V4L2 clamps without a word
        return True

    def release(self) -> None:
        self._device.open_captures -= self._open
        self._open = False


class SendingPhone:
    """A phone that sends the card again and again, each picture once the one before was taken in."""

    def __init__(self) -> None:
        self.camera = PhoneCamera(silent_s=0.5, retry_s=0.02)
        self._news = threading.Condition()
        self._level, self._sent, self._here, self._over = 0, 0, True, False
        self._thread = threading.Thread(target=self._send)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over = True
        self.come_back()
        self._thread.join(DEADLINE_S)

    def _send(self) -> None:
        while not self._over:
            with self._news:
                self._news.wait_for(lambda: self._here, DEADLINE_S)
                jpeg = cv2.imencode(".jpg", card(self._level), [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
                self.camera.line.put(jpeg, small=False)
                self._sent += 1
                self._news.notify_all()
                self._news.wait(0.005)

    def show(self, level: int) -> None:
        with self._news:
            self._level, self._sent = level, 0

    def wait_shown(self) -> None:
        with self._news:
            assert self._news.wait_for(lambda: self._sent >= 3, DEADLINE_S), "nothing is sent"

    def vanish(self) -> None:
        with self._news:
            self._here = False
            self.camera.line.tell(Trouble.CLOSED)

    def come_back(self) -> None:
        with self._news:
            self._here = True
            self._news.notify_all()
