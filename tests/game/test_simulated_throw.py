"""What a simulated hand is told: which dice stay, and what the thrown ones shall show."""

import pytest

from messages.errors import RefusalError
from station.contract.commands import EnterRoll, SetHeld
from station.game.dice.simulated_throw import faces_to_throw, held_places
from station.game.dice.tray import Offer
from station.game.log.slots import Die, Seen
from station.game.log.state import State
from tests.game.playing import play, started
from tests.wording import in_words


@pytest.fixture
def holding() -> State:
    """Slots 2 and 4, a 6 and a 3, stay."""
    return play(started("yacht-1938", "Ana"), EnterRoll(faces=(1, 6, 2, 3, 4)), SetHeld(slots=(2, 4)))


def test_the_faces_may_be_left_to_chance(holding):
    assert faces_to_throw(holding, ()) is None


def test_faces_are_those_of_the_thrown_dice_or_of_all(holding):
    assert faces_to_throw(holding, (5, 5, 1)) == (5, 5, 1)
    assert faces_to_throw(holding, [5, 6, 4, 3, 1]) == (5, 4, 1)
    assert faces_to_throw(started("yacht-1938", "Ana"), (5, 5, 5, 5, 1)) == (5, 5, 5, 5, 1)


def test_any_other_number_of_faces_is_refused(holding):
    for faces in ((1,), (1, 1, 1, 1), (1, 1, 1, 1, 1, 1)):
        with pytest.raises(RefusalError) as caught:
            faces_to_throw(holding, faces)
        assert caught.value.code == "throw/count"
        assert in_words(caught.value.message) == ("Dice to be thrown: 3 of 5; give as many faces, or all 5.")


def test_a_held_die_cannot_be_given_another_face(holding):
    with pytest.raises(RefusalError) as caught:
        faces_to_throw(holding, (1, 6, 1, 1, 1))
    assert (caught.value.code, in_words(caught.value.message)) == (
        "throw/held",
        "Die 4 is held and shows 3.",
    )


def test_held_dice_are_found_where_they_lie_now(holding):
    assert held_places(holding, Offer("ready")) == ((1, 6), (3, 3))
    xs = {1: 500.0, 2: 400.0, 3: 300.0, 4: 100.0, 5: 200.0}
    lying = tuple(Die(die.slot, die.face, Seen(die.face, xs[die.slot], 0.0, 60.0)) for die in holding.dice)
    assert held_places(holding, Offer("ready", dice=lying)) == ((3, 6), (0, 3))
    assert held_places(started("yacht-1938", "Ana"), Offer("empty")) == ()
