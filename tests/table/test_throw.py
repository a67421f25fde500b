"""Simulated throws: the old dice are no reading any more, held ones stay, faces may be given."""

import random

import pytest

from messages.errors import RefusalError
from simulator.thrower import SimulatedHand
from station.table.play import Habits
from station.table.table import Table
from tests.asking import do, shown
from tests.table.helpers import Clock, reading
from vision.reading import Status


class Tray:
    """A tray of faces: what lies there, left to right, and how it was thrown."""

    def __init__(self):
        self.dice = 5
        self.lying = []
        self.throws = []

    def truth(self):
        return [type("Die", (), {"face": face})() for face in self.lying]

    def throw(self, faces=None, *, keep=()):
        self.throws.append((faces, tuple(keep)))
        kept = [self.lying[i] for i in keep]
        thrown = [1] * (self.dice - len(kept)) if faces is None else list(faces)
        assert len(thrown) + len(kept) == self.dice
        self.lying = [*kept, *thrown]


class Bench:
    def __init__(self, rules="yacht-1938", **settings):
        self.clock, self.tray = Clock(), Tray()
        hand = SimulatedHand(self.tray, random.Random(7))
        self.table = Table(thrower=hand, clock=self.clock, habits=Habits(**settings))
        self.do("start_game", players=["Ana"], rules=rules)
        self.at = 0.0

    def do(self, command, **fields):
        return do(self.table, {"command": command, **fields})

    def rest(self):
        """The dice come to rest and are read, elsewhere than before."""
        self.at += 100.0
        self.clock.pass_s(1.0)
        self.table.offer(reading(*self.tray.lying, at=self.at), taken_s=self.clock.now_s)
        return shown(self.table)

    def roll(self, *faces):
        self.do("throw", faces=list(faces))
        self.rest()
        return self.do("accept_roll")


@pytest.fixture
def bench():
    return Bench()


def test_from_the_throw_on_the_old_dice_are_no_reading(bench):
    bench.roll(1, 2, 3, 4, 5)
    state = bench.do("throw")
    assert (state["reading"]["status"], state["phase"]) == ("moving", "throwing")
    with pytest.raises(RefusalError) as refused:
        bench.do("accept_roll")
    assert refused.value.code == "roll/moving"
    # A frame from before the throw, and one that still shows the old dice while the hand comes.
    bench.table.offer(reading(6, 6, 6, 6, 6, at=50), taken_s=bench.clock.now_s - 0.1)
    assert shown(bench.table)["reading"]["status"] == "moving"
    bench.table.offer(reading(1, 2, 3, 4, 5, at=bench.at), taken_s=bench.clock.now_s + 0.1)
    assert shown(bench.table)["reading"]["status"] == "moving"
    bench.table.offer(reading(status=Status.COVERED), taken_s=bench.clock.now_s + 0.2)
    assert shown(bench.table)["reading"]["status"] == "covered"
    assert bench.rest()["reading"] | {"dice": None} == {
        "status": "ready",
        "faces": [1, 1, 1, 1, 1],
        "reasons": [],
        "fresh": True,
        "dice": None,
    }


def test_a_typed_roll_is_taken_up_by_the_simulated_hand(bench):
    bench.do("enter_roll", faces=[3, 3, 3, 1, 2])
    bench.do("set_held", slots=[1, 2, 3])
    bench.do("throw")
    faces, kept = bench.tray.throws[-1]
    assert (faces[:3], len(faces), kept) == ([3, 3, 3], 5, ())
    bench.rest()
    assert [die["face"] for die in bench.do("accept_roll")["dice"] if die["held"]] == [3, 3, 3]


def test_ten_dice_are_thrown_where_ten_are_played_with():
    bench = Bench("double-cameroon")
    bench.do("throw", faces=[1, 2, 3, 4, 5, 6, 1, 2, 3, 4])
    assert bench.tray.dice == 10
    bench.rest()
    assert len(bench.do("accept_roll")["dice"]) == 10


def test_without_a_simulated_tray_nothing_throws():
    table = Table()
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    assert not shown(table)["simulated"]
    with pytest.raises(RefusalError, match="throw real dice"):
        do(table, {"command": "throw"})


def test_held_dice_are_laid_beside_the_simulated_tray_too():
    bench = Bench(held_aside=True)
    bench.roll(6, 2, 6, 4, 5)
    bench.do("set_held", slots=[1, 3])
    bench.do("throw", faces=[1, 1, 2])
    assert bench.tray.lying == [1, 1, 2]
    bench.rest()
    assert [die["face"] for die in bench.do("accept_roll")["dice"]] == [6, 1, 6, 1, 2]
