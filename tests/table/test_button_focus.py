"""The marked box of the table's buttons, over steps that are taken back."""

from station.table import Table
from tests.asking import do
from tests.table.helpers import refused

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


def test_a_zero_that_was_taken_back_is_asked_for_again():
    table = Table(house_rules=lambda: {"ours": TWO_YACHTS})
    confirm = {"command": "press", "button": "confirm"}
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "ours"})
    do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]})
    for _ in range(2):
        refused(table, "box/zero", **confirm)
        do(table, confirm)
        assert table.snapshot().players[0].boxes["yacht"] == 0
        do(table, {"command": "undo"})
