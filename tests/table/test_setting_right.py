"""What people say about the dice on the tray before a roll is confirmed, and how long it holds."""

from tests.asking import do, shown
from tests.table.helpers import reading, refused
from vision.reading import Reason, Status


def unsure(*faces, at=0.0, reason=Reason.TOO_MANY):
    return reading(*faces, at=at, status=Status.UNSURE, reasons=(reason,))


def test_what_is_no_die_is_taken_out_by_one_tap(table):
    table.offer(unsure(1, 2, 3, 4, 5, 6))
    state = shown(table)
    assert [(die["slot"], die["face"]) for die in state["reading"]["dice"]] == [(i, i) for i in range(1, 7)]
    assert {"not_a_die", "correct_die"} <= set(state["commands"])
    assert not {"missed_die", "read_again", "accept_roll"} & set(state["commands"])
    refused(table, "roll/count", command="missed_die", face=2)
    state = do(table, {"command": "not_a_die", "slot": 3})
    assert (state["reading"]["status"], state["reading"]["faces"]) == ("ready", [1, 2, 4, 5, 6])
    table.offer(unsure(1, 2, 3, 4, 5, 6, at=2))
    assert [die["face"] for die in do(table, {"command": "accept_roll"})["dice"]] == [1, 2, 4, 5, 6]
    # The coaster still lies there, and so do the dice: no new roll.
    table.offer(unsure(1, 2, 3, 4, 5, 6, at=2))
    refused(table, "roll/not_thrown", command="accept_roll")


def test_a_face_that_no_die_has_never_gets_into_the_log(table):
    table.offer(reading(1, 2, 3, 4, 0))
    refused(table, "roll/unsure", command="accept_roll")
