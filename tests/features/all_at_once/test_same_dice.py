"""Dice followed from throw to throw by their colours, and a throw for who starts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.features.all_at_once.same_dice import colours_by_slot, follow, shared_colours, untouched
from station.features.throw_off.standing import standing
from station.game.log.slots import Die, Seen
from station.rules import FirstDie

RED, GREEN, BLUE = "red", "green", "blue"


def at(face: int, x: float, colour: str, y: float = 0.0, size: float = 50.0) -> Seen:
    return Seen(face, x, y, size, colour)


def lying(*colours: str) -> tuple[Seen, ...]:
    """Dice of these colours from left to right, which show 1, 2, 3, …"""
    return tuple(at(i, 100.0 * i, colour) for i, colour in enumerate(colours, start=1))


def faces(colours: tuple[str, ...], seen: tuple[Seen, ...]) -> tuple[list[int], tuple[int, ...]]:
    """The faces by slot, and the vague slots."""
    found = follow(colours, seen)
    assert [die.slot for die in found.dice] == list(range(1, len(seen) + 1))
    return [die.face for die in found.dice], found.vague


@pytest.mark.parametrize(
    ("colours", "there", "dice", "vague"),
    [
        ((), (RED, GREEN), [1, 2], ()),
        ((RED, GREEN, BLUE), (BLUE, RED, GREEN), [2, 3, 1], ()),
        ((RED, RED, GREEN), (GREEN, RED, RED), [2, 3, 1], ()),
        ((RED, RED), (RED, RED), [1, 2], ()),
        ((RED, RED), (RED, GREEN), [1, 2], ()),
        # One die whose colour was read otherwise is the one that is left.
        ((RED, GREEN, BLUE), (BLUE, RED, RED), [2, 3, 1], (1, 2)),
        ((RED, GREEN, BLUE), (BLUE, RED, "grey"), [2, 3, 1], ()),
        ((RED, "", BLUE), (BLUE, RED, GREEN), [2, 3, 1], ()),
        ((RED, "", ""), ("", RED, ""), [2, 1, 3], (2, 3)),
    ],
)
def test_a_slot_is_the_die_of_its_colour(colours, there, dice, vague):
    assert faces(colours, lying(*there)) == (dice, vague)


@given(st.permutations([RED, RED, GREEN, BLUE, BLUE]), st.permutations(range(5)))
def test_dice_of_other_colours_may_lie_in_any_order(colours, order):
    seen = tuple(
        at(i + 1, 100.0 * place, colour) for i, (place, colour) in enumerate(zip(order, colours, strict=True))
    )
    found = follow(tuple(colours), seen)
    assert found.vague == ()
    assert [die.seen.colour for die in found.dice if die.seen] == list(colours)
    for colour in (RED, BLUE):
        xs = [die.seen.x for die in found.dice if die.seen and die.seen.colour == colour]
        assert xs == sorted(xs)


def test_the_first_colour_of_a_slot_stays():
    dice = (Die(1, 3, at(3, 0, RED)), Die(2, 4, at(4, 9, GREEN)), Die(3, 5))
    assert colours_by_slot((), dice) == (RED, GREEN, "")
    assert colours_by_slot((BLUE, "", ""), dice) == (BLUE, GREEN, "")
    assert colours_by_slot((BLUE,), dice) == (BLUE, GREEN, "")
    assert colours_by_slot(("", "", BLUE), dice) == (RED, GREEN, BLUE)


def test_colours_of_more_than_one_die():
    assert shared_colours((RED, GREEN, RED, BLUE, GREEN)) == (RED, GREEN)
    assert shared_colours((RED, GREEN)) == shared_colours(("", "")) == ()


@pytest.mark.parametrize(
    ("now", "still"),
    [
        (at(3, 100, RED), True),
        (at(3, 104.9, RED), True),
        (at(3, 105, RED), False),
        (at(3, 100, RED, y=4.9), True),
        (at(3, 100, RED, y=5.0), False),
        (at(3, 103, RED, y=3.9), True),
        (at(3, 103, RED, y=4.1), False),
        (at(3, 105.5, RED, size=60.0), True),
        (at(3, 104.9, RED, size=40.0), True),
        (at(4, 100, RED), False),
        (at(3, 100, GREEN), False),
    ],
)
def test_a_die_was_not_thrown_that_lies_exactly_as_before(now, still):
    before = [at(6, 500, BLUE), at(3, 100, RED)]
    assert untouched(before, [Die(4, now.face, now), Die(5, 1)]) == ((4,) if still else ())


LOWEST, HIGHEST = FirstDie.LOWEST, FirstDie.HIGHEST


@pytest.mark.parametrize(
    ("thrown", "first", "seat", "settled"),
    [
        ([()], LOWEST, 0, True),
        ([(), ()], LOWEST, 0, False),
        ([(4,), ()], LOWEST, 1, False),
        ([(4,), (2,), (5,)], LOWEST, 1, True),
        ([(4,), (2,), (5,)], HIGHEST, 2, True),
        ([(5,), (2,), (5,)], HIGHEST, 0, False),
        ([(5, 1), (2,), (5,)], HIGHEST, 2, False),
        ([(5, 1), (2,), (5, 1)], HIGHEST, 0, False),
        ([(5, 1, 3), (2,), (5, 1, 6)], HIGHEST, 2, True),
        ([(5, 1, 3), (2,), (5, 1, 6)], LOWEST, 1, True),
        ([(5,), None, (2,)], LOWEST, 2, True),
        ([None, (), (2,)], LOWEST, 1, False),
        ([None, (), None], LOWEST, 1, True),
    ],
)
def test_the_best_die_starts_and_equal_ones_throw_again(thrown, first, seat, settled):
    assert standing(thrown, first) == (seat, settled)
