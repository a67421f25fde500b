"""An evening without a screen: what buttons and lamps alone do, on every kind of them."""

import pytest

from tests.asking import do, shown
from tests.devices.test_panel import Bench

THROWS = ((6, 6, 6, 2, 2), (1, 2, 3, 4, 5), (3, 3, 3, 3, 1), (5, 5, 4, 2, 1))


def pulses(bench: Bench) -> bool:
    """Whether the confirm lamp goes on and off."""
    seen = set()
    for _ in range(4):
        seen.add("confirm" in bench.rig.lit())
        bench.settle(0.4)
    return seen == {True, False}


def play(bench: Bench) -> dict:
    """A whole game: one throw a turn, the box that is marked; a box that brings nothing is asked about."""
    turn = 0
    while not (state := shown(bench.table))["finished"]:
        player, filled = state["active_player"], boxes(state)
        bench.roll(*THROWS[turn % len(THROWS)], at=300.0 * (turn % 2))
        bench.push("confirm")
        assert bench.push("confirm", seconds=0.8)["phase"] == "choosing"
        state = bench.push("confirm")
        if boxes(state) == filled:
            state = bench.push("confirm")
        assert boxes(state) == filled + 1, (turn, player, state["phase"])
        turn += 1
    return state


def boxes(state: dict) -> int:
    return sum(box is not None for player in state["players"] for box in player["boxes"].values())


@pytest.mark.thorough
def test_a_game_its_end_and_the_next_one_are_played_with_buttons_alone(any_rig):
    bench = Bench(any_rig)
    over = play(bench)
    assert boxes(over) == 2 * 12
    assert pulses(bench), "the lamp says that a long press begins the rematch"
    assert bench.push("confirm")["finished"], "a short one does nothing"
    state = bench.push("confirm", seconds=0.8)
    assert (state["finished"], boxes(state)) == (False, 0)
    again = play(bench)
    assert boxes(again) == 2 * 12
    assert not bench.push("undo")["finished"], "the last box can be taken back"


def test_a_game_begins_with_a_long_press_once_people_have_sat_down(any_rig):
    bench = Bench(any_rig, rules="")
    assert bench.push("confirm", seconds=0.8)["phase"] == "lobby", "nobody is there"
    for name in ("Ana", "Ben"):
        do(bench.table, {"command": "add_player", "name": name})
    bench.settle(4.0)
    assert pulses(bench)
    assert bench.push("confirm")["phase"] == "lobby", "a short press does nothing"
    assert bench.push("confirm", seconds=0.8)["phase"] == "throwing"
