"""Hints for the lamps: the best hold, for players who want it, without keeping anyone waiting."""

import pytest

from station.advice.advisor import Advisor
from station.advice.lamp_hints import LampHints
from station.table import Table


@pytest.fixture
def hints():
    made = LampHints(Advisor(), lambda name: name == "Ana")
    yield made
    made.close()


def asked(hints, state):
    """The answer once it is worked out."""
    hints.slots(state)
    if hints._asked is not None:
        hints._asked[1].result(30.0)
    return hints.slots(state)


def test_the_best_hold_is_shown_to_those_who_want_it(hints):
    table = Table()
    table.execute({"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    assert hints.slots(table.snapshot()) == ()
    state = table.execute({"command": "enter_roll", "faces": [6, 2, 6, 6, 6]})
    assert asked(hints, state) == (1, 3, 4, 5)
    state = table.execute({"command": "score_box", "category": "sixes"})
    assert hints.slots(state) == ()
    state = table.execute({"command": "enter_roll", "faces": [6, 2, 6, 6, 6]})
    assert asked(hints, state) == ()


def test_a_hint_that_cannot_be_worked_out_is_none(hints, monkeypatch):
    table = Table()
    table.execute({"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    state = table.execute({"command": "enter_roll", "faces": [6, 2, 6, 6, 6]})
    monkeypatch.setattr(hints._advisor, "solution", lambda _: 1 / 0)
    hints.slots(state)
    hints._asked[1].exception(30.0)
    assert hints.slots(state) == ()
