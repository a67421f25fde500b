"""Setting right what the camera reads, while the roll is not confirmed: the sight with what a person says."""

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from messages.errors import RefusalError
from station.contract import commands
from station.game.dice import sights, tray
from station.game.dice.sights import NOTHING_FIXED, Sight
from station.game.dice.tray import Offer
from station.game.dice.tray_corrections import NO_DIE
from station.game.log.event import Leaves
from station.game.log.slots import Die, Seen
from station.game.log.state import State
from station.game.situation import may_roll
from station.game.steps import Event, RollAccepted, StarterThrown, Undone

SetRight = commands.NotADie | commands.MissedDie | commands.ReadAgain
"""What can only be said of dice that wait to be confirmed."""


def set_right(state: State, sight: Sight, asked: SetRight) -> Sight:
    """The sight once that is said. Raises RefusalError where nothing lies there to be set right."""
    match asked:
        case commands.NotADie():
            return corrected(sight, _listed(state, sight, asked.slot), NO_DIE)
        case commands.MissedDie():
            now = _on_offer(state, sight)
            if now.dice or len(now.listed) >= now.wanted:
                raise RefusalError("roll/all_there", code="roll/count")
            return missed(sight, asked.face)
        case commands.ReadAgain():
            return as_read(sight)
        case _:
            assert_never(asked)


def with_face(state: State, sight: Sight, asked: commands.CorrectDie) -> Sight | None:
    """The sight once that die has its face; None for a die of the roll that is confirmed."""
    die = _pending(state, sight, asked.slot)
    return None if die is None else corrected(sight, die, asked.face)


def followed(sight: Sight, event: Event) -> Sight:
    """The sight after an event: what was said of a roll that counts ends with the next movement."""
    if isinstance(event, RollAccepted | StarterThrown):
        return sights.settled(sight)
    if isinstance(event, Leaves):
        return replace(sight, said=bool(sight.fixes))
    return replace(sight, stirred=False, returned=False) if isinstance(event, Undone) else sight


def learnt(sight: Sight) -> Iterator[tuple[Seen, int]]:
    """Each die that a person gave another face, as the camera saw it, with that face."""
    return ((die, face) for die, face in sight.fixes.faces if face != NO_DIE)


def corrected(sight: Sight, die: Die, face: int) -> Sight:
    """The sight after a person gave one listed die of the offer its face, or NO_DIE."""
    if die.seen is None:
        fixes = sight.fixes.with_missed_as(die.face, face)
    else:
        fixes = sight.fixes.with_face(sight.seen or sight.kept, die.seen, face)
    return replace(sight, fixes=fixes, kept=sight.kept or sight.seen, said=False)


def missed(sight: Sight, face: int) -> Sight:
    """The sight after a person said that the camera missed a die."""
    fixes = sight.fixes.with_missed(sight.seen or sight.kept, face)
    return replace(sight, fixes=fixes, kept=sight.kept or sight.seen, said=False)


def as_read(sight: Sight) -> Sight:
    """The sight without anything people said; dice that were sure by that alone no longer are."""
    return replace(sight, fixes=NOTHING_FIXED, kept=sight.seen if sight.status == "ready" else ())


def _pending(state: State, sight: Sight, slot: int) -> Die | None:
    """The die of this slot that the camera offers; None when the slot is one of the accepted roll."""
    now = tray.offer(state, sight)
    held = bool(now.dice) and slot in state.held
    may = tray.waits(state, now) and not held
    return next((die for die in now.listed if may and die.slot == slot), None)


def _listed(state: State, sight: Sight, slot: int) -> Die:
    """The die of this slot among those on offer. Raises RefusalError when there is none."""
    _on_offer(state, sight)
    die = _pending(state, sight, slot)
    if die is None:
        raise RefusalError("die/none_to_set_right", code="die/unknown", slot=slot)
    return die


def _on_offer(state: State, sight: Sight) -> Offer:
    """What lies on the tray to be set right. Raises RefusalError when nothing does."""
    may_roll(state)
    now = tray.offer(state, sight)
    if not now.fresh or now.status not in sights.RESTING:
        raise RefusalError("roll/none_to_set_right", code="roll/none")
    return now
