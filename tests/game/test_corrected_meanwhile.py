"""A correction while a box is picked: nobody is left without a box to go to."""

import pytest

from station.contract.commands import (
    CorrectBox,
    CorrectDie,
    EnterRoll,
    ScoreBox,
    StartGame,
    Undo,
)
from station.features.all_at_once.copies import COPY
from station.features.all_at_once.feature import TablePart
from station.features.all_at_once.ready import Ready
from station.game.dice.sights import Sight
from station.game.evolve import evolve
from station.game.log.state import State
from tests.game.deciding import decide
from tests.game.playing import play, snapshot

FAMILY = """
id = "ours"
title = "Ours"
{head}
[further_yachts]
points = 100
joker = "forced"
[[box]]
category = "ones"
label = "Ones"
[[box]]
category = "twos"
label = "Twos"
[[box]]
category = "fives"
label = "Fives"
[[box]]
category = "choice"
label = "Choice"
{choice}
[[box]]
category = "yacht"
label = "Yacht"
points = 50
{yacht}
"""
FIVES = (5, 5, 5, 5, 5)
ANA, BEN = 0, 1


def begun(*, head: str, choice: str = "", yacht: str = "") -> State:
    state = State()
    house = FAMILY.format(head=head, choice=choice, yacht=yacht)
    for event in decide(state, StartGame(players=("Ana", "Ben"), rules="ours"), house=house):
        state = evolve(state, event)
    return state


def potentials(state: State, seat: int) -> dict[str, int]:
    return dict(snapshot(state, Sight()).players[seat].potentials)


def round_(state: State, faces: tuple[int, ...], *boxes: str) -> State:
    """A round of one throw; the last one who is ready is left out."""
    state = play(state, EnterRoll(faces=faces))
    for seat, box in enumerate(boxes):
        state = play(state, ScoreBox(category=box, player=seat), Ready(player=seat))
    return state


@pytest.fixture
def together() -> State:
    """Ana and Ben have a yacht each; of 5-5-5-5-1 she picked the ones and is ready, he picked the twos."""
    state = round_(begun(head="throws = 1\nsimultaneous = true"), FIVES, "yacht", "yacht")
    state = round_(state, (5, 5, 5, 5, 1), "ones")
    return play(state, ScoreBox(category="twos", player=BEN))


def test_a_pick_that_a_corrected_die_rules_out_is_open_again(together: State):
    state = play(together, CorrectDie(slot=5, face=5))
    assert [COPY.of(player).chosen for player in state.players] == [None, None]
    assert snapshot(state, Sight()).part(TablePart).waits_for == (ANA, BEN)
    for seat in (ANA, BEN):
        assert set(potentials(state, seat)) == {"fives"}
        state = play(state, ScoreBox(category="fives", player=seat), Ready(player=seat))
    assert [player.sheet.points("fives") for player in state.players] == [25, 25]


def test_a_pick_that_still_may_be_stays(together: State):
    state = play(together, CorrectDie(slot=5, face=2))
    assert [COPY.of(player).chosen for player in state.players] == ["ones", "twos"]
    assert [COPY.of(player).ready for player in state.players] == [True, False]


def test_a_pick_that_a_corrected_box_rules_out_is_open_again():
    state = round_(begun(head="throws = 1\nsimultaneous = true"), FIVES, "choice", "yacht")
    state = round_(state, FIVES, "ones")
    assert COPY.of(state.players[ANA]).chosen == "ones"  # her yacht box is open: it may go anywhere
    correction = CorrectBox(player=ANA, category="choice", faces=FIVES, to="yacht")
    state = play(state, correction)
    assert (COPY.of(state.players[ANA]).chosen, COPY.of(state.players[ANA]).ready) == (None, False)
    assert COPY.of(play(state, Undo()).players[ANA]).ready
