"""Presses that nobody meant: closed from the start, a contact that chatters, a second press at once."""

import pytest

from tests.asking import do, shown
from tests.devices.test_panel import Bench, held


@pytest.fixture
def bench(any_rig):
    return Bench(any_rig)


def closed_from_the_start(bench: Bench, *names: str) -> None:
    """Start the panel, with contacts that are closed as soon as the pins are there."""
    begin = bench.rig.buttons.start

    def start(edge, turn):
        begin(edge, turn)
        for name in names:
            bench.rig.close(name, lost=True)

    bench.rig.buttons.stop()
    bench.rig.buttons.start = start
    bench.panel._run = lambda: None
    bench.panel.start()


def test_what_is_down_when_the_station_starts_is_no_press(bench):
    """Something lies on the buttons, or a finger was there when the power came back."""
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


def test_what_is_down_from_the_start_is_stuck_when_it_stays_so(bench):
    closed_from_the_start(bench, "hold-5")
    bench.settle(25.0)
    assert "stuck" in shown(bench.table)["buttons"]["message"]
    bench.rig.open("hold-5", lost=True)
    bench.settle(0.3)
    assert shown(bench.table)["buttons"]["ok"]
