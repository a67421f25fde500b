"""What of an event no station can live with is no event, whatever way it came."""

import json
from typing import Any

import pytest

from messages.errors import BadInputError
from station.game import notation
from station.game.events import from_json
from tests.game.lines import no_station_can_live_with

STARTED: dict[str, Any] = {"kind": "game_started", "game": 1, "previous": 0, "rules": "yacht-1938"}
SEEN = [6, 1.0, 2.0, 60.0, "red", 3]


def started(**more: Any) -> dict[str, Any]:
    return STARTED | {"players": ["Ana", "Ben"]} | more


BAD = {
    "a lone surrogate in a name": started(players=["Ana", "\ud800"]),
    "a control character in a name": started(players=["Ana", "B\x00n"]),
    "a line end in a name": {"kind": "player_added", "name": "A\nna"},
    "a name of 2 MB": {"kind": "player_renamed", "seat": 0, "name": "a" * 2_000_000},
    "no name": {"kind": "player_added", "name": ""},
    "twenty-one players": started(players=["x"] * 21),
    "a first player who is not there": started(first=5),
    "house rules of more than a file holds": started(house="#" * 70_000),
    "house rules with a surrogate": started(house="# \udfff"),
    "house rules with a control character": started(house="# \x1b[2J"),
    "a game of twenty digits": STARTED | {"players": ["Ana"], "game": 10**20},
    "dice that are null": {"kind": "roll_accepted", "dice": [None]},
    "dice without end": {"kind": "roll_accepted", "dice": [[1, 6, None]] * 11},
    "a die that is nowhere": {"kind": "roll_accepted", "dice": [[1, 6, [6, float("nan"), 2, 6, "", 3]]]},
    "a die at the end of the world": {"kind": "roll_accepted", "dice": [[1, 6, [6, 1e300, 2, 6, "", 3]]]},
    "a track past all": {"kind": "roll_kept", "left": [[*SEEN[:5], 2**70]]},
    "more dice than a tray holds": {"kind": "roll_kept", "left": [SEEN] * 101},
    "a colour of a megabyte": {"kind": "roll_kept", "left": [[*SEEN[:4], "r" * 1_000_000, 3]]},
    "secrets without end": {"kind": "roll_accepted", "dice": [[1, 6, None]], "secrets": ["aa"] * 3},
    "a slot past all": {"kind": "held_set", "slots": [11]},
    "a truth for a slot": {"kind": "held_set", "slots": [True]},
    "a seat before the first": {"kind": "player_removed", "seat": -1},
    "a box that is a sentence": {"kind": "box_scored", "category": "ones and twos"},
    "a throw of ten digits": {
        "kind": "box_corrected", "seat": 0, "category": "ones", "faces": [1], "throw": 10**9,
    },
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_no_station_can_live_with_it(what):
    no_station_can_live_with(BAD[what])


@pytest.mark.needs_feature
def test_what_any_version_wrote_is_an_event():
    whole = started(
        house='# a "rule"\n\tid = 1\r\n',
        stakes=["0.05", "0", "€"],
        computers=["perfect", ""],
        teams=[["Ana", "Cleo"], []],
        homes=["", "attic"],
        handicaps=[-5, 12],
        without_tray=[False, True],
        left=[SEEN],
        field_of_tomorrow=[1, 2],
    )
    event = from_json(json.loads(json.dumps(whole)))
    told = whole | {"starter": "", "first": 0, "rolling": False, "simultaneous": False}
    del told["field_of_tomorrow"]
    assert event.to_json() == told
    assert from_json(event.to_json()) == event


def test_a_written_game_passes_the_same_door():
    with pytest.raises(BadInputError) as caught:
        notation.read(f'start 1 0 yacht-1938 "{"a" * 500}" "Ben"')
    assert caught.value.message.key == "notation/no_event"
