"""What features add to the log: each event as a line of the notation and as JSON, and back."""

from typing import Any

import pytest

from station.game.events import from_json
from tests.game.lines import is_json_and_back, is_line_and_back, is_no_event, no_station_can_live_with

LAWN = {"kind": "game_started", "game": 1, "previous": 0, "rules": "lawn", "players": ["Ana", "Ben"]}
LEFT = {"left": [[0, 30.0, 40.0, 60.0, "red", 7]], "rolling": True}


def begun(feature: str, line: str, **fields: Any) -> Any:
    return pytest.param(f'start 1 0 lawn "Ana" "Ben" {line}', LAWN | fields, marks=needed(feature))


def event(feature: str, line: str, kind: str, **fields: Any) -> Any:
    return pytest.param(line, {"kind": kind} | fields, marks=needed(feature))


def needed(feature: str) -> pytest.MarkDecorator:
    return pytest.mark.needs_feature(feature)


@pytest.mark.parametrize(
    ("line", "body"),
    [
        begun("all_at_once", "by random play together", starter="random", simultaneous=True),
        event("all_at_once", "copy 1 2 4", "copy_held", seat=1, slots=[2, 4]),
        event("all_at_once", "copy 1", "copy_held", seat=1, slots=[]),
        event("all_at_once", "pick 1 choice", "box_chosen", seat=1, category="choice"),
        event("all_at_once", "ready 0", "player_ready", seat=0),
        event("all_at_once", "unready 0", "player_unready", seat=0),
        event("announced_boxes", "announce announced-twos", "box_announced", category="announced-twos"),
        begun("computer_players", "computers 50,", computers=["50", ""]),
        begun("handicaps", "handicaps 0,12", handicaps=[0, 12]),
        begun("stakes", 'by random for "0.05 2 €"', starter="random", stakes=["0.05", "2", "€"]),
        begun("stakes", 'first 1 for "1 0 pt a"', first=1, stakes=["1", "0", "pt a"]),
        begun("stakes", 'with "a" by rotate for "1 0"', house="a", starter="rotate", stakes=["1", "0", ""]),
        event("throw_off", "starter 4", "starter_thrown", face=4),
        event("throw_off", "starter 4 typed", "starter_thrown", face=4, typed=True),
        begun("two_homes", 'homes ",berlin"', homes=["", "berlin"]),
    ],
)  # fmt: skip
def test_an_event_is_a_line_and_json_and_back(line, body):
    is_line_and_back(line, from_json(body))
    is_json_and_back(from_json(body))


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({"kind": "player_ready", "seat": 1}, marks=needed("all_at_once")),
        pytest.param({"kind": "starter_thrown", "face": 4}, marks=needed("throw_off")),
    ],
)
def test_the_dice_that_lay_there_are_json_and_back(body):
    assert from_json(body | LEFT).to_json()["left"] == LEFT["left"]
    is_json_and_back(from_json(body | LEFT))


@pytest.mark.parametrize(
    "line",
    [
        *("copy", "copy a", "pick 1", "pick a sixes", "pick 1 sixes 2", "ready", "ready 1 2", "unready"),
        *("unready a", "starter", "starter a", "starter 4 read", 'start 1 0 lawn "Ana" play alone'),
        *('start 1 0 lawn "Ana" "Ben" handicaps 12', 'start 1 0 lawn "Ana" handicaps 1000'),
        *('start 1 0 lawn "Ana" for "1"', 'start 1 0 lawn "Ana" for "1 a"'),
    ],
)  # fmt: skip
def test_a_line_without_sense_is_named(line):
    is_no_event(line)


@pytest.mark.needs_feature
@pytest.mark.parametrize(
    "body",
    [
        {"kind": "player_ready", "seat": "0"},
        *(LAWN | {"handicaps": each} for each in ([None, 1], [1, 2, 3], [1_000_000_000, 0])),
        *(LAWN | {"stakes": each} for each in (["1e30000000", "0", "€"], ["1"], ["1", "0", "€" * 100])),
        LAWN | {"homes": ["attic"]},
    ],
)
def test_what_no_station_can_live_with_is_no_event(body):
    no_station_can_live_with(body)
