"""From the words after --camera to a camera."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2

from messages.errors import BadInputError, CameraError
from vision.cameras.capture import stream_camera, usb_camera, usb_numbers
from vision.cameras.picamera import camera_count, pi_camera
from vision.cameras.recorded import PICTURES, VIDEOS, stills, video
from vision.frame import Camera


def open_real_camera(
    spec: str,
    *,
    simulated: Callable[[], Camera],
    fps: float = 15.0,
    paced: bool = False,
    controls: Sequence[tuple[str, float]] = (),
) -> Camera:
    """The camera that `spec` names, not started yet; `simulated` makes the one that stands in for a real one.

    spec: ``auto|picamera|usb:N|URL|PATH|simulated``. ``auto`` takes a Pi camera, else the first USB camera
    that gives a picture, else the simulated tray; its `name` says which. fps: of a folder of stills. paced:
    recordings take the time they took when they were filmed. controls: settings for a Pi or USB camera to
    hold, from a profile.

    Raises BadInputError when `spec` names nothing that can be (its sentence says what there is).
    Whether a camera answers is found out by its `start`.
    """
    spec = spec.strip()
    if spec == "auto":
        return _first_that_works(controls) or simulated()
    if spec == "simulated":
        return simulated()
    if spec == "picamera":
        return pi_camera(controls=controls)
    if spec.startswith("usb:"):
        number = spec.removeprefix("usb:")
        if not re.fullmatch(r"\d{1,3}", number):
            raise BadInputError("camera/usb_number", spec=spec)
        _quiet()
        return usb_camera(int(number), controls=controls)
    if "://" in spec:
        _quiet()
        return stream_camera(spec)
    return _recording(spec, fps=fps, paced=paced)


def _recording(spec: str, *, fps: float, paced: bool) -> Camera:
    path = Path(spec).expanduser()
    if spec and path.is_dir():
        return stills(path, fps=fps, paced=paced)
    if not spec or not path.exists():
        raise BadInputError("camera/unknown", spec=spec)
    _quiet()
    if path.suffix.lower() in PICTURES:
        return stills(path, fps=fps, paced=paced)
    if path.suffix.lower() in VIDEOS:
        return video(path, paced=paced)
    raise BadInputError("camera/unknown_file", file=path.name)


def _first_that_works(controls: Sequence[tuple[str, float]]) -> Camera | None:
    if camera_count():
        return pi_camera(controls=controls)
    _quiet()
    for number in usb_numbers():
        camera = usb_camera(number, controls=controls)
        try:
            with camera:
                if camera.read(timeout_s=3.0) is not None:
                    return camera
        except CameraError:
            continue  # busy or broken: the next one may do
    return None


def _quiet() -> None:
    """Keep OpenCV's own complaints off the terminal: what matters is said in a sentence of ours."""
    cv2.setLogLevel(0)
