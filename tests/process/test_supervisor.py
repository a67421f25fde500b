"""Parts that die are started again and told of; one that dies again and again is off."""

import socket
import threading
import time
import urllib.request
from contextlib import ExitStack

import numpy as np
import pytest

from messages.catalogue import entries
from messages.errors import CameraError
from messages.message import Message
from station.advice.advisor import Advisor
from station.advice.jobs import Jobs
from station.camera.watcher import FROZEN_S, FrozenPictures, Watcher
from station.contract.check import Level
from station.health.supervisor import SILENT_S, TIMES_MAX, WITHIN_S, Supervisor
from station.server.web_part import WebPart
from station.server.web_server import EACH_ADDRESS
from station.table.table import Table
from tests.table.helpers import Clock

PATIENCE_S = 180.0


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
    levels = []
    for broken in (False, True, False):
        camera.broken = broken
        supervisor.look()
        levels.append(supervisor.check().status)
    assert (camera.starts, levels) == (1, [Level.OK, Level.WARNING, Level.WARNING])
    assert "It stopped by itself" in str(supervisor.check().message)
    clock.pass_s(3601)
    assert supervisor.check().status is Level.OK


@pytest.mark.parametrize(("every_s", "starts"), [(0.0, TIMES_MAX), (WITHIN_S / 2, 10)])
def test_three_times_a_minute_and_it_is_off_and_the_rest_goes_on(every_s, starts):
    clock, camera, web = Clock(), Fragile("camera"), Fragile("web")
    supervisor = Supervisor([camera, web], clock=clock)
    camera.broken = web.broken = True
    for _ in range(10):
        supervisor.look()
        web.broken = False
        clock.pass_s(every_s)
    assert (camera.starts, web.starts) == (starts, 1)
    off = every_s == 0.0
    assert (supervisor.is_off("camera"), supervisor.is_off("web")) == (off, False)
    assert supervisor.check().status is (Level.PROBLEM if off else Level.WARNING)
    assert "camera" in str(supervisor.check().message)


@pytest.mark.slow
def test_a_server_that_was_closed_is_there_again(build, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("station.health.supervisor.SILENT_S", 0.5)
    station = build(starts=False)
    web = WebPart(("127.0.0.1", station.entrances.port), station.pages.serve, every_s=0.05)
    station.watch.web = station.pages.web = web
    station.watch.supervisor = Supervisor([station.camera.watcher, web])
    station.start()
    assert station.pages.server is not None
    station.pages.server.abandon()
    until(lambda: web.wrong() is not None)
    station.watch.supervisor.look()
    page = f"http://127.0.0.1:{station.entrances.port}/manifest.webmanifest"
    with urllib.request.urlopen(page, timeout=PATIENCE_S) as answer:
        assert answer.status == 200
    assert "started again" in str(station.watch.supervisor.check().message)


@pytest.mark.slow
def test_a_slow_screen_on_the_same_machine_does_not_make_the_pages_seem_dead(
    build, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("station.server.web_part.ANSWER_S", PATIENCE_S)
    station = build(starts=False)
    let_go, begun, pages = threading.Event(), threading.Semaphore(0), station.app.wsgi_app

    def slow(environ, start_response):
        if environ["PATH_INFO"] == "/health":
            begun.release()
            let_go.wait(3 * PATIENCE_S)  # longer than the watchdog waits for its answer
        return pages(environ, start_response)

    station.app.wsgi_app = slow
    with ExitStack() as stack:
        stack.callback(let_go.set)
        station.start()
        for _ in range(EACH_ADDRESS + 2):
            screen = socket.create_connection(("127.0.0.1", station.entrances.port), PATIENCE_S)
            stack.enter_context(screen).sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for _ in range(EACH_ADDRESS):
            assert begun.acquire(timeout=PATIENCE_S)
        station.pages.web._ask()


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
