"""As much of picamera2 as the adapter uses, over a `Device`: names and parameters as in the real one.

`test_picamera.py` checks both the adapter and this stand-in against the real source's signatures.
"""

import os
from types import ModuleType
from typing import Any

import numpy as np

from tests.cameras.worlds import Device


class FakeJob:
    """What capture_request(wait=False) and its like give."""

    metadata: dict[str, Any] | None = None


class FakeRequest:
    """A completed request; must be released."""

    def __init__(self, camera: "FakePicamera2", image: Any) -> None:
        self._camera, self._image = camera, image
        camera.requests_out += 1

    def make_array(self, name: str) -> Any:
        assert name == "main"
        assert self._camera.config["main"]["format"] == "RGB888", "only this format stands as BGR in memory"
        return self._image

    def release(self) -> None:
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
        self.config: dict[str, Any] = {}
        self.requests_out = 0
        self.camera = FakeLibcamera(self.device)
        self.camera.acquire()
        self.is_open = True
        self.device.fail("configurations")
        self.registered.add(self)
        self.device.fail("allocator")
        self.allocator = "a heap of buffers"

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        return [{"Model": "imx708", "Num": 0}] if cls.device.plugged else []

    def create_video_configuration(
        self,
        main: dict[str, Any],
        controls: dict[str, Any],
        buffer_count: int,
        queue: bool,  # noqa: FBT001 - its own
    ) -> dict[str, Any]:
        self.device.fail("create_video_configuration")
        return {"main": main, "controls": controls, "buffer_count": buffer_count, "queue": queue}

    def configure(self, camera_config: dict[str, Any]) -> None:
        self.device.fail("configure")
        self.config = camera_config

    def start(self) -> None:
        self.device.fail("start")
        self._started = True

    def capture_request(self, wait: bool) -> FakeJob:  # noqa: FBT001 - its own
        assert self._started
        assert not wait
        return FakeJob()

    def wait(self, job: FakeJob, timeout: float) -> Any:
        assert timeout > 0
        if job.metadata is not None:
            return job.metadata
        image = self.device.picture()
        if image is None:
            raise TimeoutError
        return FakeRequest(self, np.ascontiguousarray(image))

    def capture_metadata(self, wait: bool) -> "FakeJob":  # noqa: FBT001 - its own
        assert not wait
        job = FakeJob()
        job.metadata = {
            "ExposureTime": 9998,
            "AnalogueGain": 1.5,
            "ColourGains": (1.8, 1.4),
            "LensPosition": 2.5,
        }
        return job

    def set_controls(self, controls: dict[str, Any]) -> None:
        assert set(controls) <= set(self.camera_controls), "not advertised by libcamera"
        type(self).device.controls.append(dict(controls))

    @property
    def camera_controls(self) -> dict[str, Any]:
        return dict.fromkeys(
            [
                "ExposureTime",
                "AeEnable",
                "AnalogueGain",
                "ColourGains",
                "AwbEnable",
                *type(self).device.lens_controls,
            ]
        )

    def cancel_all_and_flush(self) -> None:
        """Nothing is pending here."""

    def close(self) -> None:
        assert getattr(self, "requests_out", 0) == 0, "a request was not given back"
        if not self.is_open:
            return
        self.device.fail("close")
        self.camera.release()
        self.registered.remove(self)  # a KeyError for one that was not made to the end, as in the real one
        self.is_open = False
        self.notifymeread.close()
        os.close(self.notifyme_w)
        del self.allocator


def module(device: Device) -> ModuleType:
    """To stand as `picamera2` in sys.modules."""
    fake = ModuleType("picamera2")
    fake.Picamera2 = type("Picamera2", (FakePicamera2,), {"device": device, "registered": set()})  # type: ignore[attr-defined]
    return fake
