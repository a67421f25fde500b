"""The composition root: what it does where a part of the machine is missing."""

import sys
import time
from datetime import datetime, timedelta

import cv2
import numpy as np
import pytest

from messages.errors import FailedError
from messages.message import Message
from station.app import Station
from station.config import parse
from station.contract.check import Level
from station.devices.simulated import SimulatedButtons, SimulatedLamps
from station.game.log.state import State
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


@pytest.fixture
def settings(tmp_path):
    return {
        "host": "127.0.0.1",
        "port": 0,
        "data": tmp_path / "data",
        "camera": "simulated",
        "viewers_max": 1,
    }


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


@pytest.mark.slow
def test_the_game_goes_on_without_buttons_where_nobody_insisted_on_them(settings, without_pins):
    station = Station(parse(settings))
    station.start()
    try:
        state = shown(station.table)
        assert state["buttons"] == {
            "name": "buttons on the header",
            "ok": False,
            "message": str(PINS),
        }
        checks = {str(check.name): check.status for check in station.checks()}
        assert checks["Buttons"] == "warning"
        assert station.app.test_client().get("/api/v1/state").status_code == 200
        assert without_pins.lit == set()
    finally:
        station.stop()


@pytest.mark.slow
def test_a_network_that_comes_after_the_station_is_where_screens_find_it(settings, monkeypatch):
    """A Pi starts faster than its wireless network; the code on the television led every phone to itself."""
    here = ["127.0.0.1"]
    monkeypatch.setattr("station.server.listening.own_ip", lambda: here[0])
    station = Station(parse({**settings, "host": "::"}))
    try:
        client = station.app.test_client()
        before = client.get("/join.svg").data
        here[0] = "192.168.1.20"
        assert client.get("/join.svg").data != before
        assert f"http://192.168.1.20:{station.entrances.port}" in client.get("/tv").get_data(as_text=True)
    finally:
        station.stop()


@pytest.mark.slow
@pytest.mark.parametrize("along", [False, True])
def test_a_station_that_plays_along_keeps_no_pictures_under_the_numbers_of_its_own_games(settings, along):
    guest = {"homes": {"host": "kitchen"}, "mqtt": {"host": "broker"}}
    station = Station(parse({**settings, **(guest if along else {})}))
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
    station.stop()


@pytest.mark.slow
def test_a_start_removes_what_a_power_cut_left_of_tables(settings):
    left = settings["data"] / "advice" / f"abc.odds.{2**22 + 1}.part"
    left.parent.mkdir(parents=True)
    left.touch()
    station = Station(parse(settings))
    station.start()
    station.stop()
    assert not left.exists()


@pytest.mark.slow
@pytest.mark.parametrize("cropped", [False, True])
def test_health_says_when_a_pi_camera_shows_only_a_part(settings, monkeypatch, cropped):
    device = Device()
    monkeypatch.setitem(sys.modules, "picamera2", fake_picamera2.module(device))
    if cropped:
        monkeypatch.setattr("vision.cameras.picamera.whole_mode", lambda *_: None)
    station = Station(parse(settings | {"camera": "picamera", "buttons": "none"}))
    station.start()
    try:
        end = time.monotonic() + DEADLINE_S
        while not station.table.snapshot().camera.name:
            assert time.monotonic() < end, "the camera says nothing of itself"
            time.sleep(0.01)
        (camera,) = [check for check in station.checks() if check.id == "camera"]
        assert ("shows only 67%" in str(camera.message)) == cropped
        assert (camera.status is Level.WARNING) == cropped
    finally:
        station.stop()


@pytest.mark.slow
def test_a_certificate_that_has_ended_is_warned_of_and_its_names_are_ours(settings, tmp_path, caplog):
    certificate, key = made_then(tmp_path, "old", begins="20200101000000Z", ends="20210101000000Z")
    more = {"certificate": certificate, "key": key, "https_port": 0, "names": ["den.example.com"]}
    station = Station(parse(settings | more))
    station.start()
    try:
        (check,) = [check for check in station.checks() if str(check.name) == "Certificate"]
        assert check.status == "problem"
        assert f"certificate: {check.message}" in caplog.text
        pages = station.app.test_client()
        for host, status in (("yacht.example.org", 200), ("den.example.com", 200), ("evil.example", 403)):
            assert pages.get("/api/v1/state", headers={"Host": host}).status_code == status
    finally:
        station.stop()


@pytest.mark.slow
def test_who_insists_on_buttons_is_told(settings, without_pins):
    del without_pins
    station = Station(parse(settings | {"buttons": "gpio"}), insisted={"buttons"})
    try:
        with pytest.raises(FailedError, match="does not work: taken"):
            station.start()
    finally:
        station.stop()


def test_a_profile_that_cannot_be_read_keeps_nothing_open(settings, tmp_path):
    profile = tmp_path / "profile.json"
    profile.write_text('{"version": 99}')
    with pytest.raises(ValueError, match="newer than this program"):
        Station(parse(settings | {"profile": profile}), insisted={"profile"})
    assert not (tmp_path / "data").exists()


@pytest.mark.slow
def test_settings_of_another_machine_keep_no_station_from_starting(settings, tmp_path, without_pins):
    """As they come with a copy: systemd tried for ever, or not again, and there was no page to look at."""
    del without_pins
    recorded = tmp_path / "throws"
    of_there = {"buttons": "gpio", "camera": str(recorded), "profile": tmp_path / "kitchen.json"}
    station = Station(parse(settings | of_there))
    listening = station.table.subscribe()
    station.start()

    def seen(*, ok: bool) -> dict[str, object]:
        end_s = time.monotonic() + DEADLINE_S
        while (state := shown(station.table))["camera"]["ok"] != ok or not state["camera"]["message"]:
            assert listening.get(end_s - time.monotonic()) is not None, state
        return state

    try:
        state = seen(ok=False)
        assert f"There is no camera, folder or video called '{recorded}'" in state["camera"]["message"]
        checks = {check.id: check.status for check in station.checks()}
        assert (checks["camera"], checks["buttons"]) == ("problem", "warning")
        recorded.mkdir()
        cv2.imwrite(str(recorded / "0001.png"), np.full((480, 640, 3), 90, np.uint8))
        assert seen(ok=True)["camera"]["name"] == "folder throws"
    finally:
        station.stop()


@pytest.mark.slow
@pytest.mark.parametrize("text", ['{"version": 99}', "{", ""])
def test_the_game_goes_on_with_a_damaged_profile_that_nobody_insisted_on(settings, tmp_path, caplog, text):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "profile.json").write_text(text)
    station = Station(parse(settings))
    listening = station.table.subscribe()
    station.start()
    try:
        deadline_s = time.monotonic() + DEADLINE_S
        while not (state := shown(station.table))["camera"]["message"]:
            assert listening.get(deadline_s - time.monotonic()) is not None, state
        assert state["camera"]["ok"]
        assert state["camera"]["message"].startswith("The profile cannot be read")
        assert "profile.json is" in caplog.text
    finally:
        station.stop()
    assert (tmp_path / "data" / "profile.json").read_text() == text


@pytest.mark.slow
def test_another_time_zone_of_the_machine_counts_at_once(settings, monkeypatch):
    """Quiet hours and the days of past games go by the clock on the wall."""
    station = Station(parse(settings))
    station.start()
    monkeypatch.setattr(station.watch.supervisor, "look", station.ask_to_stop)  # at the first look
    try:
        with monkeypatch.context() as there:
            there.setenv("TZ", "UTC-9")
            station.wait()
            assert datetime.now().astimezone().utcoffset() == timedelta(hours=9)
    finally:
        time.tzset()
        station.stop()


@pytest.mark.parametrize(
    ("silent_s", "writes_s", "left"),
    [(1.0, 0.0, True), (20.0, 0.0, False), (20.0, 25.0, True), (700.0, 650.0, False)],
)
def test_a_station_that_waits_for_a_slow_card_is_not_started_anew_like_one_that_hangs(
    silent_s, writes_s, left
):
    assert answers(silent_s, writes_s) is left
