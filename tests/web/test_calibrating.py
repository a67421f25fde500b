"""Calibration over HTTP: what is asked, what is handed on, who may, and how it refuses."""

from typing import Any

import pytest

from calibration.light import Complaint, LightReport
from calibration.profile import LightFigures
from calibration.session import Sureness
from messages.errors import CameraError, RefusalError
from messages.message import Message
from station.camera.calibration_report import CalibrationReport, check_report, lens_report, lighting_report
from station.camera.mounting_assistant import MountingLineReport, MountingReport
from station.game.feature import areas
from station.screens.bounds import LIMITS, Kind
from tests.web.helpers import JPEG, Stage
from tests.web.hosting import become_host

STEPS: dict[str, dict[str, Any]] = {
    "tray": {},
    "empty": {},
    "dice": {},
    "save": {"name": "kitchen"},
    **{area.step: {"corners": [[0, 0], [9, 0], [9, 9]]} for area in areas()},
    "view": {},
    "lens": {},
    "forget-views": {},
    "throw": {},
    "check": {"faces": [1, 2, 3]},
    "repair": {},
    "relearn": {},
    "choose": {},
}


def report(message: Message) -> CalibrationReport:
    """The state before the first step."""
    return CalibrationReport(
        camera="Pi camera 0",
        simulated=False,
        size_wh=None,
        dice_expected=5,
        message=message,
        active=None,
        profiles=(),
        tray=None,
        empty=False,
        light=lighting_report(LightReport((Complaint.DARK,), LightFigures(20.0, 1.0, 2.0)), ""),
        dice=None,
        saved=False,
        lens=lens_report((), None, None),
        check=check_report(Sureness(), None),
        parts=tuple(area.view(None) for area in areas()),
    )


class Recorded:
    """Notes what the pages ask for; refuses or fails when told to."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self.error: Exception | None = None

    def __getattr__(self, name: str) -> Any:
        def note(*given: Any, **named: Any) -> CalibrationReport:
            self.asked.append((name, given, named))
            if self.error:
                raise self.error
            return report(Message("calibration/profile/used", name=name))

        return note

    def frame_jpeg(self) -> bytes:
        return JPEG

    @property
    def mounting(self) -> "Recorded":
        return self

    def look(self) -> MountingReport:
        self.asked.append(("look", (), {}))
        line = MountingLineReport("still", "good", (Message("calibration/mounting/still"),))
        return MountingReport(
            camera="Pi camera 0",
            simulated=False,
            size_wh=(1280, 720),
            outline=None,
            spots=(),
            lines=(line,),
            good=True,
            next=line.messages,
        )

    def begin(self) -> MountingReport:
        self.asked.append(("begin", (), {}))
        return self.look()


@pytest.fixture
def calibration() -> Recorded:
    return Recorded()


@pytest.fixture
def home(calibration: Recorded) -> Stage:
    return Stage(calibration=calibration)


def ask(stage: Stage, step: str, body: dict[str, Any] | None = None) -> Any:
    return stage.client.post(f"/api/v1/calibration/{step}", json=STEPS[step] if body is None else body)


@pytest.mark.parametrize("step", STEPS)
def test_every_step_answers_with_the_whole_of_it(home: Stage, calibration: Recorded, step: str):
    answer = ask(home, step)
    assert answer.status_code == 200
    found = answer.get_json()
    assert found["message"] == f"The profile “{calibration.asked[-1][0]}” is in use now."
    assert (found["lens"]["grid"], found["tray"], found["light"]["held"]) == ([4, 3], None, "")


def test_the_report_is_told_in_the_language_of_the_screen(home: Stage):
    home.client.set_cookie("language", "de")
    found = home.client.get("/api/v1/calibration").get_json()
    assert found["check"]["message"] == "Noch ist nichts geprüft."
    assert found["light"]["complaints"] == [
        {
            "id": "dark",
            "what": "Die Schale ist zu dunkel.",
            "advice": "Schalte eine Lampe ein, oder belichte länger.",
        }
    ]


def test_the_report_is_what_the_description_says(home: Stage):
    schemas = home.client.get("/api/v1/openapi.json").get_json()["components"]["schemas"]
    found = home.client.get("/api/v1/calibration").get_json()
    for part, schema in (
        (found, "CalibrationReport"),
        (found["lens"], "LensProgressReport"),
        (found["check"], "CheckReport"),
    ):
        assert set(part) == set(schemas[schema]["properties"])
    assert schemas["CalibrationReport"]["properties"]["message"]["type"] == "string"


def test_everybody_sees_how_the_camera_stands_and_the_host_has_it_choose_anew(
    home: Stage, calibration: Recorded
):
    home.client.set_cookie("language", "de")
    assert home.client.get("/api/v1/mounting").get_json()["lines"] == [
        {"id": "still", "standing": "good", "messages": ["Die Kamera hängt ruhig."]}
    ]
    assert home.client.post("/api/v1/mounting", json={}).get_json()["next"] == ["Die Kamera hängt ruhig."]
    assert [name for name, _, _ in calibration.asked] == ["look", "begin", "look"]
    become_host(home.app.test_client())
    assert home.client.post("/api/v1/mounting", json={}).status_code == 403
    assert home.client.get("/api/v1/mounting").status_code == 200


def test_corners_and_width_are_handed_on(home: Stage, calibration: Recorded):
    corners = [[10, 20], [300.5, 20], [300, 200], [10, 200]]
    assert ask(home, "tray", {"corners": corners, "width_mm": 240}).status_code == 200
    assert calibration.asked == [("find_tray", ([tuple(point) for point in corners], 240.0, None), {})]


@pytest.mark.parametrize(
    ("step", "body"),
    [
        ("tray", {"corners": [[1, 2], [3, 4], [5, 6]], "width_mm": 240}),
        ("tray", {"width_mm": -1}),
        ("tray", {"colour": "red"}),
        ("empty", {"surely_empty": "yes"}),
        ("save", {"name": "   "}),
        ("save", {"name": "x" * 41}),
        ("check", {"faces": [7]}),
        ("check", {"faces": [1], "missed": [0]}),
        ("check", {"faces": [1], "missed": [None]}),
        ("check", {}),
        ("dice", {"count": 5}),
    ],
)
def test_nonsense_is_not_handed_on(home: Stage, calibration: Recorded, step: str, body: dict[str, Any]):
    answer = ask(home, step, body)
    assert answer.status_code == 400
    assert answer.get_json()["error"]["code"] == "request/invalid"
    assert calibration.asked == []


def test_a_step_that_cannot_be_is_refused_in_the_one_shape(home: Stage, calibration: Recorded):
    calibration.error = RefusalError("calibration/marker/none", code="calibration/tray")
    answer = ask(home, "tray")
    assert answer.status_code == 422
    told = "No marker can be seen; lay the four markers into the tray's corners and switch on a light."
    assert answer.get_json() == {"error": {"code": "calibration/tray", "message": told}}
    calibration.error = CameraError("camera/no_pictures", camera="Pi camera 0")
    assert ask(home, "tray").status_code == 503


@pytest.mark.parametrize("step", STEPS)
def test_where_there_is_a_host_the_steps_are_the_hosts(home: Stage, calibration: Recorded, step: str):
    become_host(home.app.test_client())
    assert ask(home, step).status_code == 403
    assert home.client.delete("/api/v1/calibration/profiles/kitchen").status_code == 403
    assert calibration.asked == []
    assert home.client.get("/api/v1/calibration").status_code == 200


def test_profiles_of_the_camera_have_a_bound(home: Stage, calibration: Recorded):
    assert ask(home, "save").status_code == 200
    (_, (_, admit), _) = calibration.asked[-1]
    there = [f"table-{number}" for number in range(LIMITS[Kind.PICTURE].house)]
    with home.app.test_request_context():
        admit("attic", there[1:])
        admit(there[0], there)
        with pytest.raises(RefusalError, match="camera profiles"):
            admit("attic", there)


def test_a_profile_is_deleted_by_its_key(home: Stage, calibration: Recorded):
    become_host(home.client)
    assert home.client.delete("/api/v1/calibration/profiles/kitchen").status_code == 200
    assert calibration.asked == [("forget", ("kitchen",), {})]


def test_the_page_to_print_is_there_without_a_camera(stage: Stage):
    pdf = stage.client.get("/api/v1/calibration/page.pdf")
    assert pdf.mimetype == "application/pdf"
    assert pdf.data.startswith(b"%PDF")
    svg = stage.client.get("/api/v1/calibration/page.svg")
    assert svg.mimetype == "image/svg+xml"
    assert b"<svg" in svg.data


def test_a_station_without_a_camera_of_its_own_says_so(stage: Stage):
    assert stage.client.get("/api/v1/calibration").status_code == 503
    assert stage.client.get("/api/v1/mounting").status_code == 503
    answer = ask(stage, "tray")
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (503, "calibration/none")


def test_the_picture_has_nothing_drawn_in(home: Stage):
    answer = home.client.get("/api/v1/calibration/frame.jpg")
    assert (answer.mimetype, answer.data) == ("image/jpeg", JPEG)
    assert answer.headers["Cache-Control"] == "no-store"
