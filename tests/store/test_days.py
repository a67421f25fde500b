"""A clock that was wrong, or is, throws nothing away."""

from contextlib import closing
from datetime import timedelta

import pytest

from station.store import Store
from station.store.days import FILE_NAME
from station.table.table import Table
from tests.asking import do
from tests.store.helpers import play
from tests.store.stores import NOON


def started(folder, days, *, plays=False):
    """What can be put back once a station was started on that day, by its clock; plays: with a game."""
    with closing(Store(folder, now=lambda: NOON + timedelta(days=days))) as store:
        if plays:
            play(Table(store))
        return [game.game for game in store.games_aside()]


@pytest.fixture
def deleted(tmp_path):
    """The folder of a station where a game was deleted on day 0."""
    folder = tmp_path / "data"
    with closing(Store(folder, now=lambda: NOON)) as store:
        play(Table(store))
        assert store.delete_game(1)
    return folder


@pytest.mark.parametrize("years", [1, 56, -30])
def test_a_clock_that_is_set_right_costs_no_deleted_game(deleted, years):
    jump = 365 * years
    for day in (0, 0.1, 2, 9, 16):
        assert started(deleted, jump + day) == [1], f"day {day}"
    for day in (23, 30, 31):
        left = started(deleted, jump + day)
    assert left == [], "the month is over by what was counted too"


def test_on_the_day_of_a_jump_nothing_goes_that_is_due(deleted):
    for day in (7, 14, 21, 28):
        assert started(deleted, day) == [1]
    assert started(deleted, 400) == [1], "a month by any count, but the clock has just jumped"
    assert started(deleted, 400.9) == [1]
    assert started(deleted, 401.1) == []


def test_events_count_where_the_station_is_never_started_anew(deleted):
    days = [0]
    with closing(Store(deleted, now=lambda: NOON + timedelta(days=days[-1]))) as store:
        table = Table(store)
        do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
        for day in range(6, 30, 6):
            days.append(day)
            do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 5]})
            do(table, {"command": "undo"})
    assert started(deleted, 31) == []


@pytest.mark.parametrize(
    "spoilt", [b"", b"{}", b'{"seen": 1, "now": 2, "jumped": 3, "event": 4}', b"\xff", None]
)
def test_without_the_count_the_clock_is_one_that_was_just_set(deleted, spoilt):
    (deleted / FILE_NAME).write_bytes(spoilt or b"")
    if spoilt is None:
        (deleted / FILE_NAME).unlink()
    assert started(deleted, 31) == [1]
    assert started(deleted, 32) == []
