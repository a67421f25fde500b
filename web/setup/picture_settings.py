"""The settings of the camera's picture over HTTP: `/api/v1/picture`."""

from dataclasses import dataclass

from flask import Blueprint

from messages.errors import FailedError
from messages.message import Message
from station.camera.picture_choice import PictureChoice
from station.config import Picture
from station.contract.view import Text
from station.screens.room import Room
from web.core.endpoints import endpoint
from web.join.seats import token


@dataclass(frozen=True, slots=True)
class PictureReport:
    """What is made of the picture.

    available: whether this camera has settings. chosen: here, and not in the settings file. size: width and
    height before the picture is turned, null for what the camera usually has; fps and exposure_ms likewise.
    number: of the camera, null for the one that the settings name. refused: what the camera cannot do of it.
    """

    available: bool
    chosen: bool
    size: tuple[int, int] | None
    fps: float | None
    rotation: int
    mirrored: bool
    flicker_hz: int
    hdr: bool
    exposure: str
    exposure_ms: float | None
    number: int | None
    refused: tuple[Text, ...]


def report(choice: PictureChoice | None) -> PictureReport:
    """Of a camera that has settings, or none."""
    now = Picture() if choice is None else choice.now
    refused = () if choice is None else choice.refused()
    return PictureReport(
        available=choice is not None and choice.use is not None,
        chosen=choice is not None and choice.chosen,
        **now.model_dump(),
        refused=tuple(Message(f"camera/picture/{name}") for name in refused),
    )


def create(choice: PictureChoice | None, room: Room) -> Blueprint:
    """The blueprint; to look is everybody's, to change the host's where there is one."""
    api = Blueprint("picture", __name__, url_prefix="/api/v1")

    def there() -> PictureChoice:
        room.check_settings(token())
        if choice is None:
            raise FailedError("camera/no_settings")
        return choice

    @api.get("/picture")
    @endpoint()
    def now() -> PictureReport:
        """What is made of the camera's picture."""
        return report(choice)

    @api.post("/picture")
    @endpoint(errors=(403, 503))
    def choose(wanted: Picture) -> PictureReport:
        """Make something else of it; the camera is opened anew."""
        there().choose(wanted)
        return report(choice)

    @api.delete("/picture")
    @endpoint(errors=(403, 503))
    def forget() -> PictureReport:
        """As the settings file says again."""
        there().forget()
        return report(choice)

    return api
