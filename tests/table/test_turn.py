"""A turn at the table, from lobby to the next player, by readings made by hand."""

from dataclasses import replace

import pytest

from messages.errors import BadInputError, RefusalError
from station.table.play import Habits
from station.table.table import Table
from tests.asking import do, shown
from tests.table.helpers import empty, reading, refused
from vision.reading import Reading, Reason, Status


def test_a_roll_is_offered_and_counts_when_confirmed(table):
    assert shown(table)["waiting_for"] == "Ana: roll all five dice"
    table.offer(reading(1, 2, 3, 4, 4))
    assert shown(table)["waiting_for"] == "Ana: 1-2-3-4-4 – right?"
    assert shown(table)["throws_done"] == 0
    state = do(table, {"command": "accept_roll"})
    assert (state["phase"], state["throws_done"]) == ("holding", 1)
    assert [die["face"] for die in state["dice"]] == [1, 2, 3, 4, 4]


def test_a_camera_that_is_away_is_not_said_to_see_an_empty_tray(table):
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


def test_dice_nobody_threw_do_not_count_again(table):
    table.offer(reading(1, 2, 3, 4, 4))
    do(table, {"command": "accept_roll"})
    table.offer(reading(1, 2, 3, 4, 4, at=5))
    assert "have not moved" in refused(table, "roll/not_thrown", command="accept_roll")
    assert do(table, {"command": "accept_roll", "force": True})["throws_done"] == 2


def test_the_dice_of_the_player_before_do_not_count(table):
    table.offer(reading(1, 2, 3, 4, 4))
    do(table, {"command": "accept_roll"})
    do(table, {"command": "score_box", "category": "choice"})
    assert shown(table)["waiting_for"] == "Ben: roll all five dice"
    refused(table, "roll/not_thrown", command="accept_roll")
    table.offer(reading(1, 2, 3, 4, 4, at=90))
    assert do(table, {"command": "accept_roll"})["throws_done"] == 1


def test_held_dice_keep_slot_and_face_wherever_they_are_pushed(table):
    table.offer(reading(1, 6, 3, 4, 6))
    do(table, {"command": "accept_roll"})
    state = do(table, {"command": "set_held", "slots": [5, 2]})
    assert state["waiting_for"] == "Ana: roll the three dice you are not keeping – or pick a box"
    table.offer(reading(6, 6, 5, 2, 1, at=80))
    state = do(table, {"command": "accept_roll"})
    assert [(die["face"], die["held"]) for die in state["dice"]] == [
        (5, False),
        (6, True),
        (2, False),
        (1, False),
        (6, True),
    ]


def test_a_held_die_that_is_gone_is_said_and_not_accepted(table):
    table.offer(reading(1, 6, 3, 4, 6))
    do(table, {"command": "accept_roll"})
    do(table, {"command": "set_held", "slots": [2, 5]})
    table.offer(reading(1, 6, 3, 4, 2, at=80))
    state = shown(table)
    assert state["problem"].startswith("Ana keeps 6 and 6, but the camera does not see 6")
    assert state["reading"]["faces"] == [1, 2, 3, 4, 6]  # what is there, not what should be
    assert "accept_roll" not in state["commands"]
    refused(table, "roll/held_changed", command="accept_roll")
    do(table, {"command": "correct_die", "slot": 1, "face": 6})
    table.offer(reading(1, 6, 3, 4, 2, at=80))
    state = shown(table)
    assert state["problem"] is None
    assert sorted(die["face"] for die in do(table, {"command": "accept_roll"})["dice"]) == [2, 3, 4, 6, 6]


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (Status.MOVING, "roll/moving"),
        (Status.COVERED, "roll/covered"),
        (Status.EMPTY, "roll/empty"),
        (Status.UNSURE, "roll/unsure"),
    ],
)
def test_only_a_ready_reading_can_be_confirmed(table, status, code):
    dice = (1, 2, 3, 4, 5) if status is Status.UNSURE else ()
    table.offer(reading(*dice, status=status, reasons=(Reason.COCKED,) if dice else ()))
    refused(table, code, command="accept_roll")


def test_an_unsure_die_is_set_right_by_one_tap_and_stays_right_until_the_dice_move(table):
    table.offer(reading(1, 2, 3, 4, 5, status=Status.UNSURE, reasons=(Reason.LOW_CONFIDENCE,)))
    assert shown(table)["waiting_for"] == (
        "Ana: the camera is not sure: a face is hard to read. Nudge the dice, or tap one"
    )
    state = do(table, {"command": "correct_die", "slot": 2, "face": 6})
    assert state["reading"]["status"] == "ready"
    assert state["reading"]["faces"] == [1, 3, 4, 5, 6]
    table.offer(reading(status=Status.COVERED))
    table.offer(reading(1, 2, 3, 4, 5, at=3, status=Status.UNSURE, reasons=(Reason.LOW_CONFIDENCE,)))
    assert shown(table)["reading"]["faces"] == [1, 3, 4, 5, 6]
    table.offer(reading(1, 2, 3, 4, 5, at=90, status=Status.UNSURE, reasons=(Reason.LOW_CONFIDENCE,)))
    assert shown(table)["reading"]["status"] == "unsure"


def test_a_roll_can_be_typed_when_the_camera_sees_nothing(table):
    state = do(table, {"command": "enter_roll", "faces": [6, 6, 1, 2, 3]})
    assert [die["face"] for die in state["dice"]] == [6, 6, 1, 2, 3]
    do(table, {"command": "set_held", "slots": [1, 2]})
    refused(table, "roll/held_changed", command="enter_roll", faces=[5, 6, 1, 1, 1])
    refused(table, "roll/count", command="enter_roll", faces=[6, 6, 1])
    state = do(table, {"command": "enter_roll", "faces": [6, 6, 6, 6, 6]})
    assert state["throws_done"] == 2


def test_typed_dice_that_lie_in_the_tray_are_no_new_roll(table):
    table.offer(reading(1, 2, 3, 4, 4, status=Status.UNSURE, reasons=(Reason.GLARE,)))
    do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]})
    table.offer(reading(1, 2, 3, 4, 4))
    refused(table, "roll/not_thrown", command="accept_roll")


def test_the_accepted_roll_can_be_corrected(table):
    table.offer(reading(1, 2, 3, 4, 4))
    do(table, {"command": "accept_roll"})
    state = do(table, {"command": "correct_die", "slot": 5, "face": 5})
    assert [die["face"] for die in state["dice"]] == [1, 2, 3, 4, 5]
    assert state["players"][0]["potentials"]["little-straight"] == 30
    refused(table, "die/unknown", command="correct_die", slot=6, face=1)


def test_a_box_set_right_counts_as_of_the_throw_it_was_filled_after():
    table = Table()
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "general"})

    def boxes(**command: object) -> dict[str, int]:
        return dict(do(table, command)["players"][0]["boxes"])

    do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]})
    assert boxes(command="score_box", category="straight")["straight"] == 0
    right = [1, 2, 3, 4, 5]
    assert boxes(command="correct_box", player=0, category="straight", faces=right)["straight"] == 25
    sixes = [6, 6, 6, 6, 5]
    moved = boxes(command="correct_box", player=0, category="straight", faces=sixes, to="four-of-a-kind")
    assert moved["four-of-a-kind"] == 45
    do(table, {"command": "enter_roll", "faces": right})
    do(table, {"command": "enter_roll", "faces": right})
    assert boxes(command="score_box", category="straight")["straight"] == 20


def test_after_three_throws_a_box_must_be_chosen(table):
    for at in (0, 100, 200):
        table.offer(reading(1, 2, 3, 4, 4, at=at))
        state = do(table, {"command": "accept_roll"})
    assert (state["phase"], state["rolls_left"], state["waiting_for"]) == ("choosing", 0, "Ana: pick a box")
    table.offer(reading(1, 2, 3, 4, 4, at=300))
    assert refused(table, "roll/none_left", command="accept_roll") == "Ana has no roll left: pick a box."
    refused(table, "box/unknown", command="score_box", category="joker")


def test_a_stale_version_is_refused_and_readings_do_not_make_one_stale(table):
    version = shown(table)["version"]
    table.offer(reading(1, 2, 3, 4, 4))
    with pytest.raises(RefusalError, match="moved on"):
        do(table, {"command": "accept_roll", "version": version})
    state = do(table, {"command": "add_player", "name": "Cleo", "version": version})
    with pytest.raises(RefusalError, match="moved on"):
        do(table, {"command": "add_player", "name": "Dana", "version": version})
    table.offer(reading(status=Status.COVERED))
    table.offer(reading(1, 2, 3, 4, 4))
    assert shown(table)["version"] > state["version"]
    assert do(table, {"command": "accept_roll", "version": state["version"]})["throws_done"] == 1


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


def test_the_version_grows_only_with_what_can_be_seen(table):
    table.offer(reading(1, 2, 3, 4, 4))
    version = shown(table)["version"]
    table.offer(reading(1, 2, 3, 4, 4, at=2))
    assert shown(table)["version"] == version


def test_buttons_play_a_turn(table):
    def press(button: str, *, long: bool = False) -> dict:
        return do(table, {"command": "press", "button": button, "long": long})

    table.offer(reading(5, 5, 5, 2, 2))
    press("confirm")
    assert [die["held"] for die in press("hold-1")["dice"]] == [True, False, False, False, False]
    assert [die["held"] for die in press("hold-1")["dice"]] == [False] * 5
    state = press("confirm", long=True)
    assert (state["phase"], state["choice"]) == ("choosing", "full-house")
    assert press("confirm", long=True)["phase"] == "holding"
    press("confirm", long=True)
    assert press("hold-1")["choice"] == "sixes"
    assert press("hold-5")["choice"] == "full-house"
    state = press("confirm")
    assert state["players"][0]["boxes"]["full-house"] == 19
    assert state["active_player"] == 1


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


def test_a_roll_stays_on_offer_when_the_dice_are_taken_away_before_it_is_confirmed(table):
    table.offer(reading(1, 1, 2, 3, 4))
    for status in (Status.COVERED, Status.MOVING):
        table.offer(reading(status=status))
        assert shown(table)["reading"]["status"] == status.value
    table.offer(reading(status=Status.EMPTY))
    assert shown(table)["waiting_for"] == "Ana: 1-1-2-3-4 – right?"
    assert do(table, {"command": "accept_roll"})["throws_done"] == 1
    assert shown(table)["reading"]["status"] == "empty"
    refused(table, "roll/empty", command="accept_roll")


def test_a_roll_that_was_thrown_over_is_not_on_offer_any_more(table):
    table.offer(reading(1, 1, 2, 3, 4))
    table.offer(reading(status=Status.MOVING))
    table.offer(reading(6, 1, 2, 3, 4, at=90, status=Status.UNSURE, reasons=(Reason.COCKED,)))
    table.offer(reading(status=Status.EMPTY))
    refused(table, "roll/empty", command="accept_roll")


def test_a_roll_typed_while_a_hand_hid_it_is_no_new_roll_when_the_hand_is_gone(table):
    table.offer(reading(status=Status.COVERED))
    do(table, {"command": "enter_roll", "faces": [4, 2, 3, 1, 4]})
    table.offer(reading(1, 2, 3, 4, 4))
    refused(table, "roll/not_thrown", command="accept_roll")
    table.offer(reading(status=Status.MOVING))
    table.offer(reading(1, 2, 3, 4, 4))
    assert do(table, {"command": "accept_roll"})["throws_done"] == 2


@pytest.fixture
def aside():
    """A table where people lay the dice they hold beside the tray."""
    table = Table(habits=Habits(held_aside=True))
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    return table


def test_held_dice_may_lie_beside_the_tray(aside):
    assert aside.dice_expected == 5
    aside.offer(reading(1, 6, 3, 4, 6))
    do(aside, {"command": "accept_roll"})
    do(aside, {"command": "set_held", "slots": [2, 5]})
    assert aside.dice_expected == 3
    # Taking the held ones out is no throw, whether the others are read at once or not.
    aside.offer(reading(1, 6, 3, 4, 6, status=Status.UNSURE, reasons=(Reason.TOO_MANY,)))
    assert shown(aside)["waiting_for"].startswith("Ana: roll the three dice")
    three = reading(1, 6, 3, 4, 6).dice
    aside.offer(Reading(Status.READY, (three[0], three[2], three[3])))
    refused(aside, "roll/not_thrown", command="accept_roll")
    aside.offer(reading(5, 6, 2, at=80))
    assert shown(aside)["waiting_for"] == "Ana: 5-6-6-2-6 – right?"
    assert shown(aside)["reading"]["faces"] == [2, 5, 6, 6, 6]
    state = do(aside, {"command": "accept_roll"})
    assert [(die["face"], die["held"]) for die in state["dice"]] == [
        (5, False),
        (6, True),
        (6, False),
        (2, False),
        (6, True),
    ]
    do(aside, {"command": "score_box", "category": "sixes"})
    assert aside.dice_expected == 5


def test_a_held_die_left_in_the_tray_is_noticed_where_they_lie_beside_it(aside):
    aside.offer(reading(1, 6, 3, 4, 6))
    do(aside, {"command": "accept_roll"})
    do(aside, {"command": "set_held", "slots": [2, 5]})
    aside.offer(reading(5, 6, 2, 1, at=80))
    state = shown(aside)
    assert (state["reading"]["status"], state["reading"]["reasons"]) == ("unsure", ["too_many"])
    assert "not_a_die" in state["commands"]
    refused(aside, "roll/unsure", command="accept_roll")
    do(aside, {"command": "not_a_die", "slot": 2})
    assert [die["face"] for die in do(aside, {"command": "accept_roll"})["dice"]] == [5, 6, 2, 1, 6]
