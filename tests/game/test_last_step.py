"""What undo would take back, and whose step it was: told from the state alone, however long the game."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.contract.commands import EnterRoll, ScoreBox, SetHeld, StartGame
from station.game import evolve as evolving
from station.game.evolve import evolve, replay
from station.game.log.state import Phase, State
from station.game.sentences import undo_text
from station.rules import potentials
from tests.game.deciding import decide

NAMES = ("Ana", "Ben", "Cleo")


def after(state: State, command) -> State:
    for event in decide(state, command, game=1):
        state = evolve(state, event)
    return state


def step(state: State, faces: list[int], *, holds: bool) -> State:
    """One more step: a throw, dice held, or the first box that is open."""
    assert state.rules is not None
    count = state.dice_count
    if state.phase is Phase.THROWING:
        return after(state, EnterRoll(faces=tuple(faces[:count])))
    if holds and state.phase is Phase.HOLDING and not state.held:
        return after(state, SetHeld(slots=(1,)))
    open_ = potentials(state.rules, state.player.sheet, state.faces, state.throws_done)
    return after(state, ScoreBox(category=next(iter(open_))))


@pytest.mark.thorough
@given(
    throws=st.lists(
        st.tuples(st.lists(st.integers(1, 6), min_size=5, max_size=5), st.booleans()), min_size=1, max_size=80
    )
)
def test_whose_step_it_was_is_who_played_before_it(throws):
    state = after(State(), StartGame(players=NAMES, rules="yacht-1938"))
    for faces, holds in throws:
        if state.phase is Phase.FINISHED:
            break
        state = step(state, faces, holds=holds)
        assert state.past[-1].in_turn
        before = replay(state.past[:-1])
        assert state.last_mover == before.player.name
        told = undo_text(state)
        assert told is not None
        assert told.values["name" if "name" in told.values else "count"] in {before.player.name, 1}


@pytest.fixture
def filled() -> State:
    """A game in which the last step filled a box."""
    state = after(State(), StartGame(players=NAMES, rules="yacht-1938"))
    return step(step(state, [2, 2, 2, 5, 5], holds=False), [], holds=False)


def test_the_game_is_not_played_again_for_it(filled, monkeypatch):
    monkeypatch.setattr(evolving, "evolve", lambda *_: pytest.fail("the game was played again"))
    assert filled.last_mover == "Ana"
    told = undo_text(filled)
    assert told is not None
    assert told.values["name"] == "Ana"
