"""What is said of a die is meant for the die that the screen showed by that number, and for no other."""

from dataclasses import replace

import pytest

from messages.errors import RefusalError
from station.table.table import Table
from tests.asking import do, shown
from tests.table.helpers import empty, reading
from vision.reading import Reason, Status

UNSURE = {"status": Status.UNSURE, "reasons": (Reason.LOW_CONFIDENCE,)}


def begun() -> Table:
    table = Table()
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    table.offer(empty())
    return table


def thrown_again() -> tuple[Table, object]:
    """6-4-1-1-5 is confirmed, the 6 held, and the others lie there as 2-3-3-5."""
    table = begun()
    table.offer(reading(6, 4, 1, 1, 5))
    do(table, {"command": "accept_roll"})
    do(table, {"command": "set_held", "slots": [1]})
    table.offer(reading(status=Status.MOVING))
    now = reading(6, 2, 3, 3, 5, at=80)
    now = replace(now, dice=(reading(6).dice[0], *now.dice[1:]))
    table.offer(now)
    return table, now


def answers(table: Table, version: int, **command: object) -> str:
    try:
        do(table, {**command, "version": version})
    except RefusalError as error:
        return error.code
    return "taken"


HIDDEN = {
    "a hand": lambda table: table.offer(reading(status=Status.COVERED)),
    "something moves": lambda table: table.offer(reading(status=Status.MOVING)),
    "no camera": lambda table: table.camera(name="c", ok=False, message="gone"),
}


@pytest.mark.parametrize("hides", HIDDEN.values(), ids=HIDDEN)
def test_a_die_that_waits_is_not_set_right_in_the_confirmed_roll_while_it_is_hidden(hides):
    table, now = thrown_again()
    version = shown(table)["version"]
    hides(table)
    assert answers(table, version, command="correct_die", slot=2, face=3) == "version/stale"
    assert [die["face"] for die in shown(table)["dice"]] == [6, 4, 1, 1, 5]
    table.camera(name="c", ok=True)
    table.offer(now)
    there = hides is not HIDDEN["no camera"]  # what a lost camera saw may not be so any more
    answer = answers(table, version, command="correct_die", slot=2, face=4)
    assert answer == ("taken" if there else "version/stale")
    assert [die["face"] for die in shown(table)["reading"]["dice"]] == [6, 4 if there else 2, 3, 3, 5]


def test_a_die_of_the_confirmed_roll_is_set_right_while_a_hand_is_over_the_tray():
    table, now = thrown_again()
    table.offer(reading(status=Status.COVERED))
    version = shown(table)["version"]
    table.offer(now)
    assert answers(table, version, command="correct_die", slot=2, face=3) == "version/stale"
    table.offer(reading(status=Status.COVERED))
    assert answers(table, shown(table)["version"], command="correct_die", slot=2, face=3) == "taken"
    assert [die["face"] for die in shown(table)["dice"]] == [6, 3, 1, 1, 5]


@pytest.mark.parametrize("said", [{"command": "correct_die", "face": 6}, {"command": "not_a_die"}])
@pytest.mark.parametrize("slot", [1, 4])
def test_numbers_that_shift_because_one_more_is_seen_are_stale(said, slot):
    """The truth is 2-6-3-3-5; the 6 is read as a 4, and the leftmost die is not seen for a moment."""
    table = begun()
    table.offer(reading(status=Status.MOVING))
    whole = reading(2, 4, 3, 3, 5, **UNSURE)
    table.offer(replace(whole, dice=whole.dice[1:], reasons=(Reason.TOO_FEW,)))
    version = shown(table)["version"]
    table.offer(whole)
    assert answers(table, version, **said, slot=slot) == "version/stale"
    assert shown(table)["reading"]["status"] == "unsure"


def test_a_number_that_shifted_and_is_back_means_what_it_meant():
    """In bad light a die comes and goes: the dialog was opened on all five, and all five lie there."""
    whole = reading(6, 4, 1, 1, 5, **UNSURE)
    without = replace(whole, dice=(whole.dice[0], *whole.dice[2:]), reasons=(Reason.TOO_FEW,))
    for slot in range(1, 6):
        table = begun()
        table.offer(reading(status=Status.MOVING))
        table.offer(whole)
        version = shown(table)["version"]
        table.offer(without)
        table.offer(whole)
        assert answers(table, version, command="correct_die", slot=slot, face=2) == "taken"
        seen = [die["face"] for die in shown(table)["reading"]["dice"]]
        assert seen == [2 if place == slot else face for place, face in enumerate((6, 4, 1, 1, 5), start=1)]


def test_a_missed_die_may_be_added_when_it_is_missed_again():
    whole = reading(6, 4, 1, 1, 5, **UNSURE)
    four = replace(whole, dice=whole.dice[:4], reasons=(Reason.TOO_FEW,))
    table = begun()
    table.offer(reading(status=Status.MOVING))
    table.offer(four)
    version = shown(table)["version"]
    table.offer(whole)
    table.offer(four)
    assert answers(table, version, command="missed_die", face=5) == "taken"


def test_numbers_that_stay_stay_though_one_more_is_seen():
    table = begun()
    table.offer(reading(status=Status.MOVING))
    whole = reading(2, 4, 3, 3, 5, **UNSURE)
    table.offer(replace(whole, dice=whole.dice[:4], reasons=(Reason.TOO_FEW,)))
    version = shown(table)["version"]
    table.offer(whole)
    assert answers(table, version, command="missed_die", face=5) == "version/stale", "it was seen meanwhile"
    assert answers(table, version, command="correct_die", slot=2, face=6) == "taken"
    assert [die["face"] for die in shown(table)["reading"]["dice"]] == [2, 6, 3, 3, 5]


def test_a_correction_of_another_throw_is_stale_though_neither_is_sure():
    table = begun()
    table.offer(reading(1, 4, 3, 3, 5, **UNSURE))
    version = shown(table)["version"]
    table.offer(reading(status=Status.MOVING))
    table.offer(reading(2, 2, 5, 6, 6, at=200, **UNSURE))
    assert answers(table, version, command="correct_die", slot=2, face=6) == "version/stale"
    assert shown(table)["reading"]["faces"] == [2, 2, 5, 6, 6]


def test_a_typed_roll_is_no_other_throw_when_the_camera_is_back():
    table = begun()
    table.camera(name="c", ok=False, message="gone")
    do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]})
    table.camera(name="c", ok=True)
    table.offer(reading(1, 2, 3, 4, 6, status=Status.MOVING))
    table.offer(reading(4, 6, 3, 2, 1))
    state = shown(table)
    assert (state["turn"], state["throws_done"], "accept_roll" in state["commands"]) == (
        "confirmed",
        1,
        False,
    )
    table.offer(reading(status=Status.MOVING))
    table.offer(reading(4, 6, 3, 2, 2, at=150))
    assert shown(table)["turn"] == "unconfirmed", "they were thrown since"


def test_dice_that_were_thrown_while_the_camera_was_away_are_offered_after_a_typed_roll():
    table = begun()
    table.camera(name="c", ok=False, message="gone")
    do(table, {"command": "enter_roll", "faces": [6, 4, 1, 1, 5]})
    do(table, {"command": "set_held", "slots": [1]})
    table.camera(name="c", ok=True)
    table.offer(reading(6, 2, 3, 3, 2, status=Status.MOVING))
    table.offer(reading(6, 2, 3, 3, 2))
    assert "accept_roll" in shown(table)["commands"]
    do(table, {"command": "accept_roll"})
    table.offer(reading(6, 2, 3, 3, 2))
    assert shown(table)["turn"] in {"held", "confirmed"}


def test_a_typed_roll_that_the_camera_misreads_is_no_new_throw():
    """It was typed because the camera misreads a die, which lies where it lay."""
    table = begun()
    table.offer(reading(6, 4, 1, 1, 5))
    do(table, {"command": "enter_roll", "faces": [6, 4, 1, 1, 6]})
    table.offer(reading(6, 4, 1, 1, 5))
    state = shown(table)
    assert (state["turn"], "accept_roll" in state["commands"]) == ("confirmed", False)
