"""Games in which all play at once, in the log."""

import pytest

from station.features.all_at_once.box_chosen import BoxChosen
from station.features.all_at_once.copy_held import CopyHeld
from station.features.all_at_once.ready import PlayerReady
from station.features.all_at_once.unready import PlayerUnready
from station.game.log.slots import Seen
from tests.game.begun import begun
from tests.game.lines import is_json_and_back, is_line_and_back, is_no_event, no_station_can_live_with

LINES = [
    (
        'start 1 0 lawn "Ana" "Ben" first 1 by random play together',
        begun(1, 0, "lawn", ("Ana", "Ben"), first=1, starter="random", simultaneous=True),
    ),
    ("copy 1 2 4", CopyHeld(1, (2, 4))),
    ("copy 1", CopyHeld(1, ())),
    ("pick 1 choice", BoxChosen(1, "choice")),
    ("ready 0", PlayerReady(0)),
    ("unready 0", PlayerUnready(0)),
]


@pytest.mark.parametrize(("line", "event"), LINES)
def test_it_is_a_line_and_json_and_back(line, event):
    is_line_and_back(line, event)
    is_json_and_back(event)


@pytest.mark.parametrize(
    "line",
    [
        "copy",
        "copy a",
        "pick 1",
        "pick a sixes",
        "pick 1 sixes 2",
        "ready",
        "ready 1 2",
        "unready",
        "unready a",
        'start 1 0 lawn "Ana" play alone',
    ],
)
def test_a_line_without_sense_is_named(line):
    is_no_event(line)


def test_the_dice_that_lay_there_are_json_and_back():
    is_json_and_back(PlayerReady(1, (Seen(0, 30.0, 40.0, 60.0, "red", 7),), rolling=True))


def test_a_text_is_no_seat():
    no_station_can_live_with({"kind": "player_ready", "seat": "0"})
