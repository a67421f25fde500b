"""The Raspberry Pi's own camera. The only module that imports picamera2, and only when it is opened."""

import importlib
import logging
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from messages.errors import CameraError
from vision.cameras.live import Held, LiveCamera

log = logging.getLogger(__name__)

SIZE_WH = (1280, 720)
FPS = 20
WAIT_S = 2.5


def _picamera2() -> Any:
    """The module. Raises CameraError where it is not installed or cannot work."""
    try:
        return importlib.import_module("picamera2")
    except Exception as error:  # noqa: BLE001 - without libcamera, or with the wrong numpy, it raises what it likes
        raise CameraError("camera/no_picamera", why=str(error)) from None


def camera_count() -> int:
    """How many cameras picamera2 sees; 0 where there is no picamera2."""
    try:
        return len(_picamera2().Picamera2.global_camera_info())
    except Exception:  # noqa: BLE001 - whatever it is, there is no Pi camera to be used
        return 0


class PicameraSource:
    """A `Source` over picamera2.

    controls: settings to hold from the start, as `hold` gave them: ExposureTime (microseconds),
    AnalogueGain, ColourGains.red, ColourGains.blue, LensPosition (dioptres).
    """

    def __init__(
        self, number: int, size_wh: tuple[int, int], fps: float, controls: Sequence[tuple[str, float]] = ()
    ) -> None:
        self._number, self._size_wh, self._fps = number, size_wh, fps
        self._controls = tuple(controls)
        self._picam: Any = None

    def open(self) -> None:
        """Open the camera in a video mode that keeps its field of view; raises CameraError."""
        module = _picamera2()
        try:
            if self._number >= len(module.Picamera2.global_camera_info()):
                raise IndexError("none is found there")  # noqa: TRY301 - said as what picamera2 raises is
            # Its constructor may fail after it has taken the camera: in two steps there is something to
            # close then, without which no later attempt of this process would get the camera.
            self._picam = module.Picamera2.__new__(module.Picamera2)
            self._picam.__init__(self._number)
            period_us = round(1e6 / self._fps)
            # "RGB888" names the bytes from the highest down: in memory they stand blue, green, red.
            # No queue: a frame is one that was taken after it was asked for.
            config = self._picam.create_video_configuration(
                main={"format": "RGB888", "size": self._size_wh},
                controls={
                    "FrameDurationLimits": (period_us, period_us),
                },
                buffer_count=4,
                queue=False,
            )
            self._picam.configure(config)
            if self._controls:
                self._picam.set_controls(self._known(as_libcamera(dict(self._controls))))
            self._picam.start()
        except Exception as error:  # noqa: BLE001 - drivers, allocators and bindings raise what they like
            self.close()
            raise CameraError("camera/pi_closed", number=self._number, why=str(error)) from None

    def grab(self) -> NDArray[np.uint8] | None:
        """The next frame; None when none came in WAIT_S seconds."""
        job = self._picam.capture_request(wait=False)
        try:
            request = self._picam.wait(job, timeout=WAIT_S)
        except TimeoutError:
            self._picam.cancel_all_and_flush()
            return None
        try:
            image: NDArray[np.uint8] = request.make_array("main")
        finally:
            request.release()
        return np.ascontiguousarray(image[..., :3])

    def hold(self) -> Held:
        """Keep what automatic exposure, white balance and focus have settled on."""
        seen = self._picam.wait(self._picam.capture_metadata(wait=False), timeout=WAIT_S)
        controls = [(name, float(seen[name])) for name in ("ExposureTime", "AnalogueGain") if name in seen]
        if "ColourGains" in seen:
            red, blue = seen["ColourGains"]
            controls += [("ColourGains.red", float(red)), ("ColourGains.blue", float(blue))]
        if "LensPosition" in seen:
            controls.append(("LensPosition", float(seen["LensPosition"])))
        wanted = as_libcamera(dict(controls))
        known = self._known(wanted)
        self._picam.set_controls(known)
        settings = {"ExposureTime": "exposure", "ColourGains": "white_balance", "LensPosition": "focus"}
        missing = [
            setting for name, setting in settings.items() if name not in known and name != "LensPosition"
        ]
        self._controls = tuple((name, value) for name, value in controls if name.split(".")[0] in known)
        return Held(self._controls, tuple(missing))

    def release(self) -> None:
        """Let the automatics run; what was held comes back when the camera is opened again."""
        loose = {"AeEnable": True, "AwbEnable": True, "AfMode": 2}  # 2: libcamera's AfModeContinuous
        self._picam.set_controls(self._known(loose))

    def _known(self, controls: Mapping[str, Any]) -> dict[str, Any]:
        """Only what this camera has: a fixed lens, for instance, has no focus."""
        has = self._picam.camera_controls
        return {name: value for name, value in controls.items() if name in has}

    def close(self) -> None:
        """Give the camera back, also one that was never quite opened, or whose driver fails."""
        picam, self._picam = self._picam, None
        if picam is None:
            return
        try:
            picam.close()
        except Exception as error:  # noqa: BLE001 - a driver raises what it likes
            log.info("the Pi camera %d was not closed in order: %s", self._number, error)
        finally:
            _give_back(picam)


def _give_back(picam: Any) -> None:
    """What picamera2's own `close` has left undone.

    It does nothing before the camera was taken, stops at the first error, and its constructor may have
    failed between taking the camera and making what `close` needs.
    """
    if getattr(picam, "is_open", False):
        with suppress(Exception):  # perhaps it was given back, and only what came after that failed
            picam.camera.release()
    ears = getattr(picam, "notifymeread", None)
    if ears is not None and not ears.closed:
        ears.close()
        os.close(picam.notifyme_w)


def as_libcamera(controls: Mapping[str, float]) -> dict[str, Any]:
    """What was held, in libcamera's terms, with the automatics off that would change it.

    >>> as_libcamera({"ExposureTime": 9999.0, "LensPosition": 2.5})
    {'ExposureTime': 9999, 'AeEnable': False, 'LensPosition': 2.5, 'AfMode': 0}
    """
    told: dict[str, Any] = {}
    if "ExposureTime" in controls:
        told |= {"ExposureTime": round(controls["ExposureTime"]), "AeEnable": False}
    if "AnalogueGain" in controls:
        told["AnalogueGain"] = controls["AnalogueGain"]
    if "ColourGains.red" in controls and "ColourGains.blue" in controls:
        gains = (controls["ColourGains.red"], controls["ColourGains.blue"])
        told |= {"ColourGains": gains, "AwbEnable": False}
    if "LensPosition" in controls:
        told |= {"LensPosition": controls["LensPosition"], "AfMode": 0}  # 0: libcamera's AfModeManual
    return told


def pi_camera(
    number: int = 0,
    *,
    size_wh: tuple[int, int] = SIZE_WH,
    fps: float = FPS,
    controls: Sequence[tuple[str, float]] = (),
    **settings: Any,
) -> LiveCamera:
    """The Pi camera of that number."""
    return LiveCamera(
        lambda: PicameraSource(number, size_wh, fps, controls), f"Pi camera {number}", **settings
    )
