"""Only dice that were really thrown count for whether they are fair."""

from collections.abc import Sequence

import pytest

from station.features.all_at_once.copy_held import CopyHeld
from station.features.throw_off.starter_thrown import StarterThrown
from station.game.events import (
    BoxCorrected,
    BoxScored,
    DieCorrected,
    Event,
    GameStarted,
    HeldSet,
    PlayerRemoved,
    RollAccepted,
    Undone,
)
from station.game.log.slots import Die, Seen, unread
from station.game.thrown_dice import ThrownDie, thrown_dice
from tests.game.begun import begun

START = GameStarted(1, 0, "yacht-1938", ("Ana", "Ben"))
BOX = BoxScored("choice")


def roll(*faces: int, colours: Sequence[str] = (), drawn: bool = False) -> RollAccepted:
    """A throw by slots; with colours as a camera saw it."""
    seen = [
        Seen(face, 90.0 * i, 50, 60, colour)
        for i, (face, colour) in enumerate(zip(faces, colours, strict=False))
    ]
    dice = [Die(i + 1, face, seen[i] if seen else None) for i, face in enumerate(faces)]
    return RollAccepted(tuple(dice), not colours, drawn)


def faces(*log: Event) -> list[int]:
    return sorted(die.face for die in thrown_dice((START, *log)).elements())


@pytest.mark.parametrize(
    ("log", "told"),
    [
        ((roll(1, 2, 3), BOX, roll(4, 5, 6)), [1, 2, 3, 4, 5, 6]),
        ((roll(1, 2, 3), HeldSet((2,)), roll(4, 2, 6)), [1, 2, 3, 4, 6]),
        ((roll(1, 2, 3), HeldSet((2,)), roll(4, 2, 6), roll(5, 2, 5)), [1, 2, 3, 4, 5, 5, 6]),
        ((roll(1, 2, 3), HeldSet((2,)), HeldSet(()), roll(4, 5, 6)), [1, 2, 3, 4, 5, 6]),
        ((roll(1, 2, 3), HeldSet((2,)), BOX, roll(4, 5, 6)), [1, 2, 3, 4, 5, 6]),
        ((roll(1, 2, 3), Undone(), roll(1, 2, 4)), [1, 2, 4]),
        ((roll(1, 2, 3), HeldSet((1,)), Undone(), roll(4, 5, 6)), [1, 2, 3, 4, 5, 6]),
        ((roll(1, 2, 3), DieCorrected(3, 6)), [1, 2, 6]),
        # A die held since the first throw turns out to have been another face then.
        ((roll(1, 2, 3), HeldSet((3,)), roll(4, 5, 3), DieCorrected(3, 6)), [1, 2, 4, 5, 6]),
        ((roll(1, 2, 3, drawn=True), BOX, roll(4, 5, 6)), [4, 5, 6]),
        ((roll(1, 2, 3), HeldSet((1,)), PlayerRemoved(0), roll(4, 5, 6)), [1, 2, 3]),
        # Somebody else went: the same die is held for both throws that follow.
        (
            (roll(1, 2, 3), HeldSet((1,)), PlayerRemoved(1), roll(1, 5, 6), roll(1, 4, 4)),
            [1, 2, 3],
        ),
        (
            (roll(1, 2, 3), HeldSet((1,)), PlayerRemoved(0), roll(4, 5, 6), BOX, roll(2, 2, 2)),
            [1, 2, 2, 2, 2, 3],
        ),
        # Of a computer player's dice that are drawn, those held are not thrown by who goes on by hand.
        ((roll(1, 2, 3, drawn=True), HeldSet((1,)), roll(1, 4, 5, drawn=True), roll(1, 6, 6)), [6, 6]),
        # A die that is left for the second box of a turn is set right.
        ((roll(1, 2, 3, 4), BoxScored("ones", (1, 2)), DieCorrected(4, 6), BOX), [1, 2, 3, 6]),
        ((StarterThrown(4), roll(1, 2, 3)), [1, 2, 3, 4]),
        ((roll(1, 2, 3), BOX, BoxCorrected(0, "choice", (6, 6, 6), 1)), [1, 2, 3]),
    ],
)  # fmt: skip
def test_what_counts(log: tuple[Event, ...], told: list[int]):
    assert faces(*log) == told


def test_where_all_play_at_once_every_die_is_thrown_again():
    start = begun(1, 0, "shared-roll", ("Ana", "Ben"), simultaneous=True)
    log = (start, roll(1, 2, 3), CopyHeld(0, (1,)), roll(4, 5, 6))
    assert thrown_dice(log).total() == 6


def test_a_typed_face_is_that_of_no_die_though_all_lie_there():
    lying = roll(1, 2, 3, colours=("red", "white", "blue"))
    typed = tuple(
        Die(die.slot, face, unread(die.seen)) for die, face in zip(lying.dice, (3, 1, 2), strict=True)
    )
    found = thrown_dice((START, RollAccepted(typed, typed=True), HeldSet((1,)), lying))
    assert [die for die in found.elements() if die.colour] == [
        ThrownDie(2, "white", ("blue", "red", "white")),
        ThrownDie(3, "blue", ("blue", "red", "white")),
    ]
    assert found[ThrownDie(1)] == 1


def test_a_die_is_told_by_its_colour_and_the_set_it_lay_in():
    found = thrown_dice((START, roll(1, 2, 3, colours=("red", "white", "white")), BOX, roll(4, 5, 6)))
    dice = ("red", "white", "white")
    assert found[ThrownDie(1, "red", dice)] == found[ThrownDie(3, "white", dice)] == 1
    assert found[ThrownDie(4)] == 1


def test_the_die_that_is_thrown_for_the_start_has_its_colour_where_it_lies_alone():
    red, white = Seen(4, 0, 50, 60, "red"), Seen(2, 90, 50, 60, "white")
    assert thrown_dice((START, StarterThrown(4, left=(red,)))) == {ThrownDie(4, "red", ("red",)): 1}
    for unknown in (
        StarterThrown(4, typed=True, left=(red,)),
        StarterThrown(4, left=(red, white)),
    ):
        assert thrown_dice((START, unknown)) == {ThrownDie(4): 1}
