"""The composition root: what it does where a part of the machine is missing."""

import random
import sys
import time
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from typing import Any

import cv2
import numpy as np
import pytest

from messages.errors import CameraError, FailedError
from messages.message import Message
from simulator import SimulatedTray
from station.app import Station
from station.camera.watcher import Watcher
from station.contract.check import Level
from station.devices.simulated import SimulatedButtons, SimulatedLamps
from station.game.log.state import State
from station.table.table import Table
from station.watch import answers
from tests.asking import shown
from tests.cameras import fake_picamera2
from tests.cameras.worlds import Device
from tests.process.station import DEADLINE_S
from tests.process.test_tls import made_then
from vision.frame import Frame
from vision.reading import Reading, Status
from vision.slow_motion import Take

PINS = Message("buttons/pins", part="button", why="taken")


class NoPins(SimulatedButtons):
    name = "buttons on the header"

    def start(self, edge, turn):
        del edge, turn
        raise FailedError(PINS)


@pytest.fixture
def without_pins(monkeypatch):
    """A Pi whose pins another program uses."""
    lamps = SimulatedLamps()
    monkeypatch.setattr("station.devices.opened_panel.open_devices", lambda _: (NoPins(), lamps))
    return lamps


def wait(station: Station, what: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The first state that is so."""
    end_s = time.monotonic() + DEADLINE_S
    with closing(station.table.subscribe()) as states:
        while not what(state := shown(station.table)):
            assert states.get(end_s - time.monotonic()) is not None, state
    return state


@pytest.mark.slow
def test_without_the_buttons_the_game_goes_on_unless_somebody_insisted_on_them(build, without_pins):
    station = build()
    assert shown(station.table)["buttons"] == {
        "name": "buttons on the header",
        "ok": False,
        "message": str(PINS),
    }
    assert {str(check.name): check.status for check in station.checks()}["Buttons"] == "warning"
    assert station.app.test_client().get("/api/v1/state").status_code == 200
    assert without_pins.lit == set()
    station = build("buttons", buttons="gpio", starts=False)
    with pytest.raises(FailedError, match="does not work: taken"):
        station.start()


@pytest.mark.slow
def test_a_network_that_comes_after_the_station_is_where_screens_find_it(build, monkeypatch):
    """A Pi starts faster than its wireless network; the code on the television led every phone to itself."""
    here = ["127.0.0.1"]
    monkeypatch.setattr("station.server.listening.own_ip", lambda: here[0])
    station = build(host="::", starts=False)
    client = station.app.test_client()
    before = client.get("/join.svg").data
    here[0] = "192.168.1.20"
    assert client.get("/join.svg").data != before
    assert f"http://192.168.1.20:{station.entrances.port}" in client.get("/tv").get_data(as_text=True)


@pytest.mark.slow
@pytest.mark.parametrize("along", [False, True])
def test_a_station_that_plays_along_keeps_no_pictures_under_the_numbers_of_its_own_games(build, along):
    guest = {"homes": {"host": "kitchen"}, "mqtt": {"host": "broker"}}
    station = build(starts=False, **(guest if along else {}))
    kept = []
    moments = station.camera.watcher.moments
    station.camera.pictures = kept.append
    frame = Frame(np.zeros((9, 16, 3), np.uint8), 0.0, 0)
    take = Take((), Reading(Status.EMPTY), Reading(Status.READY), 16)
    moments._newest, moments._cut = (take, frame), lambda seen: (seen,)
    station._keep_picture(State(game=3))
    assert bool(kept) != along
    assert (moments.film() == (take,)) == along, "it can be shown again there, too"
    station.table.listeners.unseen(State(game=3))
    assert not moments.film()


@pytest.mark.slow
def test_a_start_removes_what_a_power_cut_left_of_tables(build, tmp_path):
    left = tmp_path / "data" / "advice" / f"abc.odds.{2**22 + 1}.part"
    left.parent.mkdir(parents=True)
    left.touch()
    build()
    assert not left.exists()


@pytest.mark.slow
@pytest.mark.parametrize("cropped", [False, True])
def test_health_says_when_a_pi_camera_shows_only_a_part(build, monkeypatch, cropped):
    monkeypatch.setitem(sys.modules, "picamera2", fake_picamera2.module(Device()))
    if cropped:
        monkeypatch.setattr("vision.cameras.picamera.whole_mode", lambda *_: None)
    station = build(camera="picamera", buttons="none")
    wait(station, lambda state: state["camera"]["name"])
    (camera,) = [check for check in station.checks() if check.id == "camera"]
    assert ("shows only 67%" in str(camera.message)) == cropped
    assert (camera.status is Level.WARNING) == cropped


@pytest.mark.slow
def test_a_certificate_that_has_ended_is_warned_of_and_its_names_are_ours(build, tmp_path, caplog):
    certificate, key = made_then(tmp_path, "old", begins="20200101000000Z", ends="20210101000000Z")
    station = build(certificate=certificate, key=key, https_port=0, names=["den.example.com"])
    (check,) = [check for check in station.checks() if str(check.name) == "Certificate"]
    assert check.status == "problem"
    assert f"certificate: {check.message}" in caplog.text
    pages = station.app.test_client()
    for host, status in (("yacht.example.org", 200), ("den.example.com", 200), ("evil.example", 403)):
        assert pages.get("/api/v1/state", headers={"Host": host}).status_code == status


def test_a_profile_that_cannot_be_read_keeps_nothing_open(build, tmp_path):
    profile = tmp_path / "profile.json"
    profile.write_text('{"version": 99}')
    with pytest.raises(ValueError, match="newer than this program"):
        build("profile", profile=profile)
    assert not (tmp_path / "data").exists()


@pytest.mark.slow
def test_settings_of_another_machine_keep_no_station_from_starting(build, tmp_path, without_pins):
    """As they come with a copy: systemd tried for ever, or not again, and there was no page to look at."""
    del without_pins
    recorded = tmp_path / "throws"
    station = build(buttons="gpio", camera=str(recorded), profile=tmp_path / "kitchen.json")
    camera = wait(station, lambda state: not state["camera"]["ok"] and state["camera"]["message"])["camera"]
    assert f"There is no camera, folder or video called '{recorded}'" in camera["message"]
    checks = {check.id: check.status for check in station.checks()}
    assert (checks["camera"], checks["buttons"]) == ("problem", "warning")
    recorded.mkdir()
    cv2.imwrite(str(recorded / "0001.png"), np.full((480, 640, 3), 90, np.uint8))
    state = wait(station, lambda state: state["camera"]["ok"] and state["camera"]["message"])
    assert state["camera"]["name"] == "folder throws"


@pytest.mark.slow
@pytest.mark.parametrize("text", ['{"version": 99}', "{", ""])
def test_the_game_goes_on_with_a_damaged_profile_that_nobody_insisted_on(build, tmp_path, caplog, text):
    profile = tmp_path / "data" / "profile.json"
    profile.parent.mkdir()
    profile.write_text(text)
    camera = wait(build(), lambda state: state["camera"]["message"])["camera"]
    assert camera["ok"]
    assert camera["message"].startswith("The profile cannot be read")
    assert "profile.json is" in caplog.text
    assert profile.read_text() == text


@pytest.mark.slow
def test_another_time_zone_of_the_machine_counts_at_once(build, monkeypatch):
    """Quiet hours and the days of past games go by the clock on the wall."""
    station = build()
    monkeypatch.setattr(station.watch.supervisor, "look", station.ask_to_stop)  # at the first look
    try:
        with monkeypatch.context() as there:
            there.setenv("TZ", "UTC-9")
            station.wait()
            assert datetime.now().astimezone().utcoffset() == timedelta(hours=9)
    finally:
        time.tzset()


def test_a_camera_without_pictures_is_said() -> None:
    watcher = Watcher(SimulatedTray(random.Random(1)), Table())
    assert watcher.frame() is None
    with pytest.raises(CameraError, match="No picture from"):
        watcher.next_frames(1, 0.0)


@pytest.mark.parametrize(
    ("silent_s", "writes_s", "left"),
    [(1.0, 0.0, True), (20.0, 0.0, False), (20.0, 25.0, True), (700.0, 650.0, False)],
)
def test_a_station_that_waits_for_a_slow_card_is_not_started_anew_like_one_that_hangs(
    silent_s, writes_s, left
):
    assert answers(silent_s, writes_s) is left
