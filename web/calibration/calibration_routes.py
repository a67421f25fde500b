"""Calibration over HTTP, and its page: `/setup/calibrate` and `/api/v1/calibration`.

Looking is everybody's; what changes something is the host's where there is one.
"""

from collections.abc import Callable
from typing import Any, Protocol

from flask import Blueprint, Response, jsonify, render_template

from calibration import target
from messages.errors import FailedError
from station.camera.calibration_report import CalibrationReport
from station.contract.fields import Body
from station.contract.view import as_json
from station.screens.room import Room
from web.calibration.calibration_requests import (
    CalibrationStep,
    ChooseProfile,
    EmptyTray,
    FindTray,
    SaveProfile,
    ThrowShows,
)
from web.core.i18n import language, tell
from web.core.json_body import json_body
from web.join.seats import token


class Calibration(Protocol):
    """What the station can do about calibration; each gives the whole state of it.

    Raises RefusalError for a step that cannot be (nothing has changed then), FailedError for camera and disk.
    """

    def state(self) -> CalibrationReport:
        """What is known."""

    def frame_jpeg(self) -> bytes | None:
        """The newest picture with nothing drawn in."""

    def find_tray(
        self,
        corners: list[tuple[float, float]] | None = None,
        width_mm: float | None = None,
        marker_mm: float | None = None,
    ) -> CalibrationReport:
        """CalibrationStep 1."""

    def learn_empty(self, *, surely_empty: bool = False) -> CalibrationReport:
        """Steps 2 and 3."""

    def learn_dice(self) -> CalibrationReport:
        """CalibrationStep 4."""

    def save(self, name: str) -> CalibrationReport:
        """Keep it and use it."""

    def add_view(self) -> CalibrationReport:
        """CalibrationStep 5, one view of the board."""

    def solve_lens(self) -> CalibrationReport:
        """CalibrationStep 5, its end."""

    def forget_views(self) -> CalibrationReport:
        """CalibrationStep 5 from its beginning."""

    def read_throw(self) -> CalibrationReport:
        """Step 6: read."""

    def check(self, faces: list[int | None], missed: tuple[int, ...]) -> CalibrationReport:
        """Step 6: nod or correct. None: no die. missed: dice that were not read."""

    def repair(self) -> CalibrationReport:
        """Follow the camera to where it looks now."""

    def relearn(self, *, surely_empty: bool = False) -> CalibrationReport:
        """The empty tray again, all else stays."""

    def choose(self, key: str | None = None) -> CalibrationReport:
        """Use another profile."""

    def forget(self, key: str) -> CalibrationReport:
        """Delete a profile."""


def create(calibration: Calibration | None, room: Room) -> tuple[Blueprint, Blueprint]:
    """The blueprints: what can be looked at, and what the host does. None: nothing here to calibrate."""
    return _looking(calibration), _doing(calibration, room)


def _there(calibration: Calibration | None) -> Calibration:
    if calibration is None:
        raise FailedError("calibration/none")
    return calibration


def _looking(calibration: Calibration | None) -> Blueprint:
    pages = Blueprint("calibrating", __name__)

    @pages.get("/setup/calibrate")
    def page() -> str:
        return render_template("calibrate.html")

    @pages.get("/api/v1/calibration")
    def state() -> Response:
        return jsonify(as_json(_there(calibration).state(), language()))

    @pages.get("/api/v1/calibration/frame.jpg")
    def frame() -> Response:
        jpeg = _there(calibration).frame_jpeg()
        if jpeg is None:
            raise FailedError("camera/no_frame")
        return Response(jpeg, mimetype="image/jpeg")

    @pages.get("/api/v1/calibration/page.pdf")
    def pdf() -> Response:
        response = Response(target.pdf(tell), mimetype="application/pdf")
        response.headers["Content-Disposition"] = 'inline; filename="yacht-calibration.pdf"'
        return response

    @pages.get("/api/v1/calibration/page.svg")
    def svg() -> Response:
        return Response(target.svg(tell), mimetype="image/svg+xml")

    return pages


def _doing(calibration: Calibration | None, room: Room) -> Blueprint:
    api = Blueprint("calibration", __name__, url_prefix="/api/v1/calibration")

    def step(path: str, body: type[Body], do: Callable[[Calibration, Any], CalibrationReport]) -> None:
        def answer() -> Response:
            room.check_host(token())
            wanted = body.model_validate(json_body())
            return jsonify(as_json(do(_there(calibration), wanted), language()))

        api.add_url_rule(path, endpoint=path.strip("/").replace("/", "_"), view_func=answer, methods=["POST"])

    step("/tray", FindTray, lambda it, told: it.find_tray(told.corners, told.width_mm, told.marker_mm))
    step("/empty", EmptyTray, lambda it, told: it.learn_empty(surely_empty=told.surely_empty))
    step("/dice", CalibrationStep, lambda it, _: it.learn_dice())
    step("/save", SaveProfile, lambda it, told: it.save(told.name))
    step("/view", CalibrationStep, lambda it, _: it.add_view())
    step("/lens", CalibrationStep, lambda it, _: it.solve_lens())
    step("/forget-views", CalibrationStep, lambda it, _: it.forget_views())
    step("/throw", CalibrationStep, lambda it, _: it.read_throw())
    step("/check", ThrowShows, lambda it, told: it.check(told.faces, told.missed))
    step("/repair", CalibrationStep, lambda it, _: it.repair())
    step("/relearn", EmptyTray, lambda it, told: it.relearn(surely_empty=told.surely_empty))
    step("/choose", ChooseProfile, lambda it, told: it.choose(told.key))

    @api.delete("/profiles/<name>")
    def forget(name: str) -> Response:
        room.check_host(token())
        return jsonify(as_json(_there(calibration).forget(name), language()))

    return api
