"""More dice than hold buttons: the panel and the buttons on screens act for five of them."""

import pytest

from tests.asking import do, shown
from tests.devices.conftest import any_rig
from tests.devices.test_panel import Bench, held, together
from tests.table.test_games import begun

__all__ = ["any_rig"]

TEN = (6, 6, 1, 2, 3, 6, 6, 4, 4, 5)


@pytest.fixture
def ten(any_rig):
    bench = Bench(any_rig)
    do(bench.table, {"command": "end_game"})
    do(bench.table, {"command": "start_game", "players": ["Ana"], "rules": "double-cameroon"})
    do(bench.table, {"command": "enter_roll", "faces": TEN})
    bench.settle()
    return bench


def test_of_ten_dice_each_is_held_by_five_buttons_and_two_banks(ten):
    for name in ("hold-1", "hold-2"):
        ten.push(name)
    assert (held(shown(ten.table)), ten.rig.lit()) == ([1, 2], {"hold-1", "hold-2"})
    together(ten)
    state = shown(ten.table)
    assert (state["bank"], held(state)) == (2, [1, 2]), "nothing is held or released by it"
    ten.push("hold-1")
    ten.push("hold-5")
    assert held(ten.push("hold-2")) == [1, 2, 6, 7, 10]
    assert held(ten.push("hold-5")) == [1, 2, 6, 7]
    together(ten)
    assert (shown(ten.table)["bank"], held(shown(ten.table))) == (1, [1, 2, 6, 7])
    together(ten)
    do(ten.table, {"command": "enter_roll", "faces": [6, 6, 1, 1, 1, 6, 6, 1, 1, 1]})
    assert shown(ten.table)["bank"] == 1, "a throw begins with the first bank"


def test_free_dice_of_the_second_bank_flash(ten):
    together(ten)
    ten.push("hold-3")
    seen = [frozenset(ten.rig.lit()) for _ in range(60) if ten.settle(0.05) is None]
    assert {lit & {f"hold-{i}" for i in range(1, 6)} for lit in seen} == {
        frozenset({"hold-3"}),
        frozenset(f"hold-{i}" for i in range(1, 6)),
    }
    assert sum("hold-1" in lit for lit in seen) < len(seen) / 4, "a flash is shorter than a pulse"


def test_of_ten_dice_a_button_that_stuck_changes_no_bank_later(any_rig):
    bench = Bench(any_rig, "double-cameroon")
    do(bench.table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 5, 6, 1, 2, 3, 4]})
    bench.push("hold-1", seconds=25.0)
    state = bench.push("hold-5")
    assert (held(state), state["bank"]) == ([5], 1)


def test_six_dice_are_held_in_two_banks():
    table = begun("maxi-yatzy", "Ana")
    state = do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 5, 6]})
    assert "change_bank" in state["commands"]
    do(table, {"command": "change_bank"})
    state = do(table, {"command": "press", "button": "hold-1"})
    assert [die["slot"] for die in state["dice"] if die["held"]] == [6]
