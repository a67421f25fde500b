"""Homes in the log."""

import pytest

from tests.game.begun import begun
from tests.game.lines import is_json_and_back, is_line_and_back, no_station_can_live_with

LINES = [
    ('start 1 0 lawn "Ana" "Ben" homes ",berlin"', begun(1, 0, "lawn", ("Ana", "Ben"), homes=("", "berlin"))),
]


@pytest.mark.parametrize(("line", "event"), LINES)
def test_it_is_a_line_and_json_and_back(line, event):
    is_line_and_back(line, event)
    is_json_and_back(event)


@pytest.mark.parametrize("homes", [["attic"]])
def test_what_no_station_can_live_with_is_no_event(homes):
    started = {
        "kind": "game_started",
        "game": 1,
        "previous": 0,
        "rules": "yacht-1938",
        "players": ["Ana", "Ben"],
    }
    no_station_can_live_with(started | {"homes": homes})
