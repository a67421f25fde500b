"""The camera of a station that runs is changed for a phone, and back; the next start knows."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from station.app import Station
from station.camera.camera_choice import CHOICE_NAME
from station.contract.view import TableView
from tests.conftest import ROOT
from tests.process.station import DEADLINE_S

pytestmark = pytest.mark.slow

JPEG = ROOT / "tests" / "golden" / "stills" / "00000.jpg"


def wait(
    station: Station, what: Callable[[TableView], bool], meanwhile: Callable[[], object] = lambda: None
) -> TableView:
    """For a state that is so; meanwhile: done again and again."""
    news, end_s = station.table.subscribe(), time.monotonic() + DEADLINE_S
    while not what(now := station.table.snapshot()):
        assert time.monotonic() < end_s, now.camera
        meanwhile()
        news.get(0.2)
    news.close()
    return now


def choose(screen: FlaskClient, *, phone: bool) -> None:
    assert screen.post("/api/v1/camera", json={"phone": phone}).get_json()["phone"] == phone


def send(screen: FlaskClient) -> dict[str, Any]:
    sent = screen.post("/api/v1/phone/picture", data=JPEG.read_bytes(), content_type="image/jpeg")
    told: dict[str, Any] = sent.get_json()
    return told


def test_a_phone_takes_over_and_gives_back(build):
    station = build()
    screen = station.app.test_client()
    assert wait(station, lambda it: it.camera.ok).simulated
    choose(screen, phone=True)
    now = wait(station, lambda it: "/camera on one" in str(it.camera.message))
    assert (str(now.camera.name), now.camera.ok) == ("phone", False)
    assert not now.simulated, "nobody throws the dice of a tray that is not looked at"
    assert screen.get("/api/v1/calibration").get_json()["simulated"] is False
    assert screen.get("/api/v1/frame.jpg").status_code == 503, "the picture of before is another camera's"

    screen.get("/")  # it becomes a screen that is known
    assert screen.post("/api/v1/phone/ask", json={"on": True}).get_json()["standing"] == "camera"
    wait(station, lambda it: it.camera.ok, lambda: send(screen))
    assert screen.get("/api/v1/picture").get_json()["available"]

    choose(screen, phone=False)
    wait(station, lambda it: it.camera.ok and it.simulated)
    assert screen.get("/api/v1/calibration").get_json()["simulated"] is True
    assert not screen.get("/api/v1/picture").get_json()["available"]
    assert screen.get("/api/v1/phone").get_json()["in_use"] is False
    assert send(screen)["error"]["code"] == "phone/not_in_use"


def test_the_next_start_looks_through_the_phone_unless_another_camera_is_asked_for(build, tmp_path):
    choose(build().app.test_client(), phone=True)
    assert (tmp_path / "data" / CHOICE_NAME).exists()
    assert not build().table.snapshot().simulated
    assert build("camera").table.snapshot().simulated
    station = build()
    choose(station.app.test_client(), phone=False)
    assert build().table.snapshot().simulated


def test_a_recording_that_is_through_is_left_for_a_phone(build, tmp_path):
    (tmp_path / "frames").mkdir()
    (tmp_path / "frames" / "0.jpg").write_bytes(JPEG.read_bytes())
    station = build(camera=str(tmp_path / "frames"))
    wait(station, lambda it: getattr(it.camera.message, "key", "") == "camera/recording_ended")
    choose(station.app.test_client(), phone=True)
    wait(station, lambda it: str(it.camera.name) == "phone" and not it.camera.ok)


def test_where_the_settings_name_a_phone_there_is_nothing_to_choose(build):
    screen = build(camera="phone").app.test_client()
    assert screen.get("/api/v1/camera").get_json() == {"phone": True, "switchable": False}
    answer = screen.post("/api/v1/camera", json={"phone": False}).get_json()
    assert answer["error"]["code"] == "camera/phone_of_settings"
