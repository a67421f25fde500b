"""USB cameras, and whatever else OpenCV opens as a device."""

import fcntl
import os
import struct
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from messages.errors import CameraError
from messages.message import Message
from vision.cameras.held_picture import (
    Dial,
    as_sharp,
    as_warm,
    keep_light,
    light_of,
    sharpness_of,
    warmth_of,
)
from vision.cameras.live import EVERYTHING, Controls, Held, LiveCamera, Source
from vision.cameras.sensors import Size
from vision.cameras.usb_devices import UsbPlaces, usb_devices
from vision.cameras.wanted import AS_IT_COMES, CaptureSettings

POWER_LINE_FREQUENCY = 0x00980918
"""V4L2's number of the setting against flicker (videodev2.h); 0 off, 1: 50 Hz, 2: 60 Hz."""
SET_CONTROL = 0xC008561C
"""VIDIOC_S_CTRL. OpenCV has no name for that setting, so it is set with an ioctl."""
LATE_FRAMES, LENS_FRAMES = 3, 15
"""So many pictures a camera may take until one is taken with what it was told, and with its lens there."""
SIZE_WH = (1280, 720)
FPS = 30


class _Setting(NamedTuple):
    """What can be held: its name, the property that makes it manual (and the value), those to keep.

    auto: values of that property, one of which the camera understands, that let it go again. look: what shows
    in a picture whether it is as it was.
    """

    name: str
    manual: tuple[int, float]
    auto: tuple[float, ...]
    kept: tuple[tuple[str, int], ...]
    look: Callable[[NDArray[np.uint8]], float]


# V4L2 counts exposure modes so that 1 is manual, 3 its usual automatic and 0 the one of cameras with an iris
# (uvcvideo: V4L2_EXPOSURE_MANUAL, _APERTURE_PRIORITY, _AUTO).
SETTINGS = (
    _Setting(
        "exposure",
        (cv2.CAP_PROP_AUTO_EXPOSURE, 1),
        (3, 0),
        (("exposure", cv2.CAP_PROP_EXPOSURE), ("gain", cv2.CAP_PROP_GAIN)),
        light_of,
    ),
    _Setting(
        "white_balance",
        (cv2.CAP_PROP_AUTO_WB, 0),
        (1,),
        (("white_balance", cv2.CAP_PROP_WB_TEMPERATURE),),
        warmth_of,
    ),
    _Setting("focus", (cv2.CAP_PROP_AUTOFOCUS, 0), (1,), (("focus", cv2.CAP_PROP_FOCUS),), sharpness_of),
)


class CaptureSource(Source):
    """A `Source` over OpenCV.

    What it is not to hold its automatics see to, for a camera keeps what it was told last.
    opener: opens the device; missing: what to say when that fails.
    wanted: settings of the picture, those of size and rate already given to the opener. flicker: sets that
    against flicker, to that many Hz; whether it could. has_motor: whether the lens of an open device has one.
    refused: those the device cannot do, focuses:
    whether its lens has a motor, both once it is open.
    """

    def __init__(
        self,
        opener: Callable[[], cv2.VideoCapture],
        missing: Callable[[], Message],
        wanted: CaptureSettings = AS_IT_COMES,
        flicker: Callable[[int], bool] = lambda _hz: False,
        has_motor: Callable[[cv2.VideoCapture], bool] = lambda _: False,
    ) -> None:
        self._opener, self._missing = opener, missing
        self._controls: dict[str, float] = {}
        self._wanted, self._flicker, self._has_motor = wanted, flicker, has_motor
        self.refused: tuple[str, ...] = ()
        self.focuses = False
        self._capture: cv2.VideoCapture | None = None

    def open(self) -> None:
        """Open the device; raises CameraError."""
        capture = self._opener()
        if not capture.isOpened():
            capture.release()
            raise CameraError(self._missing())
        self._capture = capture
        self.release()
        self.refused = self._cannot(capture)
        self.focuses = self._has_motor(capture)
        self._hold_again(capture)

    def _hold_again(self, capture: cv2.VideoCapture) -> None:
        """Tell the device what it is to hold."""
        units = self._controls.get("exposure")
        otherwise = self._wanted.exposed_otherwise(None if units is None else units / 10)
        for setting in SETTINGS:
            held = [(prop, self._controls[name]) for name, prop in setting.kept if name in self._controls]
            if held and not (otherwise and setting.name == "exposure"):
                capture.set(*setting.manual)
                for prop, value in held:
                    capture.set(prop, value)

    def _cannot(self, capture: cv2.VideoCapture) -> tuple[str, ...]:
        """Of what is wanted, that which the device does not do."""
        wanted = self._wanted
        fps = capture.get(cv2.CAP_PROP_FPS)
        done = {
            "size": _size_wh(capture) == wanted.size_wh,
            "fps": wanted.fps is not None and abs(fps - wanted.fps) < 0.1 * wanted.fps,
            "flicker": bool(wanted.flicker_hz) and self._flicker(wanted.flicker_hz),
            "hdr": False,
            "short_exposure": False,
            "exposure_ms": self._exposed(capture),
        }
        return tuple(name for name in wanted.requested if not done[name])

    def _exposed(self, capture: cv2.VideoCapture) -> bool:
        """Expose each picture as long as is wanted; whether that is done. V4L2 counts in 100 microseconds."""
        if self._wanted.exposure_ms is None:
            return False
        manual, (_, exposure), value = SETTINGS[0].manual, SETTINGS[0].kept[0], self._wanted.exposure_ms * 10
        done = capture.set(*manual) and capture.set(exposure, value)
        return done and abs(capture.get(exposure) - value) <= max(0.1 * value, 1)

    def hold(self, settings: Sequence[str] = EVERYTHING) -> Held:
        """Make manual what can be made so, at its present value; say what cannot."""
        capture = self._capture
        if capture is None:
            return Held((), tuple(settings))
        controls: list[tuple[str, float]] = []
        missing = []
        for setting in SETTINGS:
            if setting.name not in settings:
                continue
            seen = self._seen(setting, 1)
            before = [(name, prop, capture.get(prop)) for name, prop in setting.kept]
            if not capture.set(*setting.manual):
                missing.append(setting.name)
                continue
            # Some cameras fall back to a default when they are made manual: set what they had.
            kept = [(name, prop) for name, prop, value in before if capture.set(prop, value)]
            if seen and not self._as_before(capture, setting, seen):
                missing.append(setting.name)
                any(capture.set(setting.manual[0], value) for value in setting.auto)
                continue
            controls += [(name, capture.get(prop)) for name, prop in kept]
        self._controls |= dict(controls)
        return Held(tuple(controls), tuple(missing))

    def _seen(self, setting: _Setting, pictures: int) -> float | None:
        """What the last of so many pictures shows of a setting; None where the camera is gone."""
        taken = [self.grab() for _ in range(pictures)]
        return None if taken[-1] is None else setting.look(taken[-1])

    def _as_before(self, capture: cv2.VideoCapture, setting: _Setting, seen: float) -> bool:
        """Whether pictures are as they were before a setting was made manual; the light is brought there."""
        if setting.name == "exposure":
            dials = (Dial(partial(capture.get, prop), partial(capture.set, prop)) for _, prop in setting.kept)
            return keep_light(seen, partial(self._seen, setting, LATE_FRAMES), *dials)
        if setting.name == "focus":
            now = self._seen(setting, LENS_FRAMES)
            return now is not None and as_sharp(seen, now)
        now = self._seen(setting, LATE_FRAMES)
        return now is not None and as_warm(seen, now)

    def release(self) -> None:
        """Let the automatics run; what was held comes back when the device is opened again."""
        if self._capture is not None:
            for setting in SETTINGS:
                any(self._capture.set(setting.manual[0], value) for value in setting.auto)
            self._exposed(self._capture)

    def keep(self, controls: Controls) -> None:
        """Hold exactly these, as `hold` gave them; the automatics see to the rest."""
        self._controls = dict(controls)
        if self._capture is not None:
            self.release()
            self._hold_again(self._capture)

    def grab(self) -> NDArray[np.uint8] | None:
        """The next picture; None when there is none any more."""
        if self._capture is None:
            return None
        good, image = self._capture.read()
        if not good or image is None:
            return None
        if image.ndim == 2:  # a monochrome camera
            image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
        return np.array(image, np.uint8, order="C")

    def close(self) -> None:
        """Release the device."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None


def usb_camera(
    number: int,
    *,
    wanted: CaptureSettings = AS_IT_COMES,
    **settings: Any,
) -> LiveCamera:
    """The camera behind /dev/video<number>, in MJPEG at SIZE_WH when it can.

    wanted: settings of the picture; they may name another number. A camera that gets another number when it
    is plugged in again is found there.
    """
    places = UsbPlaces()

    def chosen(now: CaptureSettings) -> int:
        return number if now.number is None else now.number

    def opener(now: CaptureSettings) -> cv2.VideoCapture:
        capture = opened(now, now.taken_wh or SIZE_WH)
        automatic = now.size_wh is None and now.usual_wh is not None
        if automatic and capture.isOpened() and _size_wh(capture) != now.usual_wh:
            # its nearest size may have another shape, and show less of the tray
            capture.release()
            capture = opened(now, SIZE_WH)
        return capture

    def opened(now: CaptureSettings, size_wh: Size) -> cv2.VideoCapture:
        here = places.now(chosen(now))
        capture = cv2.VideoCapture(
            here,
            cv2.CAP_V4L2,
            [
                cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"),
                cv2.CAP_PROP_FRAME_WIDTH, size_wh[0],
                cv2.CAP_PROP_FRAME_HEIGHT, size_wh[1],
            ],
        )  # fmt: skip
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        # Not above: OpenCV opens no camera whose driver knows no rates. Last: the others ask for one anew.
        capture.set(cv2.CAP_PROP_FPS, round(now.fps or FPS))
        if capture.isOpened():
            places.met(chosen(now), here)
        return capture

    def source(now: CaptureSettings) -> CaptureSource:
        return CaptureSource(
            partial(opener, now),
            lambda: _why_not(chosen(now), tuple(usb_devices()), _node(chosen(now))),
            now,
            lambda flicker_hz: set_flicker(_node(places.now(chosen(now))), flicker_hz),
            has_autofocus,
        )

    return LiveCamera(
        source,
        lambda now: f"USB camera {chosen(now)}",
        wanted=wanted,
        **settings,
    )


def has_autofocus(capture: cv2.VideoCapture) -> bool:
    """Whether a USB camera focuses by itself: of a setting that is not there V4L2 says -1 (FFmpeg says 0)."""
    return capture.get(cv2.CAP_PROP_AUTOFOCUS) >= 0


def _size_wh(capture: cv2.VideoCapture) -> Size:
    """What a device really gives."""
    return round(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), round(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))


def _node(number: int) -> Path:
    return Path(f"/dev/video{number}")


def set_flicker(device: Path, flicker_hz: int) -> bool:
    """Tell the driver of a device the frequency of the mains, 50 or 60; whether it took it."""
    value = {50: 1, 60: 2}[flicker_hz]
    try:
        with device.open("rb+", buffering=0) as file:
            fcntl.ioctl(file, SET_CONTROL, struct.pack("Ii", POWER_LINE_FREQUENCY, value))
    except OSError:
        return False
    return True


def _why_not(number: int, there: tuple[int, ...], device: Path) -> Message:
    """What to say when the camera does not open."""
    if device.exists() and not os.access(device, os.R_OK | os.W_OK):
        return Message("camera/usb_forbidden", number=number)
    if number in there:
        return Message("camera/usb_busy", number=number)
    if not there:
        return Message("camera/usb_none", number=number, device=str(device))
    others = tuple(f"usb:{other}" for other in there)
    return Message("camera/usb_others", number=number, device=str(device), others=others)
