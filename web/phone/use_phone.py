"""Whether a phone is the camera, over HTTP: `/api/v1/camera`."""

from dataclasses import dataclass

from flask import Blueprint

from messages.errors import FailedError
from station.camera.camera_choice import CameraChoice
from station.contract.fields import Body, Flag
from station.screens.room import Room
from web.core.endpoints import endpoint
from web.join.seats import token


class ChooseCamera(Body):
    """Whether a phone is to be the camera."""

    phone: Flag


@dataclass(frozen=True, slots=True)
class CameraReport:
    """Which camera is looked through.

    phone: whether it is a phone. switchable: whether the host may choose; not where the settings name a
    phone.
    """

    phone: bool
    switchable: bool


def create(choice: CameraChoice | None, room: Room) -> Blueprint:
    """The blueprint; to look is everybody's, to choose the host's where there is one."""
    pages = Blueprint("use_phone", __name__)

    @pages.app_template_global("camera_choice")
    def report() -> CameraReport:
        return CameraReport(choice is not None and choice.phone, choice is not None and choice.switchable)

    @pages.get("/api/v1/camera")
    @endpoint()
    def now() -> CameraReport:
        """Whether a phone is the camera."""
        return report()

    @pages.post("/api/v1/camera")
    @endpoint(errors=(403, 503))
    def choose(wanted: ChooseCamera) -> CameraReport:
        """Look through a phone from now on, or through the camera of the settings again."""
        room.check_settings(token())
        if choice is None:
            raise FailedError("camera/no_settings")
        choice.choose(phone=wanted.phone)
        return report()

    return pages
