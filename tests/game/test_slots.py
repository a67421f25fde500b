"""Which die on the tray is which slot, whether it moved, and which die a held one is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.game.log.slots import (
    Die,
    Seen,
    assign,
    left_to_right,
    pairs,
    slots_of,
    unclaimed,
    unmoved,
)
from tests.game.playing import row


def at(face: int, x: float, y: float = 0.0, size: float = 50.0, track: int | None = None) -> Seen:
    return Seen(face, x, y, size, "", track)


def given_to(held: list[Die], seen: list[Seen], count: int) -> tuple[list[tuple[int, int]], tuple[int, ...]]:
    """(slot, face) of each die, and what is missing."""
    match = assign(held, seen, count)
    return [(die.slot, die.face) for die in match.dice], match.missing


def test_dice_are_numbered_from_left_to_right_then_from_top_to_bottom():
    dice = [at(1, 30, 5), at(2, 10, 9), at(3, 10, 2)]
    assert [die.face for die in left_to_right(dice)] == [3, 2, 1]


# -- whether they moved ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "y", "size", "still"),
    [
        (19.9, 0.0, 50.0, True),
        (20.0, 0.0, 50.0, False),
        (0.0, 19.9, 50.0, True),
        (0.0, 20.0, 50.0, False),
        (12.0, 15.9, 50.0, True),
        (12.0, 16.1, 50.0, False),
        (23.9, 0.0, 60.0, True),
        (19.9, 0.0, 40.0, True),
    ],
)
def test_a_die_lies_still_within_two_fifths_of_its_edge(x, y, size, still):
    """The larger edge counts, whichever of both readings it is of."""
    before, now = [at(4, 100, 100)], [at(4, 100 + x, 100 + y, size)]
    assert unmoved(before, now) == unmoved(now, before) == still
    assert pairs(before, now) == ({0: 0} if still else {})


def test_every_die_must_lie_still_and_show_what_it_showed():
    before = row(1, 2, 3)
    assert unmoved(before, row(1, 2, 3, at=5))
    assert unmoved(before, row(1, 2, 3, 6))
    assert not unmoved(before, row(1, 2))
    assert not unmoved(before, row(1, 2, 4))
    assert not unmoved(before, row(1, 2, 3, at=30))
    assert unmoved(row(1, 0, 3), row(1, 2, 3))
    assert not unmoved(row(1, 2, 3), row(1, 0, 3))
    assert not unmoved((), before)


def test_the_nearest_pair_is_one_first():
    before = [at(1, 0), at(2, 15)]
    assert pairs(before, [at(1, 10), at(2, 25)]) == {1: 0}
    assert pairs(before, [at(1, 2), at(2, 12)]) == {0: 0, 1: 1}
    assert pairs([at(1, 0)], [at(2, 9), at(1, 4)]) == {0: 1}


# -- slots -------------------------------------------------------------------------------------------


def test_without_held_dice_slots_are_the_order_on_the_tray():
    assert given_to([], [at(1, 30), at(2, 10), at(3, 20)], 3) == ([(1, 2), (2, 3), (3, 1)], ())
    assert given_to([], [at(1, 30)], 3) == ([(1, 1)], ())
    assert given_to([], [at(1, 10), at(2, 20), at(3, 30)], 2) == ([(1, 1), (2, 2)], ())


def test_a_held_die_is_found_where_it_lay():
    held = [Die(2, 6, at(6, 300))]
    assert given_to(held, [at(6, 10), at(1, 90), at(6, 305)], 3) == ([(1, 6), (2, 6), (3, 1)], ())
    match = assign(held, [at(6, 10), at(1, 90), at(6, 305)], 3)
    assert match.dice[1].seen == at(6, 305)


def test_else_by_its_track():
    held = [Die(1, 6, at(6, 300, track=7))]
    match = assign(held, [at(6, 10, track=3), at(6, 90, track=7)], 2)
    assert match.dice == (Die(1, 6, at(6, 90, track=7)), Die(2, 6, at(6, 10, track=3)))
    # A track that shows another face is another die.
    match = assign(held, [at(6, 10, track=3), at(5, 90, track=7)], 2)
    assert match.dice == (Die(1, 6, at(6, 10, track=3)), Die(2, 5, at(5, 90, track=7)))
    # And two dice without any have none in common.
    match = assign([Die(1, 6, at(6, 300))], [at(6, 10), at(6, 280, 90)], 2)
    assert match.dice[0].seen == at(6, 280, 90)


def test_else_by_its_face_and_then_the_nearest():
    held = [Die(1, 6, at(6, 300))]
    match = assign(held, [at(6, 10), at(6, 200), at(1, 290, 90)], 3)
    assert match.dice[0] == Die(1, 6, at(6, 200))
    typed = [Die(1, 6)]
    match = assign(typed, [at(6, 200), at(6, 10), at(1, 0)], 3)
    assert match.dice[0] == Die(1, 6, at(6, 10))


def test_place_goes_before_track_and_track_before_face():
    held = [Die(1, 6, at(6, 0, track=1)), Die(2, 6, at(6, 300, track=2))]
    match = assign(held, [at(6, 300, track=1), at(6, 900, track=2), at(6, 600)], 3)
    assert [die.seen for die in match.dice] == [at(6, 600), at(6, 300, track=1), at(6, 900, track=2)]


def test_what_people_corrected_is_known_by_what_the_camera_sees():
    held = [Die(1, 6, at(5, 300))]
    assert assign(held, [at(5, 302), at(6, 10)], 2).dice[0].seen == at(5, 302)
    assert assign(held, [at(6, 302), at(6, 10)], 2).dice[0].seen == at(6, 302)
    # Another face in its place is another die.
    assert assign(held, [at(4, 302), at(6, 10)], 2).dice[0].seen == at(6, 10)


def test_a_die_the_camera_could_not_tell_is_known_by_its_place():
    held = [Die(1, 6, at(0, 300))]
    assert assign(held, [at(3, 302), at(2, 10)], 2).dice[0] == Die(1, 6, at(3, 302))
    assert assign(held, [at(3, 302), at(6, 10)], 2).dice[0] == Die(1, 6, at(6, 10))
    assert given_to(held, [at(3, 400), at(2, 10)], 2) == ([(1, 6), (2, 3)], (6,))


def test_a_held_die_that_is_gone_is_missing_and_keeps_its_face():
    held = [Die(2, 6, at(6, 300)), Die(3, 5, at(5, 400))]
    assert given_to(held, [at(1, 10), at(2, 20), at(3, 30)], 3) == ([(1, 1), (2, 6), (3, 5)], (6, 5))
    assert given_to(held, [], 3) == ([(2, 6), (3, 5)], (6, 5))
    assert assign(held, [], 3).dice == (Die(2, 6), Die(3, 5))


def test_dice_of_nobody():
    held = [Die(2, 6, at(6, 300))]
    assert unclaimed(held, [at(6, 305), at(1, 10), at(6, 90)]) == (at(1, 10), at(6, 90))
    assert unclaimed([], [at(6, 305), at(1, 10)]) == (at(6, 305), at(1, 10))


ROWS = st.lists(st.integers(1, 6), min_size=5, max_size=5)


@given(ROWS, st.sets(st.integers(1, 5)), st.permutations(range(5)))
def test_dice_that_lie_as_they_did_have_the_slots_they_had(faces, slots, order):
    lying = row(*faces)
    held = [Die(slot, lying[slot - 1].face, lying[slot - 1]) for slot in slots]
    match = assign(held, [lying[i] for i in order], 5)
    assert match.dice == tuple(Die(slot, one.face, one) for slot, one in enumerate(lying, start=1))
    assert match.missing == ()


@given(ROWS, st.lists(st.integers(1, 6), min_size=5, max_size=5), st.sets(st.integers(1, 5)))
def test_every_die_gets_one_slot_and_held_ones_their_face(before, now, slots):
    lying, thrown = row(*before), row(*now, at=500.0)
    held = [Die(slot, lying[slot - 1].face, lying[slot - 1]) for slot in slots]
    match = assign(held, thrown, 5)
    assert [die.slot for die in match.dice] == [1, 2, 3, 4, 5]
    assert {die.seen for die in match.dice} == set(thrown)
    assert all(die.face == before[die.slot - 1] for die in match.dice if die.slot in slots)
    assert all(die.seen and die.face == die.seen.face for die in match.dice if die.slot not in slots)
    wanted = [before[slot - 1] for slot in slots]
    assert len(match.missing) == sum(max(wanted.count(face) - now.count(face), 0) for face in set(wanted))


# -- slots for the faces of a hint -------------------------------------------------------------------

DICE = [Die(1, 4), Die(2, 4), Die(3, 2), Die(4, 6)]


@pytest.mark.parametrize(
    ("hold", "held", "slots"),
    [
        ((), (1, 2), ()),
        ((4,), (), (1,)),
        ((4,), (2,), (2,)),
        ((4, 4), (2,), (1, 2)),
        ((6, 2, 4), (), (1, 3, 4)),
        ((6, 2, 4), (2,), (2, 3, 4)),
        ((5,), (), ()),
    ],
)
def test_slots_that_keep_these_faces(hold, held, slots):
    assert slots_of(hold, DICE, held) == slots
