"""The Raspberry Pi's own camera. The only module that imports picamera2, and only when it is opened."""

import importlib
import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from messages.errors import CameraError
from vision.cameras.live import EVERYTHING, FIRST_S, Controls, Held, LiveCamera, Source
from vision.cameras.sensors import (
    PICTURE_WH,
    FieldOfView,
    SensorMode,
    Size,
    sensor_of,
    share_of,
    whole_mode,
)
from vision.cameras.wanted import AS_IT_COMES, CaptureSettings

log = logging.getLogger(__name__)

FPS = 20
WAIT_S = 2.5
FOCUS_S = 2.0
"""So long a lens gets to come to rest before its focus is held; nobody gets a picture meanwhile."""
# libcamera's numbers, which Python gets without importing it.
_AF_MANUAL, _AF_CONTINUOUS = 0, 2
_FLICKER_MANUAL, _EXPOSURE_SHORT, _HDR_SINGLE = 1, 1, 3
_AF_SCANNING, _AF_FAILED = 1, 3
# From libcamera 0.5 on AeEnable is not always heeded (picamera2 issue 1269); what does the same there and
# before is a time and a gain of 0.
_LOOSE = {
    "AeEnable": True,
    "ExposureTime": 0,
    "AnalogueGain": 0.0,
    "AwbEnable": True,
    "AfMode": _AF_CONTINUOUS,
}
_HELD_BY = {
    "exposure": ("ExposureTime", "AnalogueGain"),
    "white_balance": ("ColourGains",),
    "focus": ("LensPosition",),
}


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


class PicameraSource(Source):
    """A `Source` over picamera2.

    It names the sensor's mode, so that the picture shows all the lens sees (`vision.cameras.sensors`).
    A lens with a motor focuses by itself until its focus is held: libcamera's own default is 1 dioptre, and a
    tray at 30 cm needs 3.3.

    Its controls are ExposureTime (microseconds), AnalogueGain, ColourGains.red, ColourGains.blue and
    LensPosition (dioptres).
    wanted: settings of the picture. clock: monotonic seconds. refused: those the camera cannot do, once the
    first one has come.
    view: what the picture really shows, once the first one has come. focuses: whether the lens has a motor,
    once it is open.
    """

    def __init__(
        self,
        number: int,
        size_wh: Size,
        fps: float,
        wanted: CaptureSettings = AS_IT_COMES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._number, self._wanted, self._clock = number, wanted, clock
        self._size_wh, self._fps = wanted.taken_wh or size_wh, wanted.fps or fps
        self._controls: dict[str, float] = {}
        self._first = True
        self.refused: tuple[str, ...] = ()
        self.focuses = False
        self._picam: Any = None
        self._model = ""
        self._native_wh: Size | None = None
        self.view: FieldOfView | None = None

    def open(self) -> None:
        """Open the camera in a video mode that keeps its field of view; raises CameraError."""
        module = _picamera2()
        try:
            if self._number >= len(module.Picamera2.global_camera_info()):
                raise CameraError("camera/pi_missing", number=self._number)  # noqa: TRY301 - the list may fail, too
            # Its constructor may fail after it has taken the camera: in two steps there is something to
            # close then, without which no later attempt of this process would get the camera.
            self._picam = module.Picamera2.__new__(module.Picamera2)
            self._picam.__init__(self._number)
            period_us = round(1e6 / self._fps)
            longest_us = max(period_us, round((self._wanted.exposure_ms or 0) * 1000))
            # "RGB888" names the bytes from the highest down: in memory they stand blue, green, red.
            # No queue: a frame is one that was taken after it was asked for.
            config = self._picam.create_video_configuration(
                main={"format": "RGB888", "size": self._size_wh},
                controls={
                    "FrameDurationLimits": (period_us, longest_us),
                },
                sensor=self._sensor_mode(),
                buffer_count=4,
                queue=False,
            )
            self._picam.configure(config)
            settings = {"AfMode": _AF_CONTINUOUS} | _of_the_picture(self._wanted) | self._held()
            self._picam.set_controls(self._known(settings))
            self.focuses = "AfMode" in self._picam.camera_controls
            self._picam.start()
            self._first = True
        except CameraError:
            raise
        except Exception as error:  # noqa: BLE001 - drivers, allocators and bindings raise what they like
            self.close()
            raise CameraError("camera/pi_closed", number=self._number, why=str(error)) from None

    def _sensor_mode(self) -> dict[str, Any]:
        """The mode to ask for; nothing where there is none to choose, as with libcamera's virtual camera."""
        properties = self._picam.camera_properties
        self.view = self._native_wh = None
        if "ColorFilterArrangement" not in properties:  # how picamera2 knows what hangs on the Pi's own bus
            return {}
        self._model = str(properties.get("Model"))
        sensor = sensor_of(self._model)
        # Others are asked, which configures the camera once for every mode it has.
        modes = sensor.modes if sensor else _modes_of(self._picam.sensor_modes)
        crops = [mode.crop_xywh[2:] for mode in modes]
        self._native_wh = sensor.native_wh if sensor else max(crops, default=None)
        if self._native_wh is None:
            return {}
        mode = whole_mode(modes, self._native_wh, self._size_wh, self._fps)
        return {} if mode is None else {"output_size": mode.size_wh, "bit_depth": mode.bit_depth}

    def _view(self, metadata: Mapping[str, Any]) -> FieldOfView | None:
        """What the picture really shows, from the crop that came with it."""
        if self._native_wh is None or "ScalerCrop" not in metadata:
            return None
        _, _, *crop = metadata["ScalerCrop"]
        crop_wh = (int(crop[0]), int(crop[1]))
        sensor = sensor_of(self._model)
        angles = sensor.field_deg(crop_wh) if sensor else (None, None)
        return FieldOfView(share_of(crop_wh, self._native_wh, self._size_wh), *angles)

    def grab(self) -> NDArray[np.uint8] | None:
        """The next frame; None when none came in WAIT_S seconds, the first after an opening in FIRST_S."""
        job = self._picam.capture_request(wait=False)
        try:
            request = self._picam.wait(job, timeout=FIRST_S if self._first else WAIT_S)
        except TimeoutError:
            self._picam.cancel_all_and_flush()
            return None
        try:
            image: NDArray[np.uint8] = request.make_array("main")
            if self._first:
                self._look_at_first(request.get_metadata(), image.shape)
        finally:
            request.release()
        return np.ascontiguousarray(image[..., :3])

    def _look_at_first(self, metadata: Mapping[str, Any], shape: tuple[int, ...]) -> None:
        """What the first picture says of the camera."""
        self._first = False
        self.view = self._view(metadata)
        settings, has = _of_the_picture(self._wanted), self._picam.camera_controls
        done = {
            "size": (shape[1], shape[0]) == self._size_wh,
            "fps": _close_to(metadata.get("FrameDuration"), 1e6 / self._fps),
            "flicker": settings.keys() & _FLICKER <= has.keys(),
            "short_exposure": "AeExposureMode" in has,
            "exposure_ms": "ExposureTime" in has,
            # Every board has the control, but only one that does it says so with the picture (ipa_base.cpp).
            "hdr": metadata.get("HdrMode") == _HDR_SINGLE,
        }
        self.refused = tuple(name for name in self._wanted.requested if not done[name])

    def _metadata(self) -> dict[str, Any]:
        """What is known of the next picture."""
        seen: dict[str, Any] = self._picam.wait(self._picam.capture_metadata(wait=False), timeout=WAIT_S)
        return seen

    def hold(self, settings: Sequence[str] = EVERYTHING) -> Held:
        """Keep what automatic exposure, white balance and focus have settled on.

        A focus that is still searched for is waited for; one that is not found is not held.
        """
        seen = self._metadata()
        end_s = self._clock() + FOCUS_S
        while "focus" in settings and seen.get("AfState") == _AF_SCANNING and self._clock() < end_s:
            seen = self._metadata()
        lost = seen.get("AfState") in {_AF_SCANNING, _AF_FAILED}
        wanted = {name for setting in settings for name in _HELD_BY[setting]}
        controls = _flat(
            {name: seen[name] for name in wanted & seen.keys() if not (lost and name == "LensPosition")}
        )
        known = self._known(as_libcamera(controls))
        self._picam.set_controls(known)
        held = {name: value for name, value in controls.items() if name.split(".")[0] in known}
        self._controls |= held
        has = self._picam.camera_controls
        missing = [
            setting for setting in settings
            if _HELD_BY[setting][0] not in known and (setting != "focus" or "AfMode" in has)
        ]  # fmt: skip
        return Held(tuple(held.items()), tuple(missing))

    def release(self) -> None:
        """Let the automatics run; what was held comes back when the camera is opened again."""
        self._picam.set_controls(self._known(_LOOSE | _of_the_picture(self._wanted)))

    def keep(self, controls: Controls) -> None:
        """Hold exactly these, as `hold` gave them; the automatics see to the rest."""
        self._controls = dict(controls)
        if self._picam is not None:
            settings = _LOOSE | _of_the_picture(self._wanted) | self._held()
            self._picam.set_controls(self._known(settings))

    def _held(self) -> dict[str, Any]:
        """What is held, in libcamera's terms, but for exposure and gain where another exposure is wanted."""
        held_us = self._controls.get("ExposureTime")
        if not self._wanted.exposed_otherwise(None if held_us is None else held_us / 1000):
            return as_libcamera(self._controls)
        rest = {name: each for name, each in self._controls.items() if name not in _HELD_BY["exposure"]}
        return as_libcamera(rest)

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


def _modes_of(modes: Sequence[Mapping[str, Any]]) -> tuple[SensorMode, ...]:
    """The modes as `Picamera2.sensor_modes` has them; those that are not raw say nothing of themselves."""
    return tuple(
        SensorMode(mode["size"], mode["crop_limits"], mode["fps"], mode["bit_depth"])
        for mode in modes
        if "crop_limits" in mode
    )


_FLICKER = {"AeFlickerMode", "AeFlickerPeriod"}


def _of_the_picture(wanted: CaptureSettings) -> dict[str, Any]:
    """What is wanted, in libcamera's terms; light that flickers does so twice in a period of the mains.

    >>> _of_the_picture(CaptureSettings(flicker_hz=50, short_exposure=True))
    {'AeFlickerMode': 1, 'AeFlickerPeriod': 10000, 'AeExposureMode': 1}
    """
    settings: dict[str, Any] = {}
    if wanted.flicker_hz:
        period_us = round(1e6 / (2 * wanted.flicker_hz))
        settings |= {"AeFlickerMode": _FLICKER_MANUAL, "AeFlickerPeriod": period_us}
    if wanted.short_exposure:
        settings["AeExposureMode"] = _EXPOSURE_SHORT
    if wanted.hdr:
        settings["HdrMode"] = _HDR_SINGLE
    if wanted.exposure_ms is not None:
        settings["ExposureTime"] = round(wanted.exposure_ms * 1000)
    return settings


def _close_to(duration_us: float | None, wanted_us: float) -> bool:
    """Whether pictures come as often as was wanted, within a tenth; so where it is not said."""
    return duration_us is None or abs(duration_us - wanted_us) < 0.1 * wanted_us


def _flat(metadata: Mapping[str, Any]) -> dict[str, float]:
    """Controls as a profile keeps them: one number each.

    >>> _flat({"ColourGains": (1.8, 1.4), "ExposureTime": 9998})
    {'ExposureTime': 9998.0, 'ColourGains.red': 1.8, 'ColourGains.blue': 1.4}
    """
    flat = {name: float(metadata[name]) for name in ("ExposureTime", "AnalogueGain") if name in metadata}
    if "ColourGains" in metadata:
        red, blue = metadata["ColourGains"]
        flat |= {"ColourGains.red": float(red), "ColourGains.blue": float(blue)}
    if "LensPosition" in metadata:
        flat["LensPosition"] = float(metadata["LensPosition"])
    return flat


def as_libcamera(controls: Mapping[str, float]) -> dict[str, Any]:
    """What was held, in libcamera's terms, with the automatics off that would change it.

    >>> as_libcamera({"ExposureTime": 9999.0, "LensPosition": 2.5})
    {'ExposureTime': 9999, 'AeEnable': False, 'LensPosition': 2.5, 'AfMode': 0}
    """
    settings: dict[str, Any] = {}
    if "ExposureTime" in controls:
        settings |= {"ExposureTime": round(controls["ExposureTime"]), "AeEnable": False}
    if "AnalogueGain" in controls:
        settings["AnalogueGain"] = controls["AnalogueGain"]
    if "ColourGains.red" in controls and "ColourGains.blue" in controls:
        gains = (controls["ColourGains.red"], controls["ColourGains.blue"])
        settings |= {"ColourGains": gains, "AwbEnable": False}
    if "LensPosition" in controls:
        settings |= {"LensPosition": controls["LensPosition"], "AfMode": _AF_MANUAL}
    return settings


def pi_camera(
    number: int = 0,
    *,
    wanted: CaptureSettings = AS_IT_COMES,
    **settings: Any,
) -> LiveCamera:
    """The Pi camera of that number, or of the one that is wanted."""

    def chosen(now: CaptureSettings) -> int:
        return number if now.number is None else now.number

    return LiveCamera(
        lambda now: PicameraSource(chosen(now), PICTURE_WH, FPS, now),
        lambda now: f"Pi camera {chosen(now)}",
        wanted=wanted,
        **settings,
    )
