"""Corrections of what the camera reads while the roll is not confirmed."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar, Literal

from messages.errors import RefusalError
from station.contract.command import Command, Whose
from station.contract.fields import Face, Slot
from station.game.dice import sights, tray
from station.game.dice.sights import NOTHING_FIXED, Sight
from station.game.dice.tray_corrections import NO_DIE
from station.game.log.event import Event, Leaves
from station.game.log.slots import Die, Seen
from station.game.situation import Situation, can_set_right, may_roll


class SightCommand(Command):
    """A correction of the dice in the tray; it changes the sight, and nothing else."""

    @abstractmethod
    def sight_after(self, now: Situation) -> Sight | None:
        """The sight after it; None where it is about something else.

        Raises RefusalError where there is nothing to correct.
        """


class NotADie(SightCommand):
    """What the camera offers in this slot is no die."""

    whose: ClassVar[Whose] = Whose.TRAY
    command: Literal["not_a_die"] = "not_a_die"
    slot: Slot

    @classmethod
    def available(cls, now: Situation) -> bool:
        """While an unconfirmed throw is in the tray."""
        return can_set_right(now) and bool(now.offer.listed)

    def sight_after(self, now: Situation) -> Sight:
        """The sight without that die."""
        return corrected(now.sight, _listed(now, self.slot), NO_DIE)


class MissedDie(SightCommand):
    """There is a die with this face on the tray that the camera does not see."""

    whose: ClassVar[Whose] = Whose.TRAY
    command: Literal["missed_die"] = "missed_die"
    face: Face

    @classmethod
    def available(cls, now: Situation) -> bool:
        """While dice are missing of such a throw."""
        return can_set_right(now) and not now.offer.dice and len(now.offer.listed) < now.offer.wanted

    def sight_after(self, now: Situation) -> Sight:
        """The sight with one die more."""
        check_unconfirmed(now)
        if now.offer.dice or len(now.offer.listed) >= now.offer.wanted:
            raise RefusalError("roll/all_there", code="roll/count")
        return missed(now.sight, self.face)


class ReadAgain(SightCommand):
    """Forget what people said about the dice on the tray; what the camera says counts."""

    whose: ClassVar[Whose] = Whose.TRAY
    command: Literal["read_again"] = "read_again"

    @classmethod
    def available(cls, now: Situation) -> bool:
        """While there are corrections."""
        return can_set_right(now) and now.offer.fixed

    def sight_after(self, now: Situation) -> Sight:
        """The sight as the camera has it."""
        if now.unseen:
            raise RefusalError("roll/none_to_set_right", code="roll/none")
        return as_read(now.sight)


def followed(sight: Sight, event: Event) -> Sight:
    """The sight after an event: corrections of a roll that counts end with the next movement."""
    if event.confirms:
        return sights.settled(sight)
    if isinstance(event, Leaves):
        return replace(sight, fixes_end=bool(sight.fixes))
    return replace(sight, stirred=False, returned=False) if event.takes_back else sight


def learnt(sight: Sight) -> Iterator[tuple[Seen, int]]:
    """Each die that a person gave another face, as the camera saw it, with that face."""
    return ((die, face) for die, face in sight.fixes.faces if face != NO_DIE)


def corrected(sight: Sight, die: Die, face: int) -> Sight:
    """The sight after a person gave one listed die of the offer its face, or NO_DIE."""
    if die.seen is None:
        fixes = sight.fixes.with_missed_as(die.face, face)
    else:
        fixes = sight.fixes.with_face(sight.seen or sight.sure, die.seen, face)
    return replace(sight, fixes=fixes, sure=sight.sure or sight.seen, fixes_end=False)


def missed(sight: Sight, face: int) -> Sight:
    """The sight with a die that the camera missed."""
    fixes = sight.fixes.with_missed(sight.seen or sight.sure, face)
    return replace(sight, fixes=fixes, sure=sight.sure or sight.seen, fixes_end=False)


def as_read(sight: Sight) -> Sight:
    """The sight without corrections; dice that were sure by these alone no longer are."""
    return replace(sight, fixes=NOTHING_FIXED, sure=sight.seen if sight.status == "ready" else ())


def pending(now: Situation, slot: int) -> Die | None:
    """The die of this slot that the camera offers; None when the slot is one of the accepted roll."""
    held = bool(now.offer.dice) and slot in now.state.held
    may = tray.waits(now.state, now.offer) and not held
    return next((die for die in now.offer.listed if may and die.slot == slot), None)


def _listed(now: Situation, slot: int) -> Die:
    """The die of this slot among those on offer. Raises RefusalError when there is none."""
    check_unconfirmed(now)
    die = pending(now, slot)
    if die is None:
        raise RefusalError("die/none_to_set_right", code="die/unknown", slot=slot)
    return die


def check_unconfirmed(now: Situation) -> None:
    """Raise RefusalError where there is no throw to correct."""
    if now.unseen:
        raise RefusalError("roll/none_to_set_right", code="roll/none")
    may_roll(now.state)
    if not can_set_right(now):
        raise RefusalError("roll/none_to_set_right", code="roll/none")
