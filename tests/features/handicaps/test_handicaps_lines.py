"""Handicaps in the log."""

import pytest

from tests.game.begun import begun
from tests.game.lines import is_json_and_back, is_line_and_back, is_no_event, no_station_can_live_with

LINES = [
    ('start 1 0 lawn "Ana" "Ben" handicaps 0,12', begun(1, 0, "lawn", ("Ana", "Ben"), handicaps=(0, 12))),
]


@pytest.mark.parametrize(("line", "event"), LINES)
def test_it_is_a_line_and_json_and_back(line, event):
    is_line_and_back(line, event)
    is_json_and_back(event)


@pytest.mark.parametrize(
    "line", ['start 1 0 lawn "Ana" "Ben" handicaps 12', 'start 1 0 lawn "Ana" handicaps 1000']
)
def test_a_line_without_sense_is_named(line):
    is_no_event(line)


@pytest.mark.parametrize("handicaps", [[None, 1], [1, 2, 3], [1_000_000_000, 0]])
def test_what_no_station_can_live_with_is_no_event(handicaps):
    started = {
        "kind": "game_started",
        "game": 1,
        "previous": 0,
        "rules": "yacht-1938",
        "players": ["Ana", "Ben"],
    }
    no_station_can_live_with(started | {"handicaps": handicaps})
