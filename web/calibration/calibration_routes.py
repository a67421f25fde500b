"""Calibration over HTTP, and its page: `/setup/calibrate` and `/api/v1/calibration`.

Looking is everybody's; what changes something is the host's where there is one.
"""

from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, jsonify, render_template

from calibration import target
from messages.errors import FailedError
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

if TYPE_CHECKING:
    from collections.abc import Callable

    from station.camera.calibration_report import CalibrationReport
    from station.camera.calibrator import Calibrator


def create(calibration: "Calibrator | None", room: Room) -> tuple[Blueprint, Blueprint]:
    """The blueprints: what can be looked at, and what the host does. None: nothing here to calibrate."""
    return _looking(calibration), _doing(calibration, room)


def _there(calibration: "Calibrator | None") -> "Calibrator":
    if calibration is None:
        raise FailedError("calibration/none")
    return calibration


def _looking(calibration: "Calibrator | None") -> Blueprint:
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


def _doing(calibration: "Calibrator | None", room: Room) -> Blueprint:
    api = Blueprint("calibration", __name__, url_prefix="/api/v1/calibration")

    def step(path: str, body: type[Body], do: "Callable[[Calibrator, Any], CalibrationReport]") -> None:
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
