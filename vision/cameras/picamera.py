"""The Raspberry Pi's own camera. The only module that imports picamera2, and only when it is opened."""

import importlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from station.errors import CameraError
from vision.cameras.live import LiveCamera

SIZE_WH = (1280, 720)
FPS = 20
WAIT_S = 2.5


def _picamera2() -> Any:
    """The module. Raises CameraError where it is not installed or cannot work."""
    try:
        return importlib.import_module("picamera2")
    except Exception as error:  # noqa: BLE001 - without libcamera, or with the wrong numpy, it raises what it likes
        raise CameraError(
            f"There is no picamera2 here ({error}); on a Raspberry Pi: sudo apt install python3-picamera2."
        ) from None


def camera_count() -> int:
    """How many cameras picamera2 sees; 0 where there is no picamera2."""
    try:
        return len(_picamera2().Picamera2.global_camera_info())
    except Exception:  # noqa: BLE001 - whatever it is, there is no Pi camera to be used
        return 0


class PicameraSource:
    """A `Source` over picamera2.

    controls: libcamera's controls to hold, such as ExposureTime (microseconds), AnalogueGain,
    ColourGains (red, blue), AfMode and LensPosition; see `PicameraSource.settled`.
    """

    def __init__(
        self, number: int, size_wh: tuple[int, int], fps: float, controls: Mapping[str, Any] | None = None
    ) -> None:
        self._number, self._size_wh, self._fps = number, size_wh, fps
        self._controls = dict(controls or {})
        self._picam: Any = None

    def open(self) -> None:
        """Open the camera in a video mode that keeps its field of view; raises CameraError."""
        module = _picamera2()
        try:
            self._picam = module.Picamera2(self._number)
            period_us = round(1e6 / self._fps)
            # "RGB888" names the bytes from the highest down: in memory they stand blue, green, red.
            # No queue: a frame is one that was taken after it was asked for.
            config = self._picam.create_video_configuration(
                main={"format": "RGB888", "size": self._size_wh},
                controls={"FrameDurationLimits": (period_us, period_us), **self._controls},
                buffer_count=4,
                queue=False,
            )
            self._picam.configure(config)
            self._picam.start()
        except (RuntimeError, IndexError, OSError, ValueError) as error:
            self.close()
            raise CameraError(
                f"The Pi camera {self._number} cannot be opened ({error}); check its ribbon cable, "
                "and that no other program uses it."
            ) from None

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

    def close(self) -> None:
        """Give the camera back."""
        picam, self._picam = self._picam, None
        if picam is not None:
            picam.close()


def pi_camera(
    number: int = 0,
    *,
    size_wh: tuple[int, int] = SIZE_WH,
    fps: float = FPS,
    controls: Mapping[str, Any] | None = None,
    **settings: Any,
) -> LiveCamera:
    """The Pi camera of that number."""
    return LiveCamera(
        lambda: PicameraSource(number, size_wh, fps, controls), f"Pi camera {number}", **settings
    )
