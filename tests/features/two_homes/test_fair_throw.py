"""A throw that two sides fix together: fair while one of them is honest, and every cheat is told."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from messages.errors import RefusalError
from station.features.two_homes.fair_throw import (
    GUEST,
    HOST,
    SECRET_BYTES,
    FairThrow,
    GuestSide,
    HostSide,
    Secrets,
    check_secret,
    commitment,
    faces,
    secret_of,
    secrets_of,
)
from station.game.events import GameStarted, RollAccepted

secrets = st.binary(min_size=SECRET_BYTES, max_size=SECRET_BYTES)
throws = st.builds(FairThrow, st.integers(1, 9), st.integers(0, 999), st.integers(1, 10))
sides = st.sampled_from([HOST, GUEST])


@given(throws, secrets, sides, st.integers(0, SECRET_BYTES - 1), st.integers(1, 255))
def test_a_secret_that_was_changed_after_it_was_committed_to_is_told(
    throw: FairThrow, secret: bytes, side: str, place: int, change: int
):
    told = commitment(throw, side, secret)
    check_secret(throw, side, secret, told)
    other = bytearray(secret)
    other[place] ^= change
    with pytest.raises(RefusalError):
        check_secret(throw, side, bytes(other), told)


@given(throws, throws, secrets)
def test_what_was_committed_to_for_one_throw_counts_for_no_other(
    one: FairThrow, other: FairThrow, secret: bytes
):
    if one != other:
        with pytest.raises(RefusalError):
            check_secret(other, GUEST, secret, commitment(one, GUEST, secret))


@given(throws, secrets)
def test_a_side_cannot_hand_back_what_the_other_said(throw: FairThrow, secret: bytes):
    """With the same secret on both sides every throw would be that of nulls."""
    with pytest.raises(RefusalError):
        check_secret(throw, GUEST, secret, commitment(throw, HOST, secret))


@pytest.mark.parametrize("wrong", [b"", b"short", bytes(33)])
def test_a_secret_of_another_length_is_none(wrong: bytes):
    throw = FairThrow(1, 2, 5)
    with pytest.raises(RefusalError):
        check_secret(throw, GUEST, wrong, commitment(throw, GUEST, wrong))


def test_a_side_that_always_says_the_same_changes_no_chance():
    """1,200 throws of five dice against a secret of nulls: each face within five standard deviations."""
    count: Counter[int] = Counter()
    for number in range(1200):
        throw = FairThrow(1, number, 5)
        count.update(faces(throw, (secret_of(b"honest" * 6, throw), bytes(SECRET_BYTES))))
    expected, deviation = 1000, (6000 * 1 / 6 * 5 / 6) ** 0.5
    assert all(abs(count[face] - expected) < 5 * deviation for face in range(1, 7))


def test_without_any_game_what_was_promised_is_forgotten():
    throw, guest = FairThrow(3, 0, 5), GuestSide(b"g" * 32)
    told = guest.commit(throw)
    guest.reveal(throw, "a promise")
    guest.follow(())
    assert guest.commit(throw) != told


def test_a_throw_that_comes_again_gets_another_secret():
    """The host has put a backup back, and knows the secret of the first time."""
    throw, guest = FairThrow(3, 0, 5), GuestSide(b"g" * 32)

    def drawn(key: bytes) -> Secrets:
        host = HostSide(key)
        told = host.commit("berlin", throw, guest.commit(throw))
        both = host.reveal("berlin", throw, guest.reveal(throw, told))
        guest.check(throw, both)
        return both

    first, second = drawn(b"a" * 32), drawn(b"b" * 32)
    assert first[1] != second[1]
    with pytest.raises(RefusalError):
        guest.check(throw, first)
    told = guest.commit(throw)
    guest.reveal(throw, "a promise")
    guest.follow((GameStarted(4, 3, "yacht-1938", ("Ana",)),))  # the game of that throw is over
    assert guest.commit(throw) != told
    guest.reveal(throw, "another")


class Drawing(RuleBasedStateMachine):
    """Both sides over a line that loses what is said, with restarts and cheats at any moment.

    What has to hold: a throw that is written down is what both had promised first, by secrets of which
    neither knew the other's when it promised; whatever is tried for one throw shows the same faces, as long
    as the guest was not started again, or told that the host promises something else; and where both are
    honest nothing is ever refused.
    """

    def __init__(self) -> None:
        super().__init__()
        self.number = self.starts = 0
        self.host = HostSide(b"h" * 32)
        self._new_guest()
        self.written: list[tuple[FairThrow, Secrets]] = []
        self.host_promise: str | None = None
        self.own: bytes | None = None
        self.seen: dict[tuple[FairThrow, int], tuple[int, ...]] = {}

    def _new_guest(self) -> None:
        self.starts += 1
        self.guest = GuestSide(bytes([self.starts % 256]) * 32)

    @property
    def throw(self) -> FairThrow:
        return FairThrow(1, self.number, 5)

    @rule()
    def promise(self) -> None:
        """The guest asks, and the answer arrives."""
        self.host_promise = self.host.commit("berlin", self.throw, self.guest.commit(self.throw))

    @rule()
    def promise_unheard(self) -> None:
        """The host's answer is lost: the guest asks again some time."""
        self.host.commit("berlin", self.throw, self.guest.commit(self.throw))

    @precondition(lambda self: self.host_promise is not None)
    @rule()
    def reveal(self) -> None:
        """The guest tells its secret; it may be lost before the host hears it."""
        assert self.host_promise is not None
        self.own = self.guest.reveal(self.throw, self.host_promise)

    @precondition(lambda self: self.own is not None)
    @rule(heard=st.booleans())
    def write(self, heard: bool) -> None:  # noqa: FBT001 - as hypothesis gives it
        """The host hears it and writes the throw down; its answer may be lost, and the log tells it then."""
        assert self.own is not None
        if not self._host_remembers():
            with pytest.raises(RefusalError):
                self.host.reveal("berlin", self.throw, self.own)
            self.host_promise = self.own = None
            return
        both = self.host.reveal("berlin", self.throw, self.own)
        shown = faces(self.throw, both)
        assert self.seen.setdefault((self.throw, self.starts), shown) == shown
        if heard:
            self.guest.check(self.throw, both)
        self.written.append((self.throw, both))
        self.number += 1
        self.host_promise = self.own = None

    def _host_remembers(self) -> bool:
        known, promise = self.host._promised.get("berlin", (None, None))
        return known == self.throw and promise == self.guest.commit(self.throw)

    @precondition(lambda self: self.own is not None and self._host_remembers())
    @rule()
    def host_stops_there(self) -> None:
        """It has seen what will be shown, and does as if it had not heard."""
        assert self.own is not None
        both = self.host.reveal("berlin", self.throw, self.own)
        shown = faces(self.throw, both)
        assert self.seen.setdefault((self.throw, self.starts), shown) == shown
        self.own = None

    @rule()
    def host_restarts(self) -> None:
        self.host = HostSide(b"h" * 32)

    @rule()
    def guest_restarts(self) -> None:
        self._new_guest()
        self.host_promise = self.own = None

    @precondition(lambda self: self.throw in self.guest._promised)
    @rule(other=secrets)
    def host_changes_its_mind(self, other: bytes) -> None:
        """It promises another secret for the same throw, when it may know the guest's."""
        known = self.guest.commit(self.throw)
        with pytest.raises(RefusalError) as told:
            self.guest.reveal(self.throw, commitment(self.throw, HOST, other))
        assert told.value.code == "homes/promise"
        assert self.guest.commit(self.throw) != known, "who asks again is not known there"
        self.starts += 1
        self.host_promise = self.own = None

    @precondition(lambda self: self._host_remembers())
    @rule(other=secrets)
    def guest_tells_another_secret(self, other: bytes) -> None:
        with pytest.raises(RefusalError):
            self.host.reveal("berlin", self.throw, other)

    @precondition(lambda self: self.throw in self.guest._promised)
    @rule(other=secrets, own=secrets)
    def host_writes_something_else(self, other: bytes, own: bytes) -> None:
        promised = secret_of(b"h" * 32, self.throw)
        mine = self.guest.reveal(self.throw, commitment(self.throw, HOST, promised))
        for forged in ((other, mine), (promised, own)):
            with pytest.raises(RefusalError):
                self.guest.check(self.throw, forged)

    @invariant()
    def what_is_written_is_what_was_promised(self) -> None:
        assert [throw.number for throw, _ in self.written] == list(range(self.number))
        for throw, both in self.written:
            self.guest.check(throw, both)
            assert both[0] == secret_of(b"h" * 32, throw)


Drawing.TestCase.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
test_drawing = pytest.mark.thorough(Drawing.TestCase)


@pytest.mark.parametrize("odd", [("zz", "00"), ("00",), ("00", "11", "22")])
def test_what_are_no_two_secrets_is_no_fair_throw(odd):
    with pytest.raises(RefusalError) as refused:
        secrets_of(RollAccepted((), secrets=odd))
    assert refused.value.code == "homes/unfair"


def test_a_byte_too_large_to_be_fair_is_passed_over():
    secrets = (bytes(32), bytes(range(32)))
    assert faces(FairThrow(1, 118, 5), secrets) == (
        5,
        2,
        1,
        3,
        4,
    )  # the bytes are 252, 22, 199, 234, 128, 231
