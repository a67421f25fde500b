"""Calibration over HTTP, and its page: `/setup/calibrate` and `/api/v1/calibration`.

Looking is everybody's; what changes something is the host's where there is one, deleting the host's alone.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from flask import Blueprint, Response, render_template

from calibration import target
from messages.errors import FailedError
from station.camera.calibration_report import CalibrationReport
from station.camera.calibrator import Calibrator
from station.contract.area import Area, MarkArea
from station.contract.fields import Body
from station.game.feature import areas
from station.screens.bounds import Kind
from station.screens.room import Room
from web.calibration.calibration_requests import (
    CalibrationStep,
    ChooseProfile,
    EmptyTray,
    FindTray,
    SaveProfile,
    ThrowShows,
)
from web.core.application import named
from web.core.endpoints import endpoint
from web.core.i18n import sentence
from web.join.seats import source, token


def create(calibration: Calibrator | None, room: Room) -> tuple[Blueprint, Blueprint]:
    """The blueprints: what can be looked at, and what the host does. None: nothing here to calibrate."""
    return _looking(calibration), _doing(calibration, room)


def _there(calibration: Calibrator | None) -> Calibrator:
    if calibration is None:
        raise FailedError("calibration/none")
    return calibration


def _looking(calibration: Calibrator | None) -> Blueprint:
    pages = Blueprint("calibrating", __name__)

    @pages.get("/setup/calibrate")
    def page() -> str:
        return render_template("calibrate.html")

    @pages.get("/api/v1/calibration")
    @endpoint(errors=(503,))
    def state() -> CalibrationReport:
        """What is known of camera and tray."""
        return _there(calibration).state()

    @pages.get("/api/v1/calibration/frame.jpg")
    @endpoint(gives="Live.", kind="image/jpeg", errors=(503,))
    def frame() -> Response:
        """The picture, nothing drawn in."""
        jpeg = _there(calibration).frame_jpeg()
        if jpeg is None:
            raise FailedError("camera/no_frame")
        return Response(jpeg, mimetype="image/jpeg")

    @pages.get("/api/v1/calibration/page.pdf")
    @endpoint(gives="A4.", kind="application/pdf")
    def pdf() -> Response:
        """Markers and lens board to print."""
        return named(Response(target.pdf(sentence), mimetype="application/pdf"), "yacht-calibration.pdf")

    @pages.get("/api/v1/calibration/page.svg")
    @endpoint(gives="A4.", kind="image/svg+xml")
    def svg() -> Response:
        """The same as SVG."""
        return Response(target.svg(sentence), mimetype="image/svg+xml")

    return pages


def _mark(area: Area, calibration: Calibrator, wanted: MarkArea) -> CalibrationReport:
    return calibration.mark(area, wanted.corners)


def _doing(calibration: Calibrator | None, room: Room) -> Blueprint:
    api = Blueprint("calibration", __name__, url_prefix="/api/v1/calibration")

    def step(
        path: str, about: str, body: type[Body], do: Callable[[Calibrator, Any], CalibrationReport]
    ) -> None:
        @endpoint(body=body, summary=about, errors=(403, 422, 503))
        def answer(wanted: Any) -> CalibrationReport:
            room.check_settings(token())
            return do(_there(calibration), wanted)

        api.add_url_rule(path, endpoint=path.strip("/"), view_func=answer, methods=["POST"])

    def admit(key: str, there: Sequence[str]) -> None:
        room.bounds.admit(Kind.PICTURE, dict.fromkeys(there, 0), key, 0, address=source())

    step(
        "/tray",
        "1. Find the tray: four markers, or corners by hand",
        FindTray,
        lambda it, body: it.find_tray(body.corners, body.width_mm, body.marker_mm),
    )
    step(
        "/empty",
        "2. Learn the empty tray; 3. judge the light",
        EmptyTray,
        lambda it, body: it.learn_empty(surely_empty=body.surely_empty),
    )
    step("/dice", "4. Know the dice that lie in the tray", CalibrationStep, lambda it, _: it.learn_dice())
    step("/save", "Keep the profile and use it", SaveProfile, lambda it, body: it.save(body.name, admit))
    for area in areas():
        step(f"/{area.step}", area.summary, area.takes, partial(_mark, area))
    step("/view", "5. One view of the lens board", CalibrationStep, lambda it, _: it.add_view())
    step(
        "/lens",
        "5. Work the lens out; find the tray after that",
        CalibrationStep,
        lambda it, _: it.solve_lens(),
    )
    step("/forget-views", "5. Begin the views anew", CalibrationStep, lambda it, _: it.forget_views())
    step("/throw", "6. Read the throw that lies in the tray", CalibrationStep, lambda it, _: it.read_throw())
    step(
        "/check",
        "6. Say what the dice of that throw show",
        ThrowShows,
        lambda it, body: it.check(body.faces, body.missed),
    )
    step("/repair", "After a bump: let the profile follow", CalibrationStep, lambda it, _: it.repair())
    step(
        "/relearn",
        "Under another light: learn the empty tray again, use it",
        EmptyTray,
        lambda it, body: it.relearn(surely_empty=body.surely_empty),
    )
    step(
        "/choose",
        "Use another profile; null: the one the picture shows",
        ChooseProfile,
        lambda it, body: it.choose(body.key),
    )

    @api.delete("/profiles/<name>")
    @endpoint(errors=(403, 422, 503))
    def forget(name: str) -> CalibrationReport:
        """Delete a profile."""
        room.check_host(token())
        return _there(calibration).forget(name)

    return api
