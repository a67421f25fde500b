"""As much of picamera2 as the adapter uses, over a `Device`: names and parameters as in the real one.

It chooses modes as the real one does, crops, focuses and refuses as the real one does.
`test_picamera.py` checks both the adapter and this stand-in against the real source.
"""

import os
import re
from types import ModuleType
from typing import Any

import numpy as np

from tests.cameras.worlds import Device
from vision.cameras.sensors import SENSORS, Sensor, sensor_of, whole_crop

VIRTUAL = "libcamera's virtual camera"
"""A model that has no raw stream: there are no modes to choose from."""
IDLE, SCANNING, FOCUSED, FAILED = range(4)
"""Of libcamera's AfState."""
SCAN_FRAMES = 4
"""So long the lens moves."""
FORMATS = {"XBGR8888", "XRGB8888", "RGB888", "BGR888", "YUV420"}


def bit_depth(raw_format: str) -> int:
    """As picamera2's SensorFormat reads it.

    >>> bit_depth("SRGGB10_CSI2P")
    10
    """
    found = re.search(r"\d+$", raw_format.split("_", maxsplit=1)[0])
    assert found is not None
    return int(found.group())


def raw_modes(sensor: Sensor) -> list[dict[str, Any]]:
    """What libcamera lists for a sensor."""
    return [{"format": f"SRGGB{mode.bit_depth}_CSI2P", "size": mode.size_wh} for mode in sensor.modes]


def score(mode: dict[str, Any], wanted_bits: int, wanted_wh: tuple[int, int]) -> float:
    """How little a mode fits: what is missing counts eight times as much as what is too much."""

    def short(wanted: float, is_there: float) -> float:
        return 2 * (wanted - is_there) if wanted >= is_there else (is_there - wanted) / 4

    (width, height), (there_w, there_h) = wanted_wh, mode["size"]
    shape = short(width / height, there_w / there_h)
    depth = abs(wanted_bits - bit_depth(mode["format"]))
    return short(width, there_w) + short(height, there_h) + 1500 * shape + 500 * depth


class FakeJob:
    """What capture_request(wait=False) and its like give."""

    def __init__(self, *, metadata: bool = False) -> None:
        self.metadata = metadata


class FakeRequest:
    """A completed request; must be released."""

    def __init__(self, camera: "FakePicamera2", image: Any, metadata: dict[str, Any]) -> None:
        self._camera, self._image, self._metadata = camera, image, metadata
        self._released = False
        camera.requests_out += 1

    def make_array(self, name: str) -> Any:
        assert name == "main"
        assert not self._released
        assert self._camera.config["main"]["format"] == "RGB888", "only this format stands as BGR in memory"
        return self._image

    def get_metadata(self) -> dict[str, Any]:
        assert not self._released, "as in the real one"
        return self._metadata

    def release(self) -> None:
        assert not self._released
        self._released = True
        self._camera.requests_out -= 1


class FakeLibcamera:
    """libcamera's camera: one for the whole process, and taken by one at a time."""

    def __init__(self, device: Device) -> None:
        self._device = device

    def acquire(self) -> None:
        if self._device.open_captures:
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        self._device.open_captures = 1

    def release(self) -> None:
        self._device.open_captures = 0


AUTO_AT_ZERO = {"ExposureTime", "AnalogueGain"}
"""Given 0 these are chosen by the camera again; picamera2 sets libcamera's modes for it (its `start_`)."""


class FakePicamera2:
    """One camera, taken and given back in the order of the real one. `device` is set by the factory below."""

    device: Device
    registered: set["FakePicamera2"]

    def __init__(self, camera_num: int = 0) -> None:
        ears, self.notifyme_w = os.pipe2(os.O_NONBLOCK)
        self.notifymeread = os.fdopen(ears, "rb")
        self.is_open = self._started = False
        if camera_num >= len(self.global_camera_info()):
            raise RuntimeError(f"No camera number {camera_num} found")
        self.device.opened = camera_num
        self.config: dict[str, Any] = {}
        self.requests_out = 0
        self._controls: dict[str, Any] = {}
        self._scan = 0
        # A sensor of somebody else has the modes of one that is known here, by another name.
        self._sensor = sensor_of(self.device.model) or SENSORS[0]
        self._crop_max = (0, 0, 0, 0)
        self._shortest_us = 8_323
        self.camera = FakeLibcamera(self.device)
        self.camera.acquire()
        self.is_open = True
        self.device.fail("configurations")
        self.registered.add(self)
        self.device.fail("allocator")
        self.allocator = "a heap of buffers"

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        return [
            {"Model": cls.device.model, "Num": number}
            for number in range(cls.device.cameras * cls.device.plugged)
        ]

    @property
    def _raw(self) -> bool:
        return self.device.model != VIRTUAL

    @property
    def camera_properties(self) -> dict[str, Any]:
        filter_of_colours = {"ColorFilterArrangement": 0} if self._raw else {}
        return {"Model": self.device.model, "PixelArraySize": self._sensor.native_wh} | filter_of_colours

    @property
    def sensor_modes(self) -> list[dict[str, Any]]:
        if not self._raw:
            raise AttributeError(
                "'NoneType' object has no attribute 'at'"
            )  # nothing is made for the role Raw
        found = []
        for told, mode in zip(raw_modes(self._sensor), self._sensor.modes, strict=True):
            self.configure(self.create_video_configuration(raw=told))
            depth = {"bit_depth": mode.bit_depth, "fps": mode.fps}
            found.append(told | depth | {"crop_limits": self.camera_controls["ScalerCrop"][1]})
        return found

    def create_video_configuration(
        self,
        main: dict[str, Any] | None = None,
        raw: dict[str, Any] | None = None,
        controls: dict[str, Any] | None = None,
        buffer_count: int = 6,
        queue: bool = True,  # noqa: FBT001, FBT002 - its own
        sensor: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        self.device.fail("create_video_configuration")
        main = {"format": "XBGR8888", "size": (1280, 720)} | (main or {})
        if bad := main.keys() - {"format", "size", "stride", "preserve_ar"}:
            raise ValueError(f"Bad key {bad}")
        width, height = main["size"]
        main["size"] = (width - width % 2, height - height % 2)
        native = max(raw_modes(self._sensor), key=lambda mode: mode["size"])
        return {
            "main": main,
            "raw": {"format": native["format"], "size": main["size"]} | (raw or {}) if self._raw else None,
            "controls": {"FrameDurationLimits": (33333, 33333)} | (controls or {}),
            "buffer_count": buffer_count,
            "queue": queue,
            "sensor": (sensor or {}) if self._raw else None,
        }

    def configure(self, camera_config: dict[str, Any]) -> None:
        self.device.fail("configure")
        if self._started:
            raise RuntimeError("Camera must be stopped before configuring")
        sensor, raw = camera_config["sensor"], camera_config["raw"]
        if bad := (sensor or {}).keys() - {"bit_depth", "output_size"}:
            raise RuntimeError(f"Unexpected keys {bad} in sensor configuration")
        if camera_config["main"]["format"] not in FORMATS:
            raise RuntimeError(f"Bad format {camera_config['main']['format']} in stream main")
        self.config = dict(camera_config)
        if raw is not None:
            wanted = {"bit_depth": bit_depth(raw["format"]), "output_size": raw["size"]} | sensor
            modes = raw_modes(self._sensor)
            mode = min(modes, key=lambda mode: score(mode, wanted["bit_depth"], wanted["output_size"]))
            chosen = self._sensor.modes[modes.index(mode)]
            self._crop_max, self._shortest_us = chosen.crop_xywh, round(1e6 / chosen.fps)
            self.config["sensor"] = {"bit_depth": bit_depth(mode["format"]), "output_size": mode["size"]}
        self.device.configured = self.config
        self._set(camera_config["controls"])

    def start(self) -> None:
        self.device.fail("start")
        if not self.config:
            raise RuntimeError("Camera has not been configured")
        self._started = True

    def capture_request(self, wait: bool) -> FakeJob:  # noqa: FBT001 - its own
        assert self._started
        assert not wait
        return FakeJob()

    def capture_metadata(self, wait: bool) -> FakeJob:  # noqa: FBT001 - its own
        assert self._started
        assert not wait
        return FakeJob(metadata=True)

    def wait(self, job: FakeJob, timeout: float) -> Any:
        assert timeout > 0
        image = self.device.picture()
        if image is None:
            raise TimeoutError
        metadata = self._metadata()
        return metadata if job.metadata else FakeRequest(self, np.ascontiguousarray(image), metadata)

    def _metadata(self) -> dict[str, Any]:
        """What libcamera says of the next frame."""
        told = self._controls
        seen = {
            "ExposureTime": told.get("ExposureTime", 9998),
            "AnalogueGain": told.get("AnalogueGain", 1.5),
            "ColourGains": told.get("ColourGains", (1.8, 1.4)),
            # As often as was asked for, where the mode can: libcamera clamps the limits without a word.
            "FrameDuration": max(told["FrameDurationLimits"][0], self._shortest_us),
        }
        if self._raw:
            seen["ScalerCrop"] = self._crop()
        # The control is there on every board; only one that has the algorithm tells it with the picture.
        if told.get("HdrMode") and self.device.hdr:
            seen["HdrMode"] = told["HdrMode"]
        if "AfMode" in self.camera_controls:
            seen |= self._focus()
        return seen

    def _crop(self) -> tuple[int, int, int, int]:
        """The largest part of the mode's own that has the shape of the picture, in the middle."""
        left, top, width, height = self._crop_max
        wide, high = whole_crop((width, height), self.config["main"]["size"])
        return left + (width - wide) // 2, top + (height - high) // 2, wide, high

    def _focus(self) -> dict[str, Any]:
        """Moves while it searches; finds what is sharp, or fails where nothing is."""
        if self._controls.get("AfMode", 0) == 0:
            return {"AfState": IDLE, "LensPosition": self._controls.get("LensPosition", 1.0)}
        self._scan += 1
        if self._scan <= SCAN_FRAMES:
            return {"AfState": SCANNING, "LensPosition": float(self._scan)}
        sharp = self.device.sharp_at
        if sharp is None:
            return {"AfState": FAILED, "LensPosition": 1.0}
        return {"AfState": FOCUSED, "LensPosition": sharp}

    def set_controls(self, controls: dict[str, Any]) -> None:
        self._set(controls)
        type(self).device.controls.append(dict(controls))

    def _set(self, controls: dict[str, Any]) -> None:
        limits = self.camera_controls
        for name, value in controls.items():
            if name not in limits:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
            least, most, _ = limits[name]
            values = value if isinstance(value, tuple) else (value,)
            assert all(isinstance(one, type(least)) for one in values), f"{name} is another type"
            let_loose = (name in AUTO_AT_ZERO and value == 0) or name == "FrameDurationLimits"
            assert let_loose or all(least <= one <= most for one in values), (
                f"{name} is clamped to {least} to {most}"
            )
        if controls.get("AfMode", 0) != self._controls.get("AfMode", 0):
            self._scan = 0
        self._controls |= controls
        loose = {name for name in AUTO_AT_ZERO if self._controls.get(name) == 0}
        # With AeEnable what is not named beside it is chosen by the camera again.
        if controls.get("AeEnable") and self.device.heeds_ae_enable:
            loose |= AUTO_AT_ZERO - controls.keys()
        self._controls = {name: value for name, value in self._controls.items() if name not in loose}

    @property
    def camera_controls(self) -> dict[str, Any]:
        """Name -> least, most, default."""
        lens = {"AfMode": (0, 2, 0), "LensPosition": (0.0, 32.0, 1.0)} if self.device.autofocus else {}
        crop = {"ScalerCrop": ((0, 0, 64, 64), self._crop_max, self._crop_max)} if self._raw else {}
        return {
            "FrameDurationLimits": (self._shortest_us, 120_000_000, 33_333),
            "ExposureTime": (26, 220_417_486, 20_000),
            "AeEnable": (False, True, True),
            "AnalogueGain": (1.0, 16.0, 1.0),
            "ColourGains": (0.0, 32.0, None),
            "AwbEnable": (False, True, True),
            "AeExposureMode": (0, 3, 0),
            "AeFlickerMode": (0, 1, 0),
            "AeFlickerPeriod": (100, 1_000_000, None),
            "HdrMode": (0, 4, 0),
            **crop,
            **lens,
        }

    def cancel_all_and_flush(self) -> None:
        """Nothing is pending here."""

    def close(self) -> None:
        assert getattr(self, "requests_out", 0) == 0, "a request was not given back"
        if not self.is_open:
            return
        self.device.fail("close")
        self.camera.release()
        self.registered.remove(self)  # a KeyError for one that was not made to the end, as in the real one
        self.is_open = self._started = False
        self.notifymeread.close()
        os.close(self.notifyme_w)
        del self.allocator


def module(device: Device) -> ModuleType:
    """To stand as `picamera2` in sys.modules."""
    fake = ModuleType("picamera2")
    fake.Picamera2 = type("Picamera2", (FakePicamera2,), {"device": device, "registered": set()})  # type: ignore[attr-defined]
    return fake
