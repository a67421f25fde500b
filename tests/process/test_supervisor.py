"""Parts that die are started again and told of; one that dies again and again is off."""

import socket
import threading
import time
import urllib.request
from pathlib import Path

import numpy as np
import pytest

from messages.catalogue import entries
from messages.errors import CameraError
from messages.message import Message
from station.advice.advisor import Advisor
from station.advice.jobs import Jobs
from station.app import Station
from station.camera.watcher import FROZEN_S, FrozenPictures, Watcher
from station.config import parse
from station.contract.check import Level
from station.health.supervisor import SILENT_S, TIMES_MAX, WITHIN_S, Supervisor
from station.server.web_part import WebPart
from station.server.web_server import EACH_ADDRESS
from station.table.table import Table
from tests.table.helpers import Clock

PATIENCE_S = 180.0
SIMULATED = {"camera": "simulated", "buttons": "none", "host": "127.0.0.1", "port": 0}


def until(what) -> None:
    end_s = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < end_s
        time.sleep(0.01)


def test_every_part_is_told_of_in_words():
    for part in (Watcher, WebPart, Advisor):
        assert f"health/part/{part.name}" in entries("en")


class Fragile:
    """A part that is broken whenever the test says so."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.broken = False
        self.starts = 0

    def wrong(self) -> Message | None:
        return Message("health/watchdog/ended") if self.broken else None

    def restart(self) -> None:
        self.starts += 1


def test_a_part_that_dies_is_started_again_and_told_of():
    clock, camera = Clock(), Fragile("camera")
    supervisor = Supervisor([camera], clock=clock)
    supervisor.look()
    assert supervisor.check().status is Level.OK
    camera.broken = True
    supervisor.look()
    camera.broken = False
    supervisor.look()
    assert camera.starts == 1
    assert supervisor.check().status is Level.WARNING
    assert "It stopped by itself" in str(supervisor.check().message)
    clock.pass_s(3601)
    assert supervisor.check().status is Level.OK


def test_three_times_a_minute_and_it_is_off_and_the_rest_goes_on():
    clock, camera, web = Clock(), Fragile("camera"), Fragile("web")
    supervisor = Supervisor([camera, web], clock=clock)
    camera.broken = web.broken = True
    supervisor.look()
    web.broken = False
    for _ in range(10):
        supervisor.look()
    assert (camera.starts, web.starts) == (TIMES_MAX, 1)
    assert supervisor.is_off("camera")
    assert not supervisor.is_off("web")
    check = supervisor.check()
    assert check.status is Level.PROBLEM
    assert "camera" in str(check.message)


def test_now_and_then_is_not_off():
    clock, camera = Clock(), Fragile("camera")
    camera.broken = True
    supervisor = Supervisor([camera], clock=clock)
    for _ in range(10):
        supervisor.look()
        clock.pass_s(WITHIN_S / 2)
    assert camera.starts == 10
    assert not supervisor.is_off("camera")


@pytest.mark.slow
def test_a_server_that_was_closed_is_there_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("station.health.supervisor.SILENT_S", 0.5)
    station = Station(parse({**SIMULATED, "data": tmp_path}))
    web = WebPart(("127.0.0.1", station.entrances.port), station.pages.serve, every_s=0.05)
    station.watch.web = station.pages.web = web
    station.watch.supervisor = Supervisor([station.camera.watcher, station.pages.web])
    try:
        station.start()
        page = f"http://127.0.0.1:{station.entrances.port}/manifest.webmanifest"
        assert station.pages.server is not None
        station.pages.server.abandon()
        until(lambda: station.pages.web.wrong() is not None)
        station.watch.supervisor.look()
        with urllib.request.urlopen(page, timeout=PATIENCE_S) as answer:
            assert answer.status == 200
        assert "started again" in str(station.watch.supervisor.check().message)
    finally:
        station.stop()


@pytest.mark.slow
def test_a_slow_screen_on_the_same_machine_does_not_make_the_pages_seem_dead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("station.server.web_part.ANSWER_S", PATIENCE_S)
    station = Station(parse({**SIMULATED, "data": tmp_path}))
    let_go, begun, pages = threading.Event(), threading.Semaphore(0), station.app.wsgi_app

    def slow(environ, start_response):
        if environ["PATH_INFO"] == "/health":
            begun.release()
            let_go.wait(3 * PATIENCE_S)  # longer than the watchdog waits for its answer
        return pages(environ, start_response)

    station.app.wsgi_app = slow
    asked = []
    try:
        station.start()
        for _ in range(EACH_ADDRESS + 2):
            asked.append(socket.create_connection(("127.0.0.1", station.entrances.port), PATIENCE_S))
            asked[-1].sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for _ in range(EACH_ADDRESS):
            assert begun.acquire(timeout=PATIENCE_S)
        station.pages.web._ask()
    finally:
        let_go.set()
        for each in asked:
            each.close()
        station.stop()


class Hanging:
    """A camera whose driver hangs in every run."""

    name = "USB camera 0"

    def __init__(self) -> None:
        self.let_go = threading.Event()
        self.runs = 0

    def start(self) -> None:
        self.runs += 1

    def stop(self) -> None:
        pass

    def read(self, timeout_s: float = 1.0) -> None:
        del timeout_s
        self.let_go.wait(PATIENCE_S)


def test_a_worker_that_hangs_is_left_behind_once():
    clock, camera = Clock(), Hanging()
    watcher = Watcher(camera, Table(), clock=clock)
    watcher.start()
    try:
        until(lambda: camera.runs == 1)
        assert watcher.wrong() is None
        clock.pass_s(SILENT_S + 1)
        assert watcher.wrong() is not None
        watcher.restart()
        until(lambda: camera.runs == 2)
        clock.pass_s(SILENT_S + 1)
        assert watcher.wrong() is not None
        with pytest.raises(CameraError, match="hung twice"):
            watcher.restart()
        assert camera.runs == 2
    finally:
        camera.let_go.set()
        watcher.stop()


def test_a_worker_that_died_is_noticed_and_one_that_was_stopped_is_not():
    clock, camera = Clock(), Hanging()
    camera.let_go.set()
    watcher = Watcher(camera, Table(), clock=clock)
    assert not watcher.ended
    watcher.start()
    watcher.stop()
    assert not watcher.ended
    watcher._stop.clear()
    assert watcher.wrong() == Message("health/watchdog/ended")


def test_failed_work_may_be_begun_again():
    jobs = Jobs()
    doing = Message("advice/doing", title="Yacht")

    def fails(_):
        raise MemoryError

    jobs.begin("values", doing, fails)
    until(lambda: jobs.failure is not None)
    jobs.forget_failures()
    assert jobs.failure is None
    done = threading.Event()
    jobs.begin("values", doing, lambda _: done.set())
    assert done.wait(PATIENCE_S)
    jobs.close()


def test_the_same_picture_for_five_seconds_is_told():
    rng = np.random.default_rng(7)
    frozen = FrozenPictures()
    image = rng.integers(0, 255, (120, 160, 3), np.uint8)
    assert not frozen.looks_frozen(image, 0.0)
    assert not frozen.looks_frozen(image.copy(), FROZEN_S - 0.1)
    assert frozen.looks_frozen(image.copy(), FROZEN_S + 0.1)
    noisy = image.copy()
    noisy[0, 0] += 1
    assert not frozen.looks_frozen(noisy, FROZEN_S + 0.2)
    dark = np.zeros_like(image)
    assert not any(frozen.looks_frozen(dark, now_s) for now_s in range(100, 120))
