"""A throw that two sides fix together: fair while one of them is honest, and every cheat is told."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messages.errors import RefusalError
from station.game.fair_throw import SECRET_BYTES, Throw, commitment, faces, secret_of

SIDES = ("kitchen", "berlin")
secrets = st.binary(min_size=SECRET_BYTES, max_size=SECRET_BYTES)
throws = st.builds(Throw, st.integers(1, 9), st.integers(0, 999), st.integers(1, 10))


def told(throw: Throw, a: bytes, b: bytes) -> tuple[str, str]:
    return commitment(throw, SIDES[0], a), commitment(throw, SIDES[1], b)


@given(throws, secrets, secrets)
def test_both_sides_come_to_the_same_faces(throw: Throw, a: bytes, b: bytes):
    here = faces(throw, (a, b), told(throw, a, b), SIDES)
    assert here == faces(throw, (a, b), told(throw, a, b), SIDES)
    assert len(here) == throw.dice
    assert set(here) <= set(range(1, 7))


@given(throws, secrets, secrets, st.integers(0, SECRET_BYTES - 1), st.integers(1, 255), st.integers(0, 1))
def test_a_secret_that_was_changed_after_it_was_committed_to_is_told(
    throw: Throw, a: bytes, b: bytes, place: int, change: int, who: int
):
    commitments = told(throw, a, b)
    revealed = [bytearray(a), bytearray(b)]
    revealed[who][place] ^= change
    with pytest.raises(RefusalError) as caught:
        faces(throw, (bytes(revealed[0]), bytes(revealed[1])), commitments, SIDES)
    assert caught.value.message.values["home"] == SIDES[who]


@given(throws, throws, secrets, secrets)
def test_what_was_committed_to_for_one_throw_counts_for_no_other(
    one: Throw, other: Throw, a: bytes, b: bytes
):
    if one != other:
        with pytest.raises(RefusalError):
            faces(other, (a, b), told(one, a, b), SIDES)


@given(throws, secrets)
def test_a_side_cannot_hand_back_what_the_other_said(throw: Throw, a: bytes):
    """With the same secret on both sides every throw would be that of nulls."""
    mirrored = commitment(throw, SIDES[0], a)
    with pytest.raises(RefusalError):
        faces(throw, (a, a), (mirrored, mirrored), SIDES)


@pytest.mark.parametrize("wrong", [b"", b"short", bytes(33)])
def test_a_secret_of_another_length_is_none(wrong: bytes):
    throw = Throw(1, 2, 5)
    with pytest.raises(RefusalError):
        faces(throw, (wrong, wrong), told(throw, wrong, wrong), SIDES)


def test_who_stops_and_tries_again_gets_the_same_throw():
    throw, other = Throw(1, 2, 5), Throw(1, 3, 5)
    assert secret_of(b"k" * 32, throw) == secret_of(b"k" * 32, throw)
    assert secret_of(b"k" * 32, throw) != secret_of(b"k" * 32, other)


def test_a_side_that_always_says_the_same_changes_no_chance():
    """1,200 throws of five dice against a secret of nulls: each face within five standard deviations."""
    count: Counter[int] = Counter()
    for after in range(1200):
        throw = Throw(1, after, 5)
        ours, theirs = secret_of(b"honest" * 6, throw), bytes(SECRET_BYTES)
        count.update(faces(throw, (ours, theirs), told(throw, ours, theirs), SIDES))
    expected, deviation = 1000, (6000 * 1 / 6 * 5 / 6) ** 0.5
    assert all(abs(count[face] - expected) < 5 * deviation for face in range(1, 7))
