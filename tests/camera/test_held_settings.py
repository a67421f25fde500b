"""What the camera holds comes back: after somebody who mounted it has gone, and after every opening."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from calibration.profile import CalibrationProfile
from messages.errors import CameraError, RefusalError
from station.camera.camera_service import CameraService
from station.camera.held_settings import HeldSettings
from station.camera.opened_camera import OpenedCamera
from station.camera.profiles import PROFILE_NAME
from station.config import Picture, parse
from station.table.table import Table as GameTable
from tests.cameras.worlds import DEADLINE_S, Device, next_frame, trouble_of
from vision.cameras.picamera import pi_camera

IN_USE = (("ExposureTime", 7000.0), ("AnalogueGain", 2.0), ("LensPosition", 3.5))
HELD = {"ExposureTime": 7000, "AnalogueGain": 2.0, "LensPosition": 3.5, "AfMode": 0, "AeEnable": False}


class Timers:
    """Timers and the clock they go by: time that passes when the test says so."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.running: list[tuple[float, Callable[[], None], threading.Timer]] = []

    def clock(self) -> float:
        return self.now_s

    def __call__(self, seconds: float, then: Callable[[], None]) -> threading.Timer:
        timers, due_s = self, self.now_s + seconds

        class Timer(threading.Timer):
            def start(self) -> None:
                timers.running.append((due_s, then, self))

            def cancel(self) -> None:
                timers.running = [each for each in timers.running if each[2] is not self]

        return Timer(seconds, then)

    def pass_s(self, seconds: float) -> None:
        self.now_s += seconds
        due = [each for each in self.running if each[0] <= self.now_s]
        self.running = [each for each in self.running if each not in due]
        for _, then, _ in due:
            then()


@pytest.fixture
def timers() -> Timers:
    return Timers()


@pytest.fixture
def settings(device: Device, timers: Timers) -> Iterator[HeldSettings]:
    """Of a camera that runs."""
    del device
    calibrated = pi_camera()
    calibrated.keep(IN_USE)
    with calibrated as camera:
        yield HeldSettings(camera, lambda: IN_USE, clock=timers.clock, timer=timers)


def holds(device: Device) -> bool:
    """Whether the camera was last told to hold what the profile in use says."""
    return HELD.items() <= device.controls[-1].items()


def test_who_let_the_camera_loose_may_walk_away(device, settings, timers):
    settings.go_on("mounting", 30.0)
    assert timers.running == [], "nobody let it loose"
    assert settings.let_loose("mounting", 30.0) > 0
    assert (device.controls[-1]["AfMode"], device.controls[-1]["AeEnable"]) == (2, True)
    for _ in range(5):
        timers.pass_s(20.0)
        settings.go_on("mounting", 30.0)
    timers.pass_s(20.0)
    assert not holds(device), "somebody looked twenty seconds ago"
    timers.pass_s(10.0)
    assert holds(device)
    assert timers.running == []


def test_a_phone_that_mounts_does_not_end_a_calibration(device, settings, timers):
    settings.let_loose("calibrating", 900.0)
    settings.let_loose("mounting", 30.0)
    settings.hold(("focus",))
    timers.pass_s(31.0)
    assert not holds(device)
    settings.go_on("calibrating", 900.0)
    timers.pass_s(870.0)
    assert not holds(device)
    timers.pass_s(31.0)
    assert holds(device)
    settings.let_loose("mounting", 30.0)
    settings.go_on("calibrating", 900.0)
    timers.pass_s(31.0)
    assert holds(device), "nor does a calibration keep a mounting going"


def test_a_timer_that_ran_down_too_late_changes_nothing(device, settings, timers):
    settings.let_loose("mounting", 30.0)
    ((_, late, _),) = timers.running
    settings.hold_again()
    settings.let_loose("mounting", 30.0)
    late()
    assert not holds(device)
    settings.end()
    assert timers.running == []


def test_a_camera_that_was_away_gets_its_settings_when_it_is_back(device):
    camera = pi_camera(retry_s=0.01)
    with camera:
        next_frame(camera)
        device.plug(plugged=False)
        trouble_of(camera)
        HeldSettings(camera, lambda: IN_USE).hold_again()
        device.plug(plugged=True)
        while camera.read(timeout_s=DEADLINE_S) is None:
            pass
        assert holds(device)


def test_one_that_hangs_is_no_reason_to_fail(monkeypatch):
    def hangs(*_: object) -> None:
        raise CameraError("camera/hangs", camera="Pi camera 0")

    camera = pi_camera()
    monkeypatch.setattr(camera, "keep", hangs)
    HeldSettings(camera, lambda: IN_USE).hold_again()


Served = Callable[..., CameraService]


@pytest.fixture
def served(device: Device, tmp_path: Path, retries_at_once: None) -> Iterator[Served]:
    """Begins to look through the Pi camera as a station does. settings: of the configuration."""
    del retries_at_once
    device.cameras = 2
    services = []

    def start(**settings: object) -> CameraService:
        opened = OpenedCamera(parse({"data": str(tmp_path), "camera": "picamera", **settings}))
        services.append(CameraService(opened._config, opened, GameTable(), stored=False))
        services[-1].watcher.start()
        services[-1].watcher.next_frames(1, DEADLINE_S)
        return services[-1]

    yield start
    for service in services:
        service.ask_to_stop()
        assert service.stop(DEADLINE_S)


@pytest.mark.thorough
def test_a_station_sends_the_camera_a_new_profile_and_again_at_every_opening(device, settled, served):
    service = served()
    assert device.controls == [{"AfMode": 2}], "the profile of the simulated tray holds nothing"
    profile = settled.profiles.current()
    assert profile is not None
    own = replace(profile, camera="Pi camera 0", controls=IN_USE)
    service.opened.profiles.keep(own, settled.profiles.empty())
    service.calibrated()
    assert holds(device)
    before = len(device.controls)
    service.watcher.reopen()
    service.watcher.next_frames(3, DEADLINE_S)
    assert [HELD.items() <= each.items() for each in device.controls[before:]] == [True]


def test_another_camera_than_the_profile_was_made_with_holds_nothing_of_it(device, tmp_path, served):
    CalibrationProfile(camera="Pi camera 0", controls=IN_USE).save(tmp_path / PROFILE_NAME)
    service = served(picture={"number": 1})
    assert (device.opened, device.controls[-1]) == (1, {"AfMode": 2})
    for number, held in ((0, True), (1, False)):
        service.opened.picture.choice.choose(Picture(number=number))
        while device.opened != number:
            service.watcher.next_frames(1, DEADLINE_S)
        assert holds(device) == held


@pytest.mark.parametrize("otherwise", [{"rotation": 180}, {"mirrored": True}, {"number": 1}])
def test_a_calibration_begins_anew_when_the_picture_becomes_another_one(otherwise, served):
    service = served()
    corners = [(40.0, 30.0), (150.0, 30.0), (150.0, 80.0), (40.0, 80.0)]
    assert service.calibrator.find_tray(corners, width_mm=280).tray is not None
    service.opened.picture.choice.choose(Picture.model_validate(otherwise))
    assert service.calibrator.state().tray is None
    with pytest.raises(RefusalError, match="Find the tray first"):
        service.calibrator.learn_empty()
