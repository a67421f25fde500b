"""The camera worker with a camera made of a script: frames, silence, failure, end."""

import threading

import cv2
import numpy as np
import pytest

from messages.errors import CameraError
from station.camera.watcher import Watcher
from station.table.table import Table
from tests.asking import do
from tests.camera.scripted_camera import DEADLINE_S, Blind, ScriptedCamera, Sure, frame, lost, seen, until
from tests.table.helpers import Clock
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
    state = seen(table)
    assert state["camera"] == {"name": "scripted camera", "ok": True, "message": ""}
    jpeg = watcher.frame_jpeg()
    assert jpeg is not None
    assert jpeg[:2] == b"\xff\xd8"
    assert watcher.frame_jpeg() is jpeg
    small = watcher.frame_jpeg(32)
    assert small is not None
    assert cv2.imdecode(np.frombuffer(small, np.uint8), cv2.IMREAD_COLOR).shape[1] == 32
    assert watcher.frame_age_s is not None


def test_a_camera_that_is_stuck_is_reported_and_opened_anew(watched):
    noise = np.random.default_rng(3)
    first, second = (Frame(noise.integers(0, 255, (120, 160, 3), np.uint8), 0.0, 0) for _ in range(2))
    table, clock, camera = Table(), Clock(), ScriptedCamera(first)
    watched(camera, table, sensor=True, clock=clock)
    seen(table)
    clock.pass_s(6.0)
    camera.add(first)
    assert "the very same picture" in lost(table)["camera"]["message"]
    camera.add(first, first, second)  # once: one that is dark and has no noise would be opened all night
    seen(table)
    assert camera.starts == 2


def test_before_the_first_frame_there_is_no_picture():
    watcher = Watcher(ScriptedCamera(), Table())
    assert watcher.frame_jpeg() is None
    assert watcher.frame_age_s is None
    assert watcher.stop()


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (CameraError("The camera was unplugged; plug it in."), "The camera was unplugged; plug it in."),
        (RuntimeError("a bug"), "Reading the camera failed; the station's log says why."),
        (None, "No picture from the scripted camera. Check its cable."),
    ],
    ids=["unplugged", "bug", "silent"],
)
def test_a_camera_that_fails_is_reported_and_tried_again(watched, error, message):
    table, camera, clock = Table(), ScriptedCamera(frame()), Clock()
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    watched(camera, table, clock=clock, new_stream=Sure)
    until(table, lambda state: "accept_roll" in state["commands"])
    if error is None:
        clock.pass_s(60.0)
    else:
        camera.add(error)
    state = lost(table)
    assert state["problem"] == state["camera"]["message"] == message
    assert "enter_roll" in state["commands"]
    assert "accept_roll" not in state["commands"]
    camera.add(frame(1))
    assert seen(table)["problem"] is None
    assert camera.starts >= 2


def test_a_film_that_is_none_is_reported_and_is_no_failure_of_the_station(watched, tmp_path, caplog):
    film = tmp_path / "film.mp4"
    film.write_text("no film", encoding="utf-8")
    table = Table()
    watched(video(film), table)
    message = lost(table)["camera"]["message"]
    assert message == f"{film} is not a video that can be played (or it is damaged)."
    assert not [each for each in caplog.records if each.exc_info]


def test_the_last_picture_of_a_recording_stays(watched):
    table, camera = Table(), ScriptedCamera(frame(), EndOfRecording())
    watcher = watched(camera, table)
    until(table, lambda state: "recording is over" in state["camera"]["message"])
    assert watcher.frame_jpeg() is not None


def test_the_reader_learns_how_many_dice_are_played_with(watched):
    expected = []

    class Counting(Blind):
        def feed(self, frame):
            del frame
            expected.append(self.reader.dice)
            return Reading(Status.EMPTY)

    table, camera = Table(), ScriptedCamera(frame())
    watched(camera, table, new_stream=Counting)
    seen(table)
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "double-cameroon"})
    camera.add(frame(1), CameraError("Enough."))
    lost(table)
    assert expected == [5, 10]


def test_the_thread_ahead_ends_with_the_camera(watched):
    seen, twice = [], threading.Event()

    class Asking(Blind):
        def feed(self, frame):
            seen.append((self.reader.ahead, self.reader.ahead.submit(threading.current_thread).result()))
            if len(seen) == 2:
                twice.set()
            return super().feed(frame)

    camera = ScriptedCamera(frame(), CameraError("camera/no_pictures", camera="it"), frame(1))
    watcher = watched(camera, Table(), ahead=True, new_stream=Asking)
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

    def held_up(*given):
        inside.set()
        assert goes_on.wait(DEADLINE_S)
        return gather(*given)

    monkeypatch.setattr("vision.reader.candidates.gather", held_up)
    monkeypatch.setattr(Reader, "_evidence", lambda *given: asked.append(given) or evidence(*given))
    camera = ScriptedCamera(*(Frame(some_dice(size_wh), float(number), number) for number in range(3)))
    watcher = watched(camera, Table(), new_stream=StreamReader)
    assert inside.wait(DEADLINE_S)
    watcher.ask_to_stop()
    goes_on.set()
    assert watcher.stop(DEADLINE_S)
    assert (asked, camera.running) == ([], False)


def test_a_thread_that_was_left_behind_leaves_the_camera_to_the_next_one(watched):
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
    seen(table)
    behind = watcher._left_behind
    goes_on.set()
    behind.join(DEADLINE_S)
    assert not behind.is_alive()
    assert camera.running
