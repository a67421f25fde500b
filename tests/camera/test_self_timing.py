"""The station times its machine once, and looks by what came out."""

import threading
from collections import defaultdict

import pytest

from messages.errors import FailedError
from station.app import Station
from station.camera import self_timing
from station.camera.opened_camera import OpenedCamera
from station.camera.self_timing import (
    FILE_NAME,
    SMALLER_WH,
    SelfTiming,
    Speed,
    Task,
    drawn,
    machine,
    measure,
    tasks,
)
from station.camera.watcher import OfferTimes
from station.config import Picture, parse
from station.contract.check import Level
from vision.cameras.sensors import PICTURE_WH
from vision.inference.networks import RecentAnswers
from vision.stream import LOOKS_MAX, READS_MIN

DEADLINE_S = 180.0


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(self_timing, "AFTER_S", 0.0)


def speed(read_s=0.05, smaller_s=0.03, **more):
    return Speed(
        machine=more.pop("machine", machine()),
        read_s=read_s,
        again_s=read_s / 2,
        smaller_read_s=smaller_s,
        smaller_again_s=smaller_s / 2,
        **more,
    )


QUICK, SLOW, HOPELESS = speed(), speed(0.6, 0.3), speed(4.0, 3.9)


def test_a_slow_machine_wants_a_smaller_picture_and_fewer_looks():
    assert [each.wants_smaller for each in (QUICK, SLOW, HOPELESS)] == [False, True, False]
    looks = [each.looks(PICTURE_WH) for each in (QUICK, SLOW, HOPELESS)]
    assert looks == [LOOKS_MAX, READS_MIN + 1, READS_MIN + 1]
    assert SLOW.offered_s(PICTURE_WH) > SLOW.offered_s(SMALLER_WH) > QUICK.offered_s(PICTURE_WH)
    assert SLOW.offered_s((1920, 1080)) == SLOW.offered_s(PICTURE_WH), "the largest that was timed"
    assert SLOW.offered_s((640, 360)) == SLOW.offered_s(SMALLER_WH)


def timed(folder, speed):
    """A timing that is begun and through; how often it was measured."""
    measured, through = [], threading.Event()

    def time_it(small, go_on, *, usual):
        assert small == "a picture"
        assert usual
        go_on()
        measured.append(1)
        return speed

    def use(found):
        through.set()
        return found.model_copy(update={"smaller": True})

    timing = SelfTiming(folder, time_it, draw=lambda: "a picture")
    known = timing.speed is not None
    timing.begin(use)
    if not known:
        assert through.wait(DEADLINE_S)
        timing.join(DEADLINE_S)
    return timing.speed, len(measured)


def test_it_is_timed_once_and_kept(tmp_path):
    first, count = timed(tmp_path, SLOW)
    assert (first.smaller, count) == (True, 1)
    assert timed(tmp_path, QUICK) == (first, 0)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 1),
        ("{}", 1),
        (speed(machine="another one").model_dump_json(), 1),
        (SLOW.model_dump_json().replace("{", '{"settle_s": 0.002, "hint_s": 0.001, '), 0),  # of 0.2.0
    ],
)
def test_another_machine_and_a_file_that_cannot_be_read_are_timed_anew(tmp_path, text, count):
    (tmp_path / FILE_NAME).write_text(text)
    assert timed(tmp_path, SLOW) == (SLOW.model_copy(update={"smaller": count > 0}), count)


def test_a_station_that_stops_does_not_wait_for_it(tmp_path, monkeypatch):
    begun, threads = threading.Event(), []

    def work(_):
        threads.append(threading.current_thread())
        begun.set()

    task = Task("read_s", lambda: None, work)
    monkeypatch.setattr(self_timing, "SHARE_S", 1e6)
    monkeypatch.setattr(self_timing, "tasks", lambda *_, **__: [task])
    timing = SelfTiming(tmp_path, draw=list)
    timing.begin(lambda found: found)
    assert begun.wait(DEADLINE_S)
    timing.close()
    timing.join(DEADLINE_S)
    assert not threads[0].is_alive()
    timing.begin(lambda found: found)
    timing.join(DEADLINE_S)
    assert len(set(threads)) == 1, "it does not begin again"
    assert not (tmp_path / FILE_NAME).exists()


def test_a_timing_that_fails_is_no_trouble(tmp_path):
    def fail(*_, **__):
        raise FailedError("advice/process", why="killed")

    timing = SelfTiming(tmp_path, fail, draw=list)
    timing.begin(lambda found: found)
    timing.join(DEADLINE_S)
    assert timing.speed is None


@pytest.mark.slow
@pytest.mark.parametrize("usual", [True, False])
def test_what_is_drawn_is_read_and_timed(monkeypatch, usual):
    monkeypatch.setattr(self_timing, "SHARE_S", 0.0)
    found = measure(drawn(), lambda: None, usual=usual)
    assert found.machine == machine()
    assert min(found.smaller_read_s, found.smaller_again_s) > 0
    if usual:
        assert min(found.read_s, found.again_s) > 0
    else:
        assert (found.read_s, found.again_s, found.wants_smaller) == (None, None, True)


def test_what_else_runs_is_not_counted(monkeypatch):
    ends, now = iter([9.0, 0.5, 0.2, 0.7]), [0.0]

    def work(_):
        now[0] += next(ends)

    monkeypatch.setattr(self_timing, "SHARE_S", 1.0)
    monkeypatch.setattr(self_timing.time, "perf_counter", lambda: now[0])
    assert self_timing.least_s(Task("read_s", lambda: None, work), lambda: None) == pytest.approx(0.2)


@pytest.mark.slow
def test_each_picture_that_is_timed_is_new_to_the_networks(monkeypatch):
    requested, answers = [], RecentAnswers.answers
    kept = defaultdict(RecentAnswers)  # nothing of what the tests before have shown the networks

    def noted(self, shown, ask):
        return answers(kept[id(self)], shown, lambda new: requested.append(len(new)) or ask(new))

    monkeypatch.setattr(RecentAnswers, "answers", noted)
    task = next(tasks(drawn()))
    given = task.fresh()
    task.work(given)
    once = sum(requested)
    assert once > 0
    task.work(given)
    assert sum(requested) == once
    task.work(task.fresh())
    assert sum(requested) > once


@pytest.fixture
def station(tmp_path):
    settings = {"host": "127.0.0.1", "port": 0, "data": tmp_path, "camera": "simulated", "buttons": "none"}
    station = Station(parse(settings))
    yield station
    station.stop()


def test_health_says_how_long_a_throw_takes_here(station):
    def told():
        return [(each.status, each.message.values) for each in station.checks() if each.id == "speed"]

    assert told() == []
    station.camera.opened.picture.timing.speed = SLOW
    assert told() == [(Level.OK, {"seconds": SLOW.offered_s(PICTURE_WH)})]
    for took_s in (0.3, 1.9, 2.0):
        station.camera.watcher.offers.note(None, 0.0, ready=False)
        station.camera.watcher.offers.note(0.0, took_s, ready=True)
    assert told() == [(Level.WARNING, {"seconds": 1.9})]


def test_a_calibration_keeps_the_size_of_its_picture(station):
    found = station.camera.timed(SLOW)
    assert found.smaller
    assert station.camera.opened.picture.now.taken_wh == SMALLER_WH
    assert station.camera.watcher.looks_max == found.looks(SMALLER_WH) < LOOKS_MAX
    station.camera.opened.profiles.active.write_text("{}")
    assert not station.camera.timed(SLOW).smaller
    assert station.camera.opened.picture.now.taken_wh is None


def opened(folder, memory="small", **more):
    return OpenedCamera(parse({"data": folder, "camera": "simulated", "limits": {"memory": memory}, **more}))


def test_where_memory_is_scarce_pictures_are_smaller_unless_a_size_was_named(tmp_path):
    (tmp_path / FILE_NAME).write_text(QUICK.model_dump_json())
    small = opened(tmp_path)
    assert small.picture.now.taken_wh == SMALLER_WH
    assert small.picture.offered_s == QUICK.offered_s(SMALLER_WH)
    small.profiles.active.write_text("{}")
    small.picture.timed(QUICK)
    assert small.picture.now.taken_wh == SMALLER_WH, "a calibration fits any size of the shape"
    small.camera.start()
    assert small.camera.read(DEADLINE_S).image.shape[:2] == SMALLER_WH[::-1]
    named = opened(tmp_path, picture={"size": [1280, 720]})
    named.picture.timed(SLOW)
    assert named.picture.now.taken_wh == (1280, 720)
    assert named.picture.offered_s == SLOW.offered_s((1280, 720))


@pytest.mark.parametrize("memory", ["normal", "small"])
def test_what_else_was_chosen_names_no_size(tmp_path, memory):
    picture = opened(tmp_path, memory).picture
    picture.choice.use = lambda _: None
    picture.choice.choose(Picture(rotation=180))
    picture.timed(SLOW)
    assert (picture.now.taken_wh, picture.now.rotation) == (SMALLER_WH, 180)
    assert picture.choice.now.size is None, "the page shows that nobody has named any"
    assert "size" not in picture.now.requested, "and a camera that has not got it is no fault"
    (tmp_path / FILE_NAME).write_text(picture.timing.speed.model_dump_json())
    assert opened(tmp_path, memory).picture.now == picture.now
    picture.choice.choose(Picture(size=(1280, 720)))
    assert picture.now.taken_wh == (1280, 720)
    assert picture.offered_s == SLOW.offered_s((1280, 720)), "health expects what is taken"
    picture.choice.forget()
    assert picture.now.taken_wh == SMALLER_WH


@pytest.mark.parametrize("named", [False, True])
def test_the_usual_picture_is_timed_where_it_may_be_taken(tmp_path, named):
    only_smaller = SLOW.model_copy(update={"read_s": None, "again_s": None, "smaller": True})
    (tmp_path / FILE_NAME).write_text(only_smaller.model_dump_json())
    picture = {"size": [1280, 720]} if named else {}
    kept = opened(tmp_path, picture=picture).picture.timing.speed
    assert kept == (None if named else only_smaller)
    assert only_smaller.offered_s(PICTURE_WH) == SLOW.offered_s(SMALLER_WH)
    assert SelfTiming(tmp_path).speed is None


def test_throws_are_measured_and_not_the_start_of_the_watcher():
    offers = OfferTimes()
    offers.note(9.0, 9.95, ready=True)
    assert offers.median_s is None
    offers.note(None, 9.95, ready=True)
    offers.note(9.6, 9.9, ready=False)
    for now_s in (9.95, 10.0):
        offers.note(9.6, now_s, ready=True)
    assert offers.median_s == pytest.approx(0.35)
    offers.note(None, 10.0, ready=False)
    offers.begin()
    offers.note(10.0, 11.0, ready=True)
    assert offers.median_s == pytest.approx(0.35)
