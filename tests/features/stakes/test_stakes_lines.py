"""Stakes in the log."""

import pytest

from tests.game.begun import begun
from tests.game.lines import is_json_and_back, is_line_and_back, is_no_event, no_station_can_live_with

LINES = [
    (
        'start 1 0 lawn "Ana" "Ben" first 1 by random for "0.05 2 €"',
        begun(1, 0, "lawn", ("Ana", "Ben"), first=1, starter="random", stakes=("0.05", "2", "€")),
    ),
    (
        'start 1 0 ours "Ana" with "a" by rotate for "1 0"',
        begun(1, 0, "ours", ("Ana",), "a", starter="rotate", stakes=("1", "0", "")),
    ),
    (
        'start 1 0 lawn "Ana" "Ben" first 1 by random for "1 0 pt a"',
        begun(1, 0, "lawn", ("Ana", "Ben"), first=1, starter="random", stakes=("1", "0", "pt a")),
    ),
]


@pytest.mark.parametrize(("line", "event"), LINES)
def test_it_is_a_line_and_json_and_back(line, event):
    is_line_and_back(line, event)
    is_json_and_back(event)


@pytest.mark.parametrize("line", ['start 1 0 lawn "Ana" for "1"', 'start 1 0 lawn "Ana" for "1 a"'])
def test_a_line_without_sense_is_named(line):
    is_no_event(line)


@pytest.mark.parametrize("stakes", [["1e30000000", "0", "€"], ["1"], ["1", "0", "€" * 100]])
def test_what_no_station_can_live_with_is_no_event(stakes):
    started = {
        "kind": "game_started",
        "game": 1,
        "previous": 0,
        "rules": "yacht-1938",
        "players": ["Ana", "Ben"],
    }
    no_station_can_live_with(started | {"stakes": stakes})
