"""What a press means, by the phase of the turn and the box that is marked."""

from dataclasses import replace

import pytest

from messages.errors import RefusalError
from station.contract.commands import AddPlayer, Choose, CorrectDie, EnterRoll, Press, ScoreBox, SetHeld, Undo
from station.features.all_at_once.choose_player import ChoosePlayer
from station.features.all_at_once.ready import Ready
from station.game.boxes import check_mark, first_mark, worth_now
from station.game.log.state import State
from station.table.buttons import meaning
from tests.game.playing import play, started, turn
from tests.wording import in_words

FACES = (1, 2, 3, 4, 4)


def press(state: State, button: str, mark: str | None = None, *, long: bool = False):
    return meaning(state, mark, Press(button=button, long=long))


@pytest.fixture
def holding() -> State:
    return play(started("yacht-1938", "Ana", "Ben"), EnterRoll(faces=FACES), SetHeld(slots=(2, 5)))


@pytest.fixture
def choosing(holding) -> State:
    return play(holding, Choose())


def test_a_long_press_goes_to_choosing_and_back(holding, choosing):
    assert press(holding, "confirm", long=True) == Choose()
    assert press(choosing, "confirm", "ones", long=True) == Undo()
    out_of_throws = play(holding, EnterRoll(faces=FACES), EnterRoll(faces=FACES))
    assert press(out_of_throws, "confirm", "ones", long=True) == Choose()
    assert press(State(), "confirm", long=True) == Choose()


def test_a_long_press_says_what_is_in_the_way_of_going_back(choosing):
    corrected = play(choosing, CorrectDie(slot=1, face=6 if choosing.faces[0] != 6 else 5))
    with pytest.raises(RefusalError) as caught:
        press(corrected, "confirm", "ones", long=True)
    assert caught.value.code == "roll/choosing"
    assert press(play(corrected, Undo()), "confirm", "ones", long=True) == Undo()


def test_the_mark_moves_over_the_open_boxes_and_round_the_ends(choosing):
    boxes = list(worth_now(choosing))
    assert boxes == list(choosing.rules.categories)
    for here, onwards in zip(boxes, [*boxes[1:], boxes[0]], strict=True):
        assert press(choosing, "hold-5", here) == Choose(category=onwards)
        assert press(choosing, "hold-1", onwards) == Choose(category=here)
    # A mark that is no open box any more counts as the first one.
    assert press(choosing, "hold-5", "joker") == Choose(category=boxes[1])
    assert press(choosing, "hold-1", None) == Choose(category=boxes[-1])


@pytest.mark.parametrize("button", ["hold-2", "hold-3", "hold-4"])
def test_buttons_without_a_meaning_are_refused(choosing, button):
    with pytest.raises(RefusalError) as caught:
        press(choosing, button, "ones")
    assert in_words(caught.value.message) == "Hold 1 and hold 5 move the mark, confirm takes the box."
    assert caught.value.code == "box/mark"


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


def test_a_late_guest_without_dice_has_no_box_to_mark():
    last = play(started("shared-roll", "Ana", "Ben"), EnterRoll(faces=FACES))
    for _ in range(2):
        last = play(last, Ready(player=0), Ready(player=1), EnterRoll(faces=FACES))
    late = replace(play(last, AddPlayer(name="Cem")), active=2)
    assert (late.phase, worth_now(late)) == ("choosing", {})
    assert first_mark(late) is None


def test_a_long_press_goes_from_player_to_player_and_from_the_last_to_the_first():
    state = play(started("shared-roll", "Ana", "Ben", "Cem"), EnterRoll(faces=FACES))
    after = {seat: press(replace(state, active=seat), "confirm", long=True) for seat in range(3)}
    assert after == {seat: ChoosePlayer(player=(seat + 1) % 3) for seat in range(3)}


def test_only_an_open_box_may_be_marked(choosing):
    check_mark(choosing, "ones")
    with pytest.raises(RefusalError) as caught:
        check_mark(choosing, "joker")
    assert (caught.value.code, in_words(caught.value.message)) == ("box/unknown", "There is no box 'joker'.")
    filled = play(choosing, ScoreBox(category="ones"), *turn("ones"), EnterRoll(faces=FACES))
    with pytest.raises(RefusalError) as caught:
        check_mark(filled, "ones")
    assert (caught.value.code, in_words(caught.value.message)) == (
        "box/filled",
        "That box cannot be filled now: pick another.",
    )
