"""The marked box of the table's buttons: one worth nothing is asked about, after a step back too."""

from station.table.play import Habits
from station.table.table import Table
from tests.asking import do, shown
from tests.table.helpers import ana, refused

TWO_YACHTS = """
id = "ours"
title = "Ours"
throws = 1
[[box]]
category = "yacht"
label = "Yacht"
points = 50
count = 2
"""


def test_a_zero_that_was_taken_back_needs_a_second_press_again():
    table = Table(house_rules=lambda: {"ours": TWO_YACHTS})
    confirm = {"command": "press", "button": "confirm"}
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "ours"})
    do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]})
    for _ in range(2):
        refused(table, "box/zero", **confirm)
        do(table, confirm)
        assert table.snapshot().players[0].boxes["yacht"] == 0
        do(table, {"command": "undo"})


def press(table: Table, button: str = "confirm") -> dict:
    return do(table, {"command": "press", "button": button})


def marked_zero(table: Table) -> None:
    do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]})
    do(table, {"command": "choose", "category": "yacht"})


def test_another_mark_in_between_asks_anew(table):
    marked_zero(table)
    refused(table, "box/zero", command="press", button="confirm")
    press(table, "hold-1")
    press(table, "hold-5")
    assert shown(table)["choice"] == "yacht"
    refused(table, "box/zero", command="press", button="confirm")


def test_the_question_can_be_switched_off():
    table = Table(habits=Habits(asks_before_zero=False))
    assert not shown(table)["asks_before_zero"]
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    marked_zero(table)
    assert ana(press(table))["boxes"]["yacht"] == 0
