"""The dice keeper: a marked area of the tray. A die laid there is held, one taken out is free again.

Only what hands do between two throws is followed: a die that comes into the keeper, or leaves it. Buttons and
touch may hold and release besides, also what lies in the keeper; so an undone hold stays undone.
"""

from collections import Counter
from dataclasses import dataclass, replace

from station.game.dice.owners import NOBODY
from station.game.dice.tray import Offer, Sight
from station.game.log.slots import Seen, found_again
from station.game.log.state import Phase, State


@dataclass(frozen=True, slots=True)
class Laid:
    """Slots of the confirmed roll whose dice lie in the keeper. moved: dice that hands carried, not threw."""

    slots: tuple[int, ...]
    moved: tuple[Seen, ...] = ()


def laid(state: State, sight: Sight) -> Laid | None:
    """What lies in the keeper; None while that cannot be told.

    While no other die has moved, hands may carry dice in and out. Once some were thrown, those still there
    are held, and one that is not was thrown with the others.
    """
    if state.phase is not Phase.HOLDING:
        return Laid(())
    if not sight.kept or sight.aside or state.simultaneous or len(sight.seen) != len(state.dice):
        return None
    found = found_again(state.dice, sight.seen)
    slots = tuple(sorted(slot for slot, one in found.items() if one.kept))
    moved = [slot for slot, one in found.items() if sight.owners.get(one) is state.since]
    # By faces: of two equal dice nobody knows which has which slot, once both were carried.
    faces = {die.slot: die.face for die in state.dice}
    carried = Counter(faces[slot] for slot in {*slots, *sight.laid})
    if len(found) == len(state.dice) and Counter(faces[slot] for slot in moved) <= carried:
        return Laid(slots, tuple(found[slot] for slot in (*moved, *slots)))
    kept = [one for one in sight.seen if one.kept]
    there = found_again([die for die in state.dice if die.slot in sight.laid], kept)
    return Laid(tuple(sorted(there)))


def followed(state: State, sight: Sight, now: Laid) -> tuple[Sight, tuple[int, ...]]:
    """The sight with what lies in the keeper now, and the slots that are held by that."""
    entered, left = {*now.slots} - {*sight.laid}, {*sight.laid} - {*now.slots}
    owners = {**sight.owners, **dict.fromkeys(now.moved, NOBODY)}
    held = ({*state.held} | entered) - left
    return replace(sight, laid=now.slots, owners=owners), tuple(sorted(held))


def known(state: State, sight: Sight) -> Sight:
    """The sight after something happened at the table: what lies in the keeper then is no news."""
    now = laid(state, sight)
    return sight if now is None else replace(sight, laid=now.slots)


def slots_in(offer: Offer) -> tuple[int, ...]:
    """Slots of the dice on offer that lie in the keeper."""
    return tuple(die.slot for die in offer.dice if die.seen is not None and die.seen.kept)
