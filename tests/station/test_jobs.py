"""Work in the background: a few pieces at a time, however many are asked for, and none for ever."""

import threading
import time

from messages.catalogue import text
from messages.errors import FailedError
from messages.message import Message
from station.advice.jobs import AT_ONCE, LONGEST_S, REMEMBERED_MAX, WAITING_MAX, Jobs, JobStage
from tests.table.helpers import Clock

DOING = Message("advice/doing", title="Yacht")
PATIENCE_S = 60.0


def until(what) -> None:
    end_s = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < end_s
        time.sleep(0.01)


def test_a_few_at_a_time_and_a_few_more_wait():
    jobs, open_ = Jobs(), threading.Event()
    lock, running, most = threading.Lock(), [0], [0]

    def work(_) -> None:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        open_.wait(PATIENCE_S)
        with lock:
            running[0] -= 1

    keys = [jobs.begin(f"work {number}", DOING, work).message.key for number in range(200)]
    assert keys.count("advice/busy") == 200 - AT_ONCE - WAITING_MAX
    assert threading.active_count() < 40
    until(lambda: running[0] == AT_ONCE)
    open_.set()
    until(lambda: not any(thread.is_alive() for thread in jobs._threads))
    assert most[0] == AT_ONCE
    assert jobs.begin("work 199", DOING, work).message.key == "advice/working"
    jobs.close()


def test_a_piece_that_takes_too_long_is_given_up_and_not_tried_again():
    clock = Clock()
    jobs = Jobs(clock=clock)

    def work(tell) -> None:
        while True:
            clock.pass_s(LONGEST_S / 10)
            tell(0.5)

    jobs.begin("long", DOING, work)
    until(lambda: jobs.begin("long", DOING, work).stage is JobStage.FAILED)
    assert jobs.begin("long", DOING, work).message.key == "advice/too_long"
    assert jobs.failure is None, "it did not fall over"
    jobs.forget_failures()
    assert jobs.begin("long", DOING, work).stage is JobStage.FAILED
    jobs.close()


def test_of_many_pieces_only_the_latest_are_remembered():
    jobs = Jobs()
    for number in range(REMEMBERED_MAX + 50):
        jobs.begin(f"work {number}", DOING, lambda _: None)
        jobs._threads[-1].join(PATIENCE_S)
    until(lambda: not any(thread.is_alive() for thread in jobs._threads))
    jobs.begin("one more", DOING, lambda _: None)
    until(lambda: not any(thread.is_alive() for thread in jobs._threads))
    assert len(jobs._preparations) <= REMEMBERED_MAX + AT_ONCE + WAITING_MAX
    jobs.close()


def test_why_work_failed_is_told_in_the_same_language(ready):
    for error, language, ending in (
        (ValueError("no luck"), "en", "Working out the best play (Yacht) failed: no luck"),
        (
            FailedError("advice/process", why="Killed"),
            "de",
            "misslungen (der Prozess dafür ist abgebrochen: Killed)",
        ),
    ):
        jobs = Jobs(ready)

        def work(_, error=error):
            raise error

        assert str(jobs.begin("a", DOING, work).message) == "Working out the best play (Yacht) …"
        ready.wait()
        assert text(jobs.begin("a", DOING, work).message, language).endswith(ending)


def test_progress_is_told_in_words(ready):
    background, reported, go_on = Jobs(ready), threading.Event(), threading.Event()

    def work(tell):
        tell(0.5)
        reported.set()
        assert go_on.wait(PATIENCE_S)

    background.begin("a", DOING, work)
    assert reported.wait(PATIENCE_S)
    half = background.begin("a", DOING, work)
    assert (half.share, str(half.message)) == (0.5, "Working out the best play (Yacht) …")
    go_on.set()
    ready.wait()
    assert background.begin("a", DOING, work).share == 0  # done, and asked for anew
    ready.wait()
    background.close()


def test_closing_ends_work_at_its_next_word():
    background, begun, go_on = Jobs(), threading.Event(), threading.Event()
    ended = []

    def work(tell):
        begun.set()
        assert go_on.wait(PATIENCE_S)
        try:
            tell(0.1)
        finally:
            ended.append(True)

    background.begin("a", DOING, work)
    assert begun.wait(PATIENCE_S)
    threading.Timer(0.05, go_on.set).start()
    background.close()
    assert ended == [True]
    assert background.begin("b", DOING, work).stage is JobStage.FAILED
