"""What the camera holds comes back: after somebody who mounted it has gone, and after every opening."""

import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from messages.errors import CameraError
from station.camera.camera_service import CameraService
from station.camera.held_settings import HeldSettings
from station.camera.opened_camera import OpenedCamera
from station.config import parse
from station.table import Table as GameTable
from tests.camera.stand import Table
from tests.cameras import fake_picamera2
from tests.cameras.worlds import DEADLINE_S, Device
from vision.cameras.picamera import pi_camera

IN_USE = (("ExposureTime", 7000.0), ("AnalogueGain", 2.0), ("LensPosition", 3.5))
TOLD = {"ExposureTime": 7000, "AnalogueGain": 2.0, "LensPosition": 3.5, "AfMode": 0, "AeEnable": False}


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Device:
    device = Device()
    monkeypatch.setitem(sys.modules, "picamera2", fake_picamera2.module(device))
    return device


class Timers:
    """Timers that run down when the test says so."""

    def __init__(self) -> None:
        self.running: list[threading.Timer] = []
        self.waits: list[float] = []

    def __call__(self, seconds: float, then: Callable[[], None]) -> threading.Timer:
        timers, self.waits = self, [*self.waits, seconds]

        class Timer(threading.Timer):
            def start(self) -> None:
                timers.running.append(self)

            def cancel(self) -> None:
                timers.running.remove(self)

        return Timer(seconds, then)

    def run_down(self) -> None:
        for timer in tuple(self.running):
            timer.function()


def test_who_let_the_camera_loose_may_walk_away(device: Device):
    timers = Timers()
    with pi_camera(controls=IN_USE) as camera:
        settings = HeldSettings(camera, lambda: IN_USE, timer=timers)
        settings.go_on(5.0)
        assert timers.waits == [], "nobody let it loose"
        assert settings.let_loose(5.0) > 0
        assert (device.controls[-1]["AfMode"], device.controls[-1]["AeEnable"]) == (2, True)
        settings.go_on(7.0)
        assert (timers.waits, len(timers.running)) == ([5.0, 7.0], 1)
        settings.hold(("focus",))
        timers.run_down()
        assert TOLD.items() <= device.controls[-1].items()
        assert timers.running == []
        settings.let_loose(5.0)
        settings.end()
        assert timers.running == []


def test_a_camera_that_does_not_answer_holds_it_when_it_is_opened_again(
    device: Device, monkeypatch: pytest.MonkeyPatch
):
    def hangs(*_: object) -> None:
        raise CameraError("camera/hangs", camera="Pi camera 0")

    camera = pi_camera()
    with camera, monkeypatch.context() as patch:
        patch.setattr(camera, "_ask", hangs)
        HeldSettings(camera, lambda: IN_USE).hold_again()
        assert device.controls == [{"AfMode": 2}]
    with camera:
        assert TOLD.items() <= device.controls[-1].items()


@pytest.mark.thorough
def test_a_station_tells_the_camera_what_a_new_profile_says_and_again_at_every_opening(
    device: Device, settled: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("station.camera.watcher.RETRY_S", (0.0,))
    opened = OpenedCamera(parse({"data": str(tmp_path), "camera": "picamera"}))
    service = CameraService(opened._config, opened, GameTable(), stored=False)
    service.watcher.start()
    try:
        service.watcher.next_frames(1, DEADLINE_S)
        assert device.controls == [{"AfMode": 2}], "the profile of the simulated tray holds nothing"
        profile = settled.profiles.current()
        assert profile is not None
        opened.profiles.keep(replace(profile, controls=IN_USE), settled.profiles.empty())
        service.calibrated()
        assert TOLD.items() <= device.controls[-1].items()
        told = len(device.controls)
        service.watcher.reopen()
        service.watcher.next_frames(3, DEADLINE_S)
        assert [TOLD.items() <= each.items() for each in device.controls[told:]] == [True]
    finally:
        service.ask_to_stop()
        assert service.stop(DEADLINE_S)
