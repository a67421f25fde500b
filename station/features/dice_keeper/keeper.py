"""The dice keeper: a marked area of the tray. A die laid there is held, one taken out is free again.

Only what hands do between two throws is followed: a die that comes into the keeper, or leaves it. Buttons and
touch may hold and release besides, also what lies in the keeper; so an undone hold stays undone. What lies
there when the camera is back is no news, nor is a die that has not moved while the keeper has.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import hypot

from station.game.dice.owners import NOBODY
from station.game.dice.sights import Sight
from station.game.dice.tray import Offer
from station.game.log.feature_values import FeatureValue
from station.game.log.slots import UNTOUCHED_SHARE, Seen, found_again
from station.game.log.state import Phase, State
from station.game.way import WAY

LAID: FeatureValue[tuple[tuple[int, Seen], ...]] = FeatureValue("laid", ())
"""A value of a sight: the confirmed dice, by slot, as they lay when those in the keeper were last known.

None where nobody knows.
"""


@dataclass(frozen=True, slots=True)
class KeptDice:
    """Dice of the confirmed roll as they lie, by slot. moved: those that hands carried, not threw."""

    dice: Mapping[int, Seen]
    moved: tuple[Seen, ...] = ()

    @property
    def slots(self) -> tuple[int, ...]:
        """The slots of dice in the keeper."""
        return slots_kept(self.dice)


def laid(state: State, sight: Sight) -> KeptDice | None:
    """The dice in the keeper; None while they are not known.

    While no other die has moved, hands may carry dice in and out. Once some were thrown, those still there
    are held, and one that is not was thrown with the others.
    """
    if state.phase is not Phase.HOLDING:
        return KeptDice({})
    if not sight.sure or sight.aside or not WAY.of(state).in_turns or len(sight.seen) != len(state.dice):
        return None
    found = found_again(state.dice, sight.seen)
    lay = dict(LAID.of(sight))
    slots, before = slots_kept(found), slots_kept(lay)
    moved = [slot for slot, one in found.items() if sight.owners.get(one) is state.since]
    # By faces: of two equal dice nobody knows which has which slot, once both were carried.
    faces = {die.slot: die.face for die in state.dice}
    carried = Counter(faces[slot] for slot in {*slots, *before})
    if len(found) == len(state.dice) and Counter(faces[slot] for slot in moved) <= carried:
        return KeptDice(found, tuple(found[slot] for slot in (*moved, *slots)))
    inside = [one for one in lay.values() if one.kept]
    kept = [one for one in sight.seen if one.kept or not all(_carried(was, one) for was in inside)]
    outside = {slot: one for slot, one in lay.items() if not one.kept}
    return KeptDice(outside | found_again([die for die in state.dice if die.slot in before], kept))


def followed(state: State, sight: Sight, now: KeptDice) -> tuple[Sight, tuple[int, ...]]:
    """The sight with what lies in the keeper now, and the slots that are held by that."""
    lay = dict(LAID.of(sight))
    kept, before = {*now.slots}, {*slots_kept(lay)}
    carried = {slot for slot, was in lay.items() if _carried(was, now.dice.get(slot))}
    unmoved = {slot: was for slot, was in lay.items() if slot not in carried}
    moved = now.moved if carried & (kept ^ before) or not lay else ()
    owners = {**sight.owners, **dict.fromkeys(moved, NOBODY)}
    held = ({*state.held} | (carried & (kept - before))) - (carried & (before - kept))
    return replace(LAID.put(sight, by_slot({**now.dice, **unmoved})), owners=owners), tuple(sorted(held))


def _carried(was: Seen, now: Seen | None) -> bool:
    """Whether a die lies elsewhere than it was, or nowhere."""
    if now is None:
        return True
    return hypot(was.x - now.x, was.y - now.y) > UNTOUCHED_SHARE * max(was.size, now.size)


def known(state: State, sight: Sight) -> Sight:
    """The sight after something happened at the table: what lies in the keeper then is no news."""
    now = laid(state, sight)
    return sight if now is None else LAID.put(sight, by_slot(now.dice))


def by_slot(dice: Mapping[int, Seen]) -> tuple[tuple[int, Seen], ...]:
    """The dice as `LAID` has them."""
    return tuple(sorted(dice.items(), key=lambda each: each[0]))


def slots_kept(dice: Mapping[int, Seen]) -> tuple[int, ...]:
    """Slots of those that lie in the keeper, ascending."""
    return tuple(sorted(slot for slot, one in dice.items() if one.kept))


def slots_in(offer: Offer) -> tuple[int, ...]:
    """Slots of the dice on offer that lie in the keeper."""
    return tuple(die.slot for die in offer.dice if die.seen is not None and die.seen.kept)
