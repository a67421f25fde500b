"""Https with a certificate that the station makes: `/api/v1/https`, and the code of the camera page."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Protocol

from flask import Blueprint, Response, abort

from messages.errors import FailedError
from station.contract.fields import Body
from station.screens.room import Room
from web.core.endpoints import endpoint
from web.join.seats import token
from web.setup.setup_pages import qr_svg

CAMERA = "/camera"
"""The page of a phone that is the camera."""


class Https(Protocol):
    """The port of https.

    makes_own: whether it can be switched here. secure_address: where phones find it; None without https.
    switch: open it with a certificate made for it, or close it; raises FailedError with a sentence.
    """

    @property
    def makes_own(self) -> bool: ...  # noqa: D102 - above

    @property
    def secure_address(self) -> str | None: ...  # noqa: D102 - above

    def switch(self, *, on: bool) -> None: ...  # noqa: D102 - above


class HttpsSwitch(Body):
    """Whether there is to be https."""

    on: bool


@dataclass(frozen=True, slots=True)
class HttpsReport:
    """Whether there is https.

    switchable: whether the host may switch it; not where the settings name a certificate. camera: address of
    the page that makes a phone the camera; null without https.
    """

    on: bool
    switchable: bool
    camera: str | None


def camera_address(https: Https | None) -> str | None:
    """Where a phone becomes the camera; None without https."""
    return None if https is None or https.secure_address is None else https.secure_address + CAMERA


def create(https: Https | None, room: Room) -> Blueprint:
    """The blueprint; to look is everybody's, to switch the host's where there is one."""
    pages = Blueprint("https", __name__)

    @pages.app_template_global("https")
    def report() -> HttpsReport:
        camera = camera_address(https)
        return HttpsReport(camera is not None, https is not None and https.makes_own, camera)

    @pages.get("/api/v1/https")
    @endpoint()
    def now() -> HttpsReport:
        """Whether there is https."""
        return report()

    @pages.post("/api/v1/https")
    @endpoint(errors=(403, 503))
    def switch(wanted: HttpsSwitch) -> HttpsReport:
        """Open its port with a certificate made by the station, or close it; pages by http go on."""
        room.check_settings(token())
        if https is None:
            raise FailedError("https/of-settings")
        https.switch(on=wanted.on)
        return report()

    @pages.get("/camera.svg")
    def code() -> Response:
        address = camera_address(https) or abort(HTTPStatus.NOT_FOUND)
        return Response(qr_svg(address), mimetype="image/svg+xml")

    return pages
