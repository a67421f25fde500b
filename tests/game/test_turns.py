"""A turn of one player: what changes nothing, what is refused, what an event carries."""

import pytest

from station.contract.commands import Choose, CorrectDie, EnterRoll, ScoreBox, SetHeld
from station.features.all_at_once.ready import Ready
from station.game.log.state import Phase, State
from tests.game.deciding import decide
from tests.game.playing import play, refused, started

ROLL = EnterRoll(faces=(1, 2, 3, 4, 4))


@pytest.fixture
def rolled() -> State:
    return play(started("yacht-1938", "Ana", "Ben"), ROLL)


def test_a_die_that_shows_it_already_is_not_set_right(rolled):
    assert decide(rolled, CorrectDie(slot=3, face=3)) == ()
    assert play(rolled, CorrectDie(slot=3, face=5)).faces == (1, 2, 5, 4, 4)
    assert refused(rolled, CorrectDie(slot=6, face=5))[0] == "die/unknown"


@pytest.mark.parametrize("slot", [0, 6])
def test_dice_are_held_by_the_numbers_there_are(rolled, slot):
    command = SetHeld.model_construct(slots=(1, slot), player=None)
    assert refused(rolled, command) == ("die/unknown", "The dice are numbered 1 to 5.")


def test_who_is_choosing_need_not_choose_again(rolled):
    choosing = play(rolled, Choose())
    assert choosing.phase is Phase.CHOOSING
    assert decide(choosing, Choose()) == ()


def test_who_chooses_with_throws_left_is_told_so_and_not_that_there_are_none(rolled):
    told = "Ana is picking a box; undo that to roll again."
    choosing = play(rolled, SetHeld(slots=(1, 2, 3, 4, 5)), Choose())
    assert refused(choosing, SetHeld(slots=())) == ("held/choosing", told)
    assert refused(choosing, ROLL) == ("roll/choosing", told)
    assert refused(play(rolled, SetHeld(slots=(1, 2, 3, 4, 5))), ROLL)[0] == "roll/all_held"
    last = play(rolled, ROLL, ROLL)
    assert refused(last, SetHeld(slots=())) == (
        "held/choosing",
        "No more rolls: pick a box.",
    )


def test_where_all_play_at_once_boxes_are_chosen_after_the_last_throw():
    state = play(started("shared-roll", "Ana", "Ben"), ROLL)
    assert refused(state, Choose())[0] == "box/after_last_throw"
    for _ in range(2):
        state = play(state, Ready(player=0), Ready(player=1), ROLL)
    assert decide(state, Choose()) == ()


def test_a_box_is_filled_by_whose_turn_it_is(rolled):
    assert refused(rolled, ScoreBox(category="fours", player=1))[0] == "player/not_turn"
    assert play(rolled, ScoreBox(category="fours", player=0)).active == 1
