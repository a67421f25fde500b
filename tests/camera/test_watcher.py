"""The camera worker with a camera made of a script: frames, silence, failure, end."""

import threading
import time

import cv2
import numpy as np
import pytest

from calibration.profile import Profile
from messages.errors import CameraError
from messages.message import Message
from station.camera.profile_guard import ProfileGuard, Verdict
from station.camera.watcher import Watcher
from station.contract.view import as_json
from station.table import Table
from tests.asking import do, shown
from tests.table.helpers import Clock, reading
from vision.cameras.recorded import video
from vision.detection import candidates
from vision.frame import EndOfRecording, Frame
from vision.reader import Reader
from vision.reading import Reading, Status
from vision.stream import StreamReader
from vision.warming import some_dice, warm

DEADLINE_S = 60.0


class ScriptedCamera:
    """Gives what a list says, one entry a read; then waits for more."""

    name = "scripted camera"

    def __init__(self, *script):
        self.script = list(script)
        self.starts = 0
        self.running = False
        self.more = threading.Condition()

    def add(self, *entries):
        with self.more:
            self.script.extend(entries)
            self.more.notify_all()

    def start(self):
        self.starts += 1
        self.running = True

    def stop(self):
        self.running = False

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *exc):
        self.stop()

    def read(self, timeout_s=1.0):
        with self.more:
            if not self.more.wait_for(lambda: bool(self.script), min(timeout_s, 0.01)):
                return None
            entry = self.script.pop(0)
        if isinstance(entry, BaseException):
            raise entry
        return entry


def frame(number=0):
    return Frame(np.full((120, 160, 3), 90, np.uint8), float(number), number)


class Blind:
    """Reads nothing: what a reader makes of pictures is tried elsewhere."""

    still_since_s = None

    def __init__(self, reader, looks_max):
        del looks_max
        self.reader = reader

    def feed(self, frame):
        del frame
        return Reading(Status.EMPTY)


@pytest.fixture
def table():
    table = Table()
    table.execute({"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    return table


@pytest.fixture
def watched(monkeypatch):
    """Starts watchers whose waits for a new try are short, and stops them."""
    monkeypatch.setattr("station.camera.watcher.RETRY_S", (0.0,))
    monkeypatch.setattr("station.camera.watcher.StreamReader", Blind)
    started = []

    def start(camera, table, **settings):
        watcher = Watcher(camera, table, **settings)
        watcher.start()
        started.append(watcher)
        return watcher

    yield start
    assert all(watcher.stop(DEADLINE_S) for watcher in started)


def until(table, what):
    subscription = table.subscribe()
    deadline_s = time.monotonic() + DEADLINE_S
    while True:
        view = subscription.get(max(deadline_s - time.monotonic(), 0.0))
        assert view is not None, shown(table)
        state = as_json(view)
        if what(state):
            return state


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
    assert state["camera"]["message"] == "The scripted camera gives no pictures; look at its cable."
    camera.add(frame(2))
    until(table, lambda state: state["camera"]["ok"])


def test_a_failure_nobody_foresaw_does_not_end_the_worker(watched):
    table, camera = Table(), ScriptedCamera(RuntimeError("a bug"))
    watched(camera, table)
    assert "the log" in until(table, lambda state: not state["camera"]["ok"])["camera"]["message"]
    camera.add(frame())
    until(table, lambda state: state["camera"]["ok"])


def test_the_last_picture_of_a_recording_stays(watched):
    table, camera = Table(), ScriptedCamera(frame(), EndOfRecording())
    watcher = watched(camera, table)
    until(table, lambda state: "recording has ended" in state["camera"]["message"])
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


def test_a_camera_that_was_moved_is_said_and_its_rolls_are_not_called_sure(watched, monkeypatch):
    class Sure(Blind):
        def feed(self, frame):
            del frame
            return reading(1, 2, 3, 4, 5)

    class Guarding:
        def begin(self, frame, camera):
            del frame, camera
            return Verdict(None)

        def look(self, frame):
            del frame
            return Verdict(None, trusted=False, message=Message("calibration/movement/lost"))

    monkeypatch.setattr("station.camera.watcher.StreamReader", Sure)
    table, camera = Table(), ScriptedCamera(frame())
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    watched(camera, table, guard=Guarding())
    until(table, lambda state: "accept_roll" in state["commands"])
    camera.add(frame(1))
    state = until(table, lambda state: state["reading"]["reasons"] == ["camera_moved"])
    assert state["problem"] == "The picture no longer shows the tray as it was; find the tray again."
    assert "accept_roll" not in state["commands"]
    assert "enter_roll" in state["commands"]


def test_what_is_wrong_with_the_camera_is_said_again_when_its_picture_is_another(watched):
    class Moved:
        def look(self, frame, camera=None):
            del frame, camera
            return Verdict(None, trusted=False, message=Message("calibration/movement/lost"))

        begin = look

    table, camera = Table(), ScriptedCamera(frame())
    watcher = watched(camera, table, guard=Moved())
    until(table, lambda state: not state["camera"]["ok"])
    watcher.reopen()
    camera.add(frame(1))
    until(table, lambda state: state["camera"]["ok"])
    camera.add(frame(2))
    state = until(table, lambda state: not state["camera"]["ok"])
    assert state["problem"] == "The picture no longer shows the tray as it was; find the tray again."


def test_no_roll_is_offered_before_it_is_known_how_the_camera_stands(watched, monkeypatch):
    class Sure(Blind):
        def feed(self, frame):
            return reading(1, 2, 3, 4, 5) if frame.number else Reading(Status.MOVING)

    class Comparing:
        def begin(self, frame, camera):
            del camera
            return self.look(frame)

        def look(self, frame):
            return Verdict(None, settled=frame.number >= 3)

    offered = []

    class Listening(Table):
        def offer(self, reading, *, taken_s=None):
            offered.append((reading.status, taken_s))
            super().offer(reading, taken_s=taken_s)

    monkeypatch.setattr("station.camera.watcher.StreamReader", Sure)
    table, camera = Listening(), ScriptedCamera(*(frame(number) for number in range(4)))
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    watched(camera, table, guard=Comparing())
    until(table, lambda state: "accept_roll" in state["commands"])
    assert offered == [(Status.MOVING, 0.0), (Status.READY, 3.0)]


def test_another_profile_is_used_from_the_next_frame_on(watched, tmp_path):
    table, camera = Table(), ScriptedCamera(frame())
    watcher = watched(camera, table)
    until(table, lambda state: state["camera"]["name"] == "scripted camera")
    assert watcher.frame().number == 0
    watcher.use(ProfileGuard(Profile(camera="another camera"), tmp_path))
    camera.add(frame(1))
    message = until(table, lambda state: state["camera"]["message"])["camera"]["message"]
    assert "was made for the another camera, not for the scripted camera" in message
    watcher.use(None)
    camera.add(frame(2))
    assert until(table, lambda state: not state["camera"]["message"])["camera"]["ok"]


def test_a_picture_of_another_size_is_not_read_with_the_profile_of_the_first(watched, tmp_path):
    """A phone that is turned while it films, or a camera that comes back in another mode."""
    turned = Frame(np.full((160, 120, 3), 90, np.uint8), 1.0, 1)
    table, camera = Table(), ScriptedCamera(frame())
    profile = Profile(camera=ScriptedCamera.name, size_wh=(160, 120))
    watched(camera, table, guard=ProfileGuard(profile, tmp_path))
    assert until(table, lambda state: state["camera"]["name"])["camera"]["message"] == ""
    camera.add(turned)
    message = until(table, lambda state: state["camera"]["message"])["camera"]["message"]
    assert "another shape than 120 by 160" in message
    camera.add(frame(2))
    assert until(table, lambda state: not state["camera"]["message"])["camera"]["ok"]


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
