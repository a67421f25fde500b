"""The camera worker with a camera made of a script: frames, silence, failure, end."""

import threading

import cv2
import numpy as np
import pytest

from messages.errors import CameraError
from station.camera.watcher import Watcher
from station.table.table import Table
from tests.asking import do, shown
from tests.camera.scripted_camera import DEADLINE_S, Blind, ScriptedCamera, frame, until
from tests.table.helpers import Clock, reading
from vision.cameras.recorded import video
from vision.detection import candidates
from vision.frame import EndOfRecording, Frame
from vision.reader import Reader
from vision.reading import Reading, Status
from vision.stream import StreamReader
from vision.warming import some_dice, warm


def test_frames_become_readings_and_a_picture(watched):
    table, camera = Table(), ScriptedCamera(frame())
    watcher = watched(camera, table)
    state = until(table, lambda state: state["camera"]["name"] == "scripted camera")
    assert state["camera"] == {"name": "scripted camera", "ok": True, "message": ""}
    jpeg = watcher.frame_jpeg()
    assert jpeg is not None
    assert jpeg[:2] == b"\xff\xd8"
    assert watcher.frame_jpeg() is jpeg
    small = watcher.frame_jpeg(32)
    assert small is not None
    assert cv2.imdecode(np.frombuffer(small, np.uint8), cv2.IMREAD_COLOR).shape[1] == 32
    assert watcher.frame_age_s is not None


def test_a_camera_that_is_stuck_is_said_and_opened_anew(watched):
    """Somebody need not unplug it where the driver only has to begin again."""
    noise = np.random.default_rng(3)
    first, second = (Frame(noise.integers(0, 255, (120, 160, 3), np.uint8), 0.0, 0) for _ in range(2))
    table, clock, camera = Table(), Clock(), ScriptedCamera(first)
    watched(camera, table, sensor=True, clock=clock)
    until(table, lambda state: state["camera"]["ok"] and state["camera"]["name"] == "scripted camera")
    clock.pass_s(6.0)
    camera.add(first)
    told = until(table, lambda state: not state["camera"]["ok"])
    assert "the very same picture" in told["camera"]["message"]
    camera.add(first, first, second)  # once: one that is dark and has no noise would be opened all night
    until(table, lambda state: state["camera"]["ok"])
    assert camera.starts == 2


def test_before_the_first_frame_there_is_no_picture():
    watcher = Watcher(ScriptedCamera(), Table())
    assert watcher.frame_jpeg() is None
    assert watcher.frame_age_s is None
    assert watcher.stop()


def test_a_camera_that_goes_away_is_said_and_tried_again(watched):
    table, camera = Table(), ScriptedCamera(frame(), CameraError("The camera was unplugged; plug it in."))
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    watched(camera, table)
    state = until(table, lambda state: not state["camera"]["ok"])
    assert state["problem"] == "The camera was unplugged; plug it in."
    assert "enter_roll" in state["commands"]
    camera.add(frame(1))
    state = until(table, lambda state: state["camera"]["ok"])
    assert state["problem"] is None
    assert camera.starts >= 2


def test_what_a_lost_camera_saw_cannot_be_confirmed_any_more(watched):
    table, camera = Table(), ScriptedCamera()
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    table.offer(reading(1, 2, 3, 4, 5))
    assert "accept_roll" in shown(table)["commands"]
    watched(camera, table)
    camera.add(CameraError("Gone."))
    assert "accept_roll" not in until(table, lambda state: not state["camera"]["ok"])["commands"]


def test_a_film_that_is_none_is_said_and_is_no_failure_of_the_station(watched, tmp_path, caplog):
    film = tmp_path / "film.mp4"
    film.write_text("no film", encoding="utf-8")
    table = Table()
    watched(video(film), table)
    told = until(table, lambda state: not state["camera"]["ok"])["camera"]["message"]
    assert told == f"{film} is not a video that can be played (or it is damaged)."
    assert not [each for each in caplog.records if each.exc_info]


def test_a_silent_camera_is_started_anew(watched):
    clock = Clock()
    table, camera = Table(), ScriptedCamera(frame())
    watched(camera, table, clock=clock)
    until(table, lambda state: state["camera"]["name"] == "scripted camera")
    clock.pass_s(60.0)
    state = until(table, lambda state: not state["camera"]["ok"])
    assert state["camera"]["message"] == "No picture from the scripted camera. Check its cable."
    camera.add(frame(2))
    until(table, lambda state: state["camera"]["ok"])


def test_a_failure_nobody_foresaw_does_not_end_the_worker(watched):
    table, camera = Table(), ScriptedCamera(RuntimeError("a bug"))
    watched(camera, table)
    assert "log says why" in until(table, lambda state: not state["camera"]["ok"])["camera"]["message"]
    camera.add(frame())
    until(table, lambda state: state["camera"]["ok"])


def test_the_last_picture_of_a_recording_stays(watched):
    table, camera = Table(), ScriptedCamera(frame(), EndOfRecording())
    watcher = watched(camera, table)
    until(table, lambda state: "recording is over" in state["camera"]["message"])
    assert watcher.frame_jpeg() is not None


def test_the_reader_learns_how_many_dice_are_played_with(watched, monkeypatch):
    expected = []

    class Counting(Blind):
        def feed(self, frame):
            del frame
            expected.append(self.reader.dice)
            return Reading(Status.EMPTY)

    monkeypatch.setattr("station.camera.watcher.StreamReader", Counting)
    table, camera = Table(), ScriptedCamera(frame())
    watched(camera, table)
    until(table, lambda state: state["camera"]["name"] == "scripted camera")
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "double-cameroon"})
    camera.add(frame(1), CameraError("Enough."))
    until(table, lambda state: not state["camera"]["ok"])
    assert expected == [5, 10]


def test_the_thread_ahead_ends_with_the_camera(watched, monkeypatch):
    seen, twice = [], threading.Event()

    class Asking(Blind):
        def feed(self, frame):
            seen.append((self.reader.ahead, self.reader.ahead.submit(threading.current_thread).result()))
            if len(seen) == 2:
                twice.set()
            return super().feed(frame)

    monkeypatch.setattr("station.camera.watcher.StreamReader", Asking)
    camera = ScriptedCamera(frame(), CameraError("camera/no_pictures", camera="it"), frame(1))
    watcher = watched(camera, Table(), ahead=True)
    assert twice.wait(DEADLINE_S)
    assert watcher.stop(DEADLINE_S)
    (first, worked), (second, _) = seen
    assert first is second
    worked.join(DEADLINE_S)
    assert not worked.is_alive()


@pytest.mark.slow
@pytest.mark.parametrize(
    "ready", [False, True], ids=["while the reader gets ready", "in the middle of a look"]
)
def test_a_reading_that_nobody_waits_for_is_given_up(watched, monkeypatch, ready):
    size_wh, inside, goes_on, asked = (640, 360), threading.Event(), threading.Event(), []
    if ready:
        warm(size_wh)
    else:
        monkeypatch.setattr("vision.warming.warmed", set())
    gather, evidence = candidates.gather, Reader._evidence

    def held_up(*told):
        inside.set()
        assert goes_on.wait(DEADLINE_S)
        return gather(*told)

    monkeypatch.setattr("vision.reader.candidates.gather", held_up)
    monkeypatch.setattr(Reader, "_evidence", lambda *told: asked.append(told) or evidence(*told))
    monkeypatch.setattr("station.camera.watcher.StreamReader", StreamReader)
    camera = ScriptedCamera(*(Frame(some_dice(size_wh), float(number), number) for number in range(3)))
    watcher = watched(camera, Table())
    assert inside.wait(DEADLINE_S)
    watcher.ask_to_stop()
    goes_on.set()
    assert watcher.stop(DEADLINE_S)
    assert (asked, camera.running) == ([], False)


def test_a_thread_that_was_left_behind_leaves_the_camera_to_the_next_one(watched):
    """It hung in a look, another was begun, and then it comes back."""
    table, hangs, goes_on = Table(), threading.Event(), threading.Event()

    class Hanging(ScriptedCamera):
        def read(self, timeout_s=1.0):
            if not hangs.is_set():
                hangs.set()
                goes_on.wait(DEADLINE_S)
            return super().read(timeout_s)

    camera = Hanging()
    watcher = watched(camera, table)
    assert hangs.wait(DEADLINE_S)
    watcher.restart()
    camera.add(frame())
    until(table, lambda state: state["camera"]["name"] == "scripted camera")
    behind = watcher._left_behind
    goes_on.set()
    behind.join(DEADLINE_S)
    assert not behind.is_alive()
    assert camera.running
