"""A turn at the table, from lobby to the next player, by readings made by hand."""

from dataclasses import replace

import pytest

from messages.errors import BadInputError, RefusalError
from station.table.table import Table
from tests.asking import do, shown
from tests.table.helpers import empty, reading, refused
from vision.reading import Reading, Reason, Status


def test_a_camera_that_is_away_sees_no_empty_tray(table):
    table.offer(reading(1, 2, 3, 4, 4))
    table.camera(name="the camera", ok=False, message="It has gone.")
    assert "cannot see the tray" in refused(table, "roll/empty", command="accept_roll")
    table.camera(name="the camera", ok=True)
    table.offer(Reading(Status.EMPTY, (), ()))
    assert "sees no dice" in refused(table, "roll/empty", command="accept_roll")


def test_the_die_whose_face_is_not_sure_is_pointed_out_until_somebody_has_looked(table):
    read = reading(1, 2, 3, 4, 4)
    dice = (*read.dice[:3], replace(read.dice[3], confidence=0.6), read.dice[4])
    table.offer(Reading(Status.READY, dice))
    assert not any(die["unsure"] for die in shown(table)["reading"]["dice"]), "it is sure of the whole"
    table.offer(Reading(Status.UNSURE, dice, (Reason.GLARE,)))
    assert [die["unsure"] for die in shown(table)["reading"]["dice"]] == [False, False, False, True, False]
    do(table, {"command": "correct_die", "slot": 4, "face": 5})
    assert not any(die["unsure"] for die in shown(table)["reading"]["dice"])


def test_what_is_no_die_is_taken_out_by_one_tap(table):
    def six_at(down_px):
        return reading(1, 2, 3, 4, 5, 6, at=down_px, status=Status.UNSURE, reasons=(Reason.TOO_MANY,))

    table.offer(six_at(0.0))
    state = shown(table)
    assert [(die["slot"], die["face"]) for die in state["reading"]["dice"]] == [(i, i) for i in range(1, 7)]
    assert {"not_a_die", "correct_die"} <= set(state["commands"])
    assert not {"missed_die", "read_again", "accept_roll"} & set(state["commands"])
    refused(table, "roll/count", command="missed_die", face=2)
    state = do(table, {"command": "not_a_die", "slot": 3})
    assert (state["reading"]["status"], state["reading"]["faces"]) == ("ready", [1, 2, 4, 5, 6])
    table.offer(six_at(2.0))
    assert [die["face"] for die in do(table, {"command": "accept_roll"})["dice"]] == [1, 2, 4, 5, 6]
    table.offer(six_at(2.0))
    refused(table, "roll/not_thrown", command="accept_roll")


@pytest.mark.parametrize("asked", [{"command": "accept_roll"}, {"command": "press", "button": "confirm"}])
def test_a_roll_that_comes_back_was_not_meant_by_who_saw_none(table, asked):
    table.offer(reading(1, 2, 3, 4, 4))
    seen = shown(table)["version"]
    table.offer(reading(status=Status.MOVING))
    table.offer(reading(status=Status.COVERED))
    none = shown(table)["version"]
    table.offer(empty())  # taken away: what was read before is on offer again
    assert "accept_roll" in shown(table)["commands"]
    with pytest.raises(RefusalError, match="moved on"):
        do(table, {**asked, "version": none})
    assert do(table, {**asked, "version": seen})["throws_done"] == 1


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"command": "dance"},
        {"command": 3},
        {"command": "score_box"},
        {"command": "score_box", "category": 3},
        {"command": "correct_die", "slot": 1, "face": 7},
        {"command": "correct_die", "slot": True, "face": 1},
        {"command": "enter_roll", "faces": "12345"},
        {"command": "set_held", "slots": [1.5]},
        {"command": "undo", "really": True},
        {"command": "undo", "version": "4"},
        {"command": "press", "button": "hold-9"},
        {"command": "accept_roll", "force": "yes"},
        {"command": "start_game", "players": ["Ana", 2], "rules": "yacht-1938"},
        {"command": "start_game", "players": ["Ana"], "rules": "poker"},
    ],
)
def test_nonsense_is_bad_input_and_changes_nothing(body):
    table = Table()
    before = shown(table)
    with pytest.raises(BadInputError):
        do(table, body)
    assert shown(table) == before
