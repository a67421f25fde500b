"""How camera, tray and lamp stand before anything is calibrated: `/setup/mounting` and `/api/v1/mounting`."""

from flask import Blueprint, render_template

from messages.errors import FailedError
from station.camera.calibrator import Calibrator
from station.camera.mounting_assistant import MountingAssistant, MountingReport
from station.screens.room import Room
from web.calibration.calibration_requests import CalibrationStep
from web.core.endpoints import endpoint
from web.join.seats import token


def create(calibration: Calibrator | None, room: Room) -> Blueprint:
    """The blueprint: to look is everybody's, to let the camera choose anew the host's where there is one."""
    pages = Blueprint("mounting", __name__)

    def assistant() -> MountingAssistant:
        if calibration is None:
            raise FailedError("calibration/none")
        return calibration.mounting

    @pages.get("/setup/mounting")
    def page() -> str:
        return render_template("mounting.html")

    @pages.get("/api/v1/mounting")
    @endpoint(errors=(503,))
    def look() -> MountingReport:
        """How camera, tray and lamp stand, line by line."""
        return assistant().look()

    @pages.post("/api/v1/mounting")
    @endpoint(errors=(403, 503))
    def begin(_body: CalibrationStep) -> MountingReport:
        """Let the camera choose light and focus anew."""
        room.check_settings(token())
        return assistant().begin()

    return pages
