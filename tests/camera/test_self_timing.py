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


def timed(folder, what):
    """A timing that is begun and through; how often it was asked."""
    asked, through = [], threading.Event()

    def time_it(small, go_on, *, usual):
        assert small == "a picture"
        assert usual
        go_on()
        asked.append(1)
        return what

    def told(found):
        through.set()
        return found.model_copy(update={"smaller": True})

    timing = SelfTiming(folder, time_it, draw=lambda: "a picture")
    known = timing.speed is not None
    timing.begin(told)
    if not known:
        assert through.wait(DEADLINE_S)
        timing.join(DEADLINE_S)
    return timing, len(asked)


def test_it_is_timed_once_and_kept(tmp_path):
    first, asked = timed(tmp_path, SLOW)
    assert (first.speed.smaller, asked) == (True, 1)
    again, asked = timed(tmp_path, QUICK)
    assert (again.speed, asked) == (first.speed, 0)


def test_a_file_of_before_is_taken_though_it_says_more(tmp_path):
    (tmp_path / FILE_NAME).write_text(
        SLOW.model_dump_json().replace("{", '{"settle_s": 0.002, "hint_s": 0.001, ')
    )
    found, asked = timed(tmp_path, QUICK)
    assert (found.speed, asked) == (SLOW, 0)


@pytest.mark.parametrize("text", ["", "{}", speed(machine="another one").model_dump_json()])
def test_another_machine_and_a_file_that_cannot_be_read_are_timed_anew(tmp_path, text):
    (tmp_path / FILE_NAME).write_text(text)
    found, asked = timed(tmp_path, SLOW)
    assert (found.speed.read_s, asked) == (SLOW.read_s, 1)


def test_a_station_that_stops_leaves_it_at_that(tmp_path):
    stopped = SelfTiming(tmp_path, draw=list)
    stopped.close()
    stopped.begin(lambda found: found)
    stopped.join(DEADLINE_S)
    assert not (tmp_path / FILE_NAME).exists()


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
    assert not (tmp_path / FILE_NAME).exists()


def test_a_timing_that_fails_is_no_trouble(tmp_path):
    def fail(*_, **__):
        raise FailedError("advice/process", why="killed")

    timing = SelfTiming(tmp_path, fail, draw=list)
    timing.begin(lambda found: found)
    timing.join(DEADLINE_S)
    assert timing.speed is None


@pytest.mark.slow
def test_what_is_drawn_is_read_and_timed(monkeypatch):
    monkeypatch.setattr(self_timing, "SHARE_S", 0.0)
    found = measure(drawn(), lambda: None)
    assert found.machine == machine()
    assert min(found.read_s, found.again_s, found.smaller_read_s, found.smaller_again_s) > 0


def test_what_else_runs_is_not_counted(monkeypatch):
    ends, now = iter([9.0, 0.5, 0.2, 0.7]), [0.0]

    def work(_):
        now[0] += next(ends)

    monkeypatch.setattr(self_timing, "SHARE_S", 1.0)
    monkeypatch.setattr(self_timing.time, "perf_counter", lambda: now[0])
    assert self_timing.least_s(Task("read_s", lambda: None, work), lambda: None) == pytest.approx(0.2)


@pytest.mark.slow
def test_each_picture_that_is_timed_is_new_to_the_networks(monkeypatch):
    asked, answers = [], RecentAnswers.answers
    kept = defaultdict(RecentAnswers)  # nothing of what the tests before have shown the networks

    def noted(self, shown, ask):
        return answers(kept[id(self)], shown, lambda new: asked.append(len(new)) or ask(new))

    monkeypatch.setattr(RecentAnswers, "answers", noted)
    task = next(tasks(drawn()))
    given = task.fresh()
    task.work(given)
    once = sum(asked)
    assert once > 0
    task.work(given)
    assert sum(asked) == once
    task.work(task.fresh())
    assert sum(asked) > once


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


def scarce(folder, **more):
    return parse(
        {"data": folder, "camera": "simulated", "buttons": "none", "limits": {"memory": "small"}, **more}
    )


def test_where_memory_is_scarce_pictures_are_smaller(tmp_path):
    (tmp_path / FILE_NAME).write_text(QUICK.model_dump_json())
    opened = OpenedCamera(scarce(tmp_path))
    assert opened.picture.now.taken_wh == SMALLER_WH
    assert opened.picture.offered_s == QUICK.offered_s(SMALLER_WH)
    opened.profiles.active.write_text("{}")
    opened.picture.timed(QUICK)
    assert opened.picture.now.taken_wh == SMALLER_WH, "a calibration fits any size of the shape"
    opened.camera.start()
    assert opened.camera.read(DEADLINE_S).image.shape[:2] == SMALLER_WH[::-1]


def test_where_memory_is_scarce_a_size_that_was_named_stays(tmp_path):
    opened = OpenedCamera(scarce(tmp_path, picture={"size": [1280, 720]}))
    opened.picture.timed(SLOW)
    assert opened.picture.now.taken_wh == (1280, 720)
    assert opened.picture.offered_s == SLOW.offered_s((1280, 720))


@pytest.mark.parametrize("memory", ["normal", "small"])
def test_what_else_was_chosen_names_no_size(tmp_path, memory):
    """Somebody turned the picture on the page: it is no reason to take the larger one."""
    opened = OpenedCamera(parse({"data": tmp_path, "camera": "simulated", "limits": {"memory": memory}}))
    opened.picture.choice.use = lambda _: None
    opened.picture.choice.choose(Picture(rotation=180))
    opened.picture.timed(SLOW)
    assert (opened.picture.now.taken_wh, opened.picture.now.rotation) == (SMALLER_WH, 180)
    assert opened.picture.choice.now.size is None, "the page shows that nobody has named any"
    assert "size" not in opened.picture.now.asked, "and a camera that has not got it is no fault"
    (tmp_path / FILE_NAME).write_text(opened.picture.timing.speed.model_dump_json())
    again = OpenedCamera(parse({"data": tmp_path, "camera": "simulated", "limits": {"memory": memory}}))
    assert again.picture.now == opened.picture.now
    opened.picture.choice.choose(Picture(size=(1280, 720)))
    assert opened.picture.now.taken_wh == (1280, 720)
    assert opened.picture.offered_s == SLOW.offered_s((1280, 720)), "health expects what is taken"
    opened.picture.choice.forget()
    assert opened.picture.now.taken_wh == SMALLER_WH


@pytest.mark.parametrize("named", [False, True])
def test_the_usual_picture_is_timed_where_it_may_be_taken(tmp_path, named):
    only_smaller = SLOW.model_copy(update={"read_s": None, "again_s": None, "smaller": True})
    (tmp_path / FILE_NAME).write_text(only_smaller.model_dump_json())
    picture = {"size": [1280, 720]} if named else {}
    kept = OpenedCamera(scarce(tmp_path, picture=picture)).picture.timing.speed
    assert kept == (None if named else only_smaller)
    assert only_smaller.offered_s(PICTURE_WH) == SLOW.offered_s(SMALLER_WH)
    assert SelfTiming(tmp_path).speed is None


@pytest.mark.slow
def test_the_usual_picture_need_not_be_timed(monkeypatch):
    monkeypatch.setattr(self_timing, "SHARE_S", 0.0)
    found = measure(drawn(), lambda: None, usual=False)
    assert (found.read_s, found.again_s, found.wants_smaller) == (None, None, True)
    assert found.smaller_read_s > 0


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
