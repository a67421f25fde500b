"""Hints for the lamps: the best hold, for players who want it, without keeping anyone waiting."""

import pytest

from station.advice.advisor import Advisor
from station.advice.lamp_hints import AGAIN_S, LampHints
from station.table.table import Table
from tests.asking import do


@pytest.fixture
def table():
    return Table()


@pytest.fixture
def hints(table):
    made = LampHints(Advisor(), lambda: table.moment()[1], lambda name: name == "Ana")
    yield made
    made.close()


def asked(hints):
    """The answer once it is worked out."""
    hints.slots()
    if hints._request is not None:
        hints._request[1].result(30.0)
    return hints.slots()


def test_the_best_hold_is_shown_to_those_who_want_it(hints, table):
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    assert hints.slots() == ()
    do(table, {"command": "enter_roll", "faces": [6, 2, 6, 6, 6]})
    assert asked(hints) == (1, 3, 4, 5)
    do(table, {"command": "score_box", "category": "sixes"})
    assert hints.slots() == ()
    do(table, {"command": "enter_roll", "faces": [6, 2, 6, 6, 6]})
    assert asked(hints) == ()


def test_a_hint_that_cannot_be_worked_out_is_none(hints, table, monkeypatch):
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    do(table, {"command": "enter_roll", "faces": [6, 2, 6, 6, 6]})
    monkeypatch.setattr(hints._advisor, "solution", lambda _: 1 / 0)
    hints.slots()
    hints._request[1].exception(30.0)
    assert hints.slots() == ()


def test_a_hint_comes_as_soon_as_its_values_are_worked_out(hints, table, monkeypatch):
    now_s = [0.0]
    hints._clock = lambda: now_s[0]
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    do(table, {"command": "enter_roll", "faces": [6, 2, 6, 6, 6]})
    with monkeypatch.context() as at_first:
        at_first.setattr(hints._advisor, "solution", lambda _: None)
        assert asked(hints) == ()
    assert asked(hints) == (), "nor is it asked for at every look"
    now_s[0] = AGAIN_S
    assert asked(hints) == (1, 3, 4, 5)
