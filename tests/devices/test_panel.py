"""The panel on every kind of buttons and lamps: from a contact to the table and back to a lamp."""

from queue import Empty

import pytest

from station import games
from station.config import PressTimes
from station.contract.view import as_json
from station.devices.panel import AGAIN_S, LOOK_S, Panel
from station.table.table import Table
from tests.asking import do, shown
from tests.table.helpers import Clock, reading
from vision.reading import Status


class Bench:
    """Panel and table with a clock that is moved by hand; `settle` does what the worker thread would.

    rules: "" begins no game.
    """

    def __init__(self, rig, rules="yacht-1938"):
        self.rig = rig
        self.clock = Clock()
        self.table = Table(clock=self.clock, house_rules=games.texts)
        self.panel = Panel(rig.buttons, rig.lamps, self.table, press=PressTimes(), clock=self.clock)
        rig.lamps.start()
        rig.buttons.start(self.panel.edge, self.panel.turned)
        if rules:
            do(self.table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": rules})

    def settle(self, seconds: float = 0.05) -> None:
        """Let the worker take what is waiting, then run on for so long."""
        until_s = self.clock.now_s + seconds
        while True:
            try:
                while True:
                    self.panel.step(self.panel._edges.get_nowait())
            except Empty:
                pass
            if self.clock.now_s >= until_s:
                return
            self.clock.pass_s(min(self.panel._wait_s(), until_s - self.clock.now_s))
            self.panel.step(("", 0, 0.0))

    def push(self, name: str, seconds: float = 0.1, *, after_s: float = AGAIN_S) -> dict:
        self.rig.close(name)
        self.settle(seconds)
        self.rig.open(name)
        self.settle(after_s)
        return shown(self.table)

    def roll(self, *faces: int, at: float = 0.0) -> None:
        self.table.offer(reading(*faces, at=at))
        self.settle()


@pytest.fixture
def bench(any_rig):
    return Bench(any_rig)


def held(state):
    return [die["slot"] for die in state["dice"] if die["held"]]


def test_a_turn_with_buttons_alone(bench):
    bench.roll(5, 5, 5, 2, 2)
    assert bench.rig.lit() == {"confirm"}
    state = bench.push("confirm")
    assert (state["throws_done"], bench.rig.lit()) == (1, set())
    bench.push("hold-1")
    assert held(bench.push("hold-3")) == [1, 3]
    assert bench.rig.lit() == {"hold-1", "hold-3"}
    assert held(bench.push("hold-1")) == [3]
    bench.rig.close("confirm")
    bench.settle(0.8)
    assert shown(bench.table)["phase"] == "choosing", "while it is held"
    bench.rig.open("confirm")
    bench.settle(AGAIN_S)
    state = shown(bench.table)
    assert (state["phase"], state["choice"]) == ("choosing", "full-house"), "and not again at its release"
    assert bench.rig.lit() - {"hold-2"} == {"confirm"}  # row 7: the second lamp pulses
    assert bench.push("hold-1")["choice"] == "sixes"
    assert bench.push("hold-1")["choice"] == "fives"
    assert bench.rig.lit() == {"confirm", "hold-5"}
    assert bench.push("hold-5")["choice"] == "sixes"
    assert bench.push("hold-5")["choice"] == "full-house"
    state = bench.push("confirm")
    assert (state["active_player"], state["players"][0]["boxes"]["full-house"]) == (1, 19)
    assert bench.push("undo")["active_player"] == 0


def test_a_bouncing_button_counts_once(bench):
    bench.roll(1, 2, 3, 4, 5)
    bench.push("confirm")
    for _ in range(7):
        bench.rig.close("hold-2")
        bench.clock.pass_s(0.001)
        bench.rig.open("hold-2")
        bench.clock.pass_s(0.001)
    assert held(bench.push("hold-2")) == [2]


def test_a_press_while_the_worker_is_busy_is_not_lost(bench):
    bench.roll(1, 2, 3, 4, 5)
    bench.push("confirm")
    for name in ("hold-1", "hold-4"):
        bench.rig.close(name)
        bench.clock.pass_s(0.06)
        bench.rig.open(name)
        bench.clock.pass_s(0.06)
    bench.settle()
    assert held(shown(bench.table)) == [1, 4]


def test_a_stuck_button_is_reported_and_the_others_go_on(bench):
    bench.roll(1, 2, 3, 4, 5)
    bench.push("confirm")
    bench.rig.close("hold-5")
    bench.settle(25.0)
    state = shown(bench.table)
    assert state["buttons"]["message"] == "hold button 5: pressed for a long time. Is it stuck?"
    assert held(state) == [5]
    assert held(bench.push("hold-1")) == [1, 5]
    bench.rig.open("hold-5")
    bench.settle()
    assert shown(bench.table)["buttons"]["ok"]


def test_a_lost_edge_is_found_and_a_dead_pin_thread_is_reported(bench):
    bench.roll(1, 2, 3, 4, 5)
    bench.push("confirm")
    bench.rig.close("hold-2", lost=True)
    bench.settle(0.3)
    assert held(shown(bench.table)) == [2]
    assert shown(bench.table)["buttons"]["ok"]
    bench.rig.open("hold-2", lost=True)
    bench.settle(0.3)
    bench.rig.close("hold-3", lost=True)
    bench.settle(0.3)
    state = shown(bench.table)
    assert held(state) == [2, 3]
    assert "report no presses" in state["buttons"]["message"]
    bench.rig.open("hold-3", lost=True)
    bench.settle(0.3)
    assert shown(bench.table)["buttons"] == state["buttons"]
    bench.push("hold-4")
    assert shown(bench.table)["buttons"]["ok"], "it lives after all"


def test_the_knob_chooses_a_box(bench):
    bench.roll(1, 2, 3, 4, 5)
    bench.push("confirm")
    bench.rig.turn(1)
    bench.settle()
    assert shown(bench.table)["phase"] == "holding"
    assert bench.push("knob")["choice"] == "little-straight"
    bench.rig.turn(1)
    bench.rig.turn(1)
    bench.rig.turn(-1)
    bench.settle()
    assert shown(bench.table)["choice"] == "big-straight"
    assert bench.push("knob")["players"][0]["boxes"]["big-straight"] is None  # worth 0: asked about first
    assert bench.push("knob")["players"][0]["boxes"]["big-straight"] == 0


def test_a_refused_press_blinks_and_changes_nothing(bench):
    before = shown(bench.table)
    bench.push("confirm", seconds=0.05)
    after = shown(bench.table)
    assert after["version"] == before["version"]
    seen = set()
    for _ in range(30):
        bench.settle(LOOK_S)
        seen.add("confirm" in bench.rig.lit())
    assert seen == {True, False}
    bench.settle(1.0)
    assert bench.rig.lit() == set()


def test_every_press_clicks(bench):
    bench.roll(1, 2, 3, 4, 5)
    bench.rig.close("hold-1")
    bench.settle(0.012)
    assert "buzzer" in bench.rig.lit()
    bench.settle(0.1)
    assert "buzzer" not in bench.rig.lit()


def test_lamps_are_tested_at_the_start_and_dark_at_the_end(any_rig):
    clock = Clock()
    panel = Panel(any_rig.buttons, any_rig.lamps, Table(clock=clock), clock=clock)
    panel.start()
    panel.step(("", 0, 0.0))
    assert any_rig.lit() == {name for name in any_rig.lamps.names if name != "buzzer"}
    panel.stop()
    assert any_rig.lit() == set()


def test_the_worker_thread_carries_a_press_to_the_lamp(any_rig):
    table = Table()
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 5]})
    subscription = table.subscribe()
    panel = Panel(any_rig.buttons, any_rig.lamps, table)
    panel.start()
    try:
        any_rig.close("hold-3")
        while held(as_json(view := subscription.get(30.0) or pytest.fail("no press came"))) != [3]:
            assert view.phase == "holding"
    finally:
        panel.stop()


@pytest.fixture
def granted(bench):
    """Screens that were let in."""
    found = []
    bench.panel._requests.granted = found.append
    return found


def test_the_confirm_button_held_for_two_seconds_answers_the_screen_that_asks(bench, granted):
    bench.roll(1, 2, 3, 4, 5)
    before = bench.push("confirm")
    bench.panel._requests.ask("phone", "192.0.2.7")
    assert bench.push("confirm", seconds=1.5) == before
    assert granted == []
    assert bench.push("confirm", seconds=2.5) == before, "the game is left alone"
    assert granted == ["phone"]
    assert bench.push("confirm", seconds=2.5)["phase"] == "choosing", "then it is a long press again"


@pytest.mark.parametrize("before", ["nobody asks", "another screen asks"])
def test_a_button_that_was_down_before_a_screen_asked_answers_nobody(bench, granted, before):
    if before == "another screen asks":
        bench.panel._requests.ask("another", "192.0.2.8")
    bench.rig.close("confirm")
    bench.settle(1.0)
    bench.panel._requests.ask("phone", "192.0.2.7")
    bench.panel._requests.withdraw("another")
    bench.settle(5.0)
    assert granted == []
    bench.rig.open("confirm")
    bench.settle()
    bench.push("confirm", seconds=2.1)
    assert granted == ["phone"], "pressed anew"


def together(bench: Bench) -> None:
    """Hold 1 and hold 5, one a moment after the other, as fingers are."""
    bench.rig.close("hold-1")
    bench.settle(0.05)
    bench.rig.close("hold-5")
    bench.settle(0.1)
    for name in ("hold-1", "hold-5"):
        bench.rig.open(name)
    bench.settle()


@pytest.mark.needs_feature("two_boxes")
def test_with_five_dice_hold_1_and_5_are_two_buttons(bench):
    bench.roll(1, 2, 3, 4, 5)
    bench.push("confirm")
    together(bench)
    assert held(shown(bench.table)) == [1, 5]


def test_a_press_of_confirm_is_meant_for_what_stood_there_when_the_finger_went_down(bench):
    for throw in range(2):
        bench.table.offer(reading(status=Status.MOVING))
        bench.roll(1, 2, 2, 4, 5, at=90.0 * throw)
        bench.push("confirm")
    bench.table.offer(reading(status=Status.MOVING))
    bench.roll(3, 3, 3, 3, 1, at=400)
    bench.rig.close("confirm")
    bench.settle(0.1)
    do(bench.table, {"command": "accept_roll", "version": shown(bench.table)["version"]})
    bench.rig.open("confirm")
    bench.settle(AGAIN_S)
    state = shown(bench.table)
    assert (state["phase"], state["active_player"]) == ("choosing", 0)
    assert all(points is None for points in state["players"][0]["boxes"].values())
    assert bench.push("confirm")["active_player"] == 1, "a press of its own takes the marked box"


@pytest.mark.parametrize(("player", "ready"), [(1, True), (0, False)])
def test_where_all_play_at_once_a_press_means_the_copy_of_the_player_at_the_table(any_rig, player, ready):
    """Confirm says ready for that player; a die held meanwhile, on a phone, stops it for that copy alone."""
    bench = Bench(any_rig, "shared-roll")
    do(bench.table, {"command": "enter_roll", "faces": [1, 2, 2, 4, 5]})
    bench.rig.close("confirm")
    bench.settle(0.1)
    do(bench.table, {"command": "set_held", "slots": [2], "player": player})
    bench.rig.open("confirm")
    bench.settle()
    assert [each["ready"] for each in shown(bench.table)["players"]] == [ready, False]
