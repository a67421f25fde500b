"""What a press means, by the phase of the turn and the box that is marked."""

import pytest

from messages.errors import RefusalError
from station.contract.commands import (
    AddPlayer,
    Choose,
    CorrectDie,
    EnterRoll,
    Press,
    SetHeld,
    StartGame,
    Undo,
)
from station.game.boxes import first_mark, worth_now
from station.game.log.state import State
from station.table.buttons import meaning
from tests.game.playing import play, started, turn

FACES = (1, 2, 3, 4, 4)


def press(state: State, button: str, mark: str | None = None, *, long: bool = False):
    return meaning(state, mark, Press(button=button, long=long))


@pytest.fixture
def holding() -> State:
    return play(started("yacht-1938", "Ana", "Ben"), EnterRoll(faces=FACES), SetHeld(slots=(2, 5)))


@pytest.fixture
def choosing(holding) -> State:
    return play(holding, Choose())


def test_a_long_press_goes_to_choosing_and_back_unless_something_came_since(holding, choosing):
    assert press(holding, "confirm", long=True) == Choose()
    assert press(choosing, "confirm", "ones", long=True) == Undo()
    with pytest.raises(RefusalError) as refused:
        press(play(choosing, CorrectDie(slot=1, face=6)), "confirm", "ones", long=True)
    assert refused.value.code == "roll/choosing"


def test_a_long_press_in_the_lobby_begins_a_game_once_somebody_is_there():
    assert press(State(), "confirm", long=True) == Choose()
    assert press(play(State(), AddPlayer(name="Ana")), "confirm", long=True) == StartGame()


def test_the_mark_moves_over_the_open_boxes_and_round_the_ends(choosing):
    boxes = list(worth_now(choosing))
    assert boxes == list(choosing.rules.categories)
    for here, onwards in zip(boxes, [*boxes[1:], boxes[0]], strict=True):
        assert press(choosing, "hold-5", here) == Choose(category=onwards)
        assert press(choosing, "hold-1", onwards) == Choose(category=here)
    # A mark that is no open box any more counts as the first one.
    assert press(choosing, "hold-5", "joker") == Choose(category=boxes[1])
    assert press(choosing, "hold-1", None) == Choose(category=boxes[-1])


def test_the_mark_begins_at_the_box_worth_most(holding, choosing):
    assert first_mark(choosing) == "choice"
    assert first_mark(holding) is None
    without = play(started("yacht-1938", "Ana"), *turn("choice"), *turn("fours"), *turn("threes"))
    without = play(without, EnterRoll(faces=(1, 2, 2, 3, 6)), Choose())
    assert first_mark(without) == "sixes"
    equal = play(started("yacht-1938", "Ana"), *turn("choice"), EnterRoll(faces=(2, 2, 4, 5, 5)), Choose())
    assert first_mark(equal) == "fives"
    first = play(started("yacht-1938", "Ana"), *turn("choice"), *turn("fives"))
    first = play(first, EnterRoll(faces=(2, 2, 4, 5, 5)), Choose())
    assert first_mark(first) == "twos"  # as much as fours, and above it on the page
