"""Presses that nobody meant: closed from the start, a contact that chatters, a second press at once."""

from threading import Thread

import pytest

from tests.asking import do, shown
from tests.devices.rigs import Rig
from tests.devices.test_panel import Bench, held
from tests.table.helpers import reading
from vision.reading import Status


@pytest.fixture
def bench(any_rig):
    return Bench(any_rig)


def already_closed(rig: Rig, *names: str) -> None:
    """These contacts are closed as soon as the pins are there."""
    begin = rig.buttons.start

    def start(edge, turn):
        begin(edge, turn)
        for name in names:
            rig.close(name, lost=True)

    rig.buttons.start = start


def closed_from_the_start(bench: Bench, *names: str) -> None:
    """Start the panel with contacts that are closed, and no worker: `settle` does what it would."""
    bench.rig.buttons.stop()
    already_closed(bench.rig, *names)
    bench.panel._thread = Thread(target=lambda: None)
    bench.panel.start()


def test_what_is_down_when_the_station_starts_is_no_press(bench):
    do(bench.table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 5]})
    closed_from_the_start(bench, "confirm", "hold-2")
    bench.settle(2.0)
    before = shown(bench.table)
    assert (before["phase"], held(before), before["buttons"]["ok"]) == ("holding", [], True)
    for name in ("confirm", "hold-2"):
        bench.rig.open(name, lost=True)
    bench.settle(0.3)
    assert shown(bench.table) == before
    assert held(bench.push("hold-2")) == [2], "pressed anew it counts"
    assert bench.push("confirm", seconds=0.8)["phase"] == "choosing"


def test_what_chatters_as_it_is_lifted_is_no_press_either(bench):
    for command in ({"command": "enter_roll", "faces": [1, 2, 3, 4, 5]}, {"command": "choose"}):
        do(bench.table, command)
    closed_from_the_start(bench, "confirm")
    bench.settle(1.0)
    bench.rig.open("confirm")
    bench.settle(0.012)
    bench.rig.close("confirm")
    bench.settle(0.012)
    bench.rig.open("confirm")
    bench.settle(0.3)
    assert (shown(bench.table)["phase"], shown(bench.table)["active_player"]) == ("choosing", 0)
    assert bench.push("confirm")["active_player"] == 1


def test_what_is_down_from_the_start_is_stuck_when_it_stays_so(bench):
    closed_from_the_start(bench, "hold-5")
    bench.settle(25.0)
    assert "stuck" in shown(bench.table)["buttons"]["message"]
    bench.rig.open("hold-5", lost=True)
    bench.settle(0.3)
    assert shown(bench.table)["buttons"]["ok"]


def thrown(bench: Bench, times: int) -> None:
    """So many throws of the turn, all but the last one confirmed."""
    for throw in range(1, times + 1):
        bench.table.offer(reading(status=Status.MOVING))
        bench.roll(3, 3, 3, 3, 1, at=90.0 * throw)
        if throw < times:
            bench.push("confirm")


def quick(bench: Bench, name: str, *pauses_s: float) -> dict:
    """Push a button, and again after each of these pauses."""
    bench.push(name, after_s=0.0)
    for pause_s in pauses_s:
        bench.settle(pause_s)
        bench.push(name, 0.05, after_s=0.0)
    bench.settle()
    return shown(bench.table)


def test_a_second_press_at_once_writes_no_box(bench):
    thrown(bench, 3)
    state = quick(bench, "confirm", 0.1, 0.1)
    assert (state["phase"], state["active_player"], state["choice"]) == ("choosing", 0, "choice")
    bench.settle(0.3)
    assert bench.push("confirm")["active_player"] == 1, "a press of its own takes it"


def test_a_contact_that_chatters_as_a_long_press_ends_or_a_knob_pushed_twice_writes_no_box(bench):
    thrown(bench, 1)
    bench.push("confirm")
    bench.push("confirm", 0.8, after_s=0.012)
    state = bench.push("confirm", 0.012)
    assert (state["phase"], state["active_player"]) == ("choosing", 0)
    bench.push("undo")
    assert shown(bench.table)["phase"] == "holding"
    state = quick(bench, "knob", 0.1)
    assert (state["phase"], state["active_player"]) == ("choosing", 0)
    bench.settle(0.3)
    assert bench.push("knob")["active_player"] == 1


def test_a_push_of_the_knob_begins_no_game(bench):
    do(bench.table, {"command": "end_game"})
    before = shown(bench.table)
    assert "rematch" in before["commands"]
    assert bench.push("knob") == before
    do(bench.table, {"command": "undo"})
    do(bench.table, {"command": "undo"})
    do(bench.table, {"command": "add_player", "name": "Ana"})
    assert shown(bench.table)["phase"] == "lobby"
    assert bench.push("knob")["phase"] == "lobby"
