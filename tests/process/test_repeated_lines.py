"""What is logged again and again is written once a minute."""

import io
import logging

import pytest

from station.health.log_tail import LogTail
from station.health.repeated_lines import LINES_MAX, RepeatedLines, formatter
from tests.table.helpers import Clock


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def written(clock):
    """What is logged, and where it comes to be written."""
    to = io.StringIO()
    handler = logging.StreamHandler(to)
    handler.setFormatter(formatter())
    handler.addFilter(RepeatedLines(clock))
    log = logging.Logger("station.server")  # noqa: LOG001 - known to nobody else
    log.addHandler(handler)
    return log, lambda: to.getvalue().splitlines()


def test_the_same_line_is_written_once_a_minute_and_how_often_it_was_left_out(written, clock):
    log, lines = written
    for _ in range(1000):
        log.warning("no place for %s", "192.0.2.7")
    log.warning("no place for %s", "192.0.2.8")
    assert lines() == [f"WARNING station.server: no place for 192.0.2.{n}" for n in (7, 8)]
    clock.pass_s(59.0)
    log.warning("no place for %s", "192.0.2.7")
    assert len(lines()) == 2
    clock.pass_s(1.0)
    log.warning("no place for %s", "192.0.2.7")
    said = "WARNING station.server: no place for 192.0.2.7 (1000 times more since it was last written)"
    assert lines()[2:] == [said]


def test_another_level_or_another_error_is_another_line(written):
    log, lines = written
    for error in (OSError("disk"), OSError("line"), OSError("disk")):
        log.error("it failed", exc_info=error)
        log.info("it failed")
    assert [line for line in lines() if "failed" in line or line.startswith("OSError")] == [
        "ERROR station.server: it failed",
        "OSError: disk",
        "INFO station.server: it failed",
        "ERROR station.server: it failed",
        "OSError: line",
    ]


def test_what_is_known_is_bounded(written):
    log, _ = written
    for n in range(10 * LINES_MAX):
        log.info("line %d", n)
    (kept,) = log.handlers[0].filters
    assert len(kept._known) == LINES_MAX


def test_the_last_lines_of_the_bundle_are_not_filled_with_one():
    tail = LogTail()
    log = logging.Logger("station")  # noqa: LOG001 - known to nobody else
    log.addHandler(tail)
    log.warning("the camera has gone")
    for _ in range(1000):
        log.warning("again")
    assert [line.rpartition(" ")[2] for line in tail.text().splitlines()] == ["gone", "again"]
