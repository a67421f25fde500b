"""From the words after --camera to a camera."""

import re
from collections.abc import Callable
from pathlib import Path

from messages.errors import BadInputError, CameraError
from pictures.files import is_picture
from vision.cameras.capture import usb_camera
from vision.cameras.live import FIRST_S
from vision.cameras.network import stream_camera
from vision.cameras.phone import PhoneCamera
from vision.cameras.picamera import camera_count, pi_camera
from vision.cameras.recorded import VIDEOS, stills, video
from vision.cameras.usb_devices import usb_devices
from vision.cameras.wanted import AS_IT_COMES, CaptureSettings
from vision.frame import Camera


def open_real_camera(
    spec: str,
    *,
    simulated: Callable[[], Camera],
    paced: bool = False,
    wanted: CaptureSettings = AS_IT_COMES,
) -> Camera:
    """The camera that `spec` names, not started yet; `simulated` makes the one that stands in for a real one.

    spec: ``auto|picamera|picamera:N|usb:N|phone|URL|PATH|simulated``. ``auto`` takes a Pi camera, else the
    first USB camera that gives a picture, else the simulated tray; its `name` says which. paced: recordings
    take the time they took when they were filmed. wanted: settings of the picture of a live camera;
    recordings and the simulated tray are as they are.

    Raises BadInputError when `spec` names nothing that can be (its sentence says what there is).
    Whether a camera answers is found out by its `start`.
    """
    spec = spec.strip()
    if spec in {"auto", "simulated"}:
        return (_first_that_works(wanted) if spec == "auto" else None) or simulated()
    if spec == "phone":
        return PhoneCamera(wanted=wanted)
    kind, _, number = spec.partition(":")
    if kind == "picamera":
        if not re.fullmatch(r"\d?", number) or spec == "picamera:":
            raise BadInputError("camera/pi_number", spec=spec)
        return pi_camera(int(number or 0), wanted=wanted)
    if kind == "usb":
        if not re.fullmatch(r"\d{1,3}", number):
            raise BadInputError("camera/usb_number", spec=spec)
        return usb_camera(int(number), wanted=wanted)
    if "://" in spec:
        return stream_camera(spec, wanted=wanted)
    return _recording(spec, paced=paced)


def _recording(spec: str, *, paced: bool) -> Camera:
    path = Path(spec).expanduser()
    if spec and path.is_dir():
        return stills(path, paced=paced)
    if not spec or not path.exists():
        raise BadInputError("camera/unknown", spec=spec)
    if path.suffix.lower() in VIDEOS:
        return video(path, paced=paced)
    if is_picture(path):
        return stills(path, paced=paced)
    raise BadInputError("camera/unknown_file", file=path.name)


def _first_that_works(wanted: CaptureSettings) -> Camera | None:
    if camera_count():
        return pi_camera(wanted=wanted)
    for number in usb_devices():
        camera = usb_camera(number, wanted=wanted)
        try:
            with camera:
                if camera.read(FIRST_S) is not None:
                    return camera
        except CameraError:
            continue  # busy or broken: the next one may do
    return None
