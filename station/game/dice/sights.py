"""The dice seen by the camera, reading after reading: their places, and since when each may be a throw.

A `Sight` is passing: it is not in the log and starts empty with the process. A person may correct it die
by die before the roll is confirmed; corrections stay until the dice move again.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from station.contract.view import StatusName
from station.game.dice.owners import NOBODY, Owner, owners_in_log
from station.game.dice.tray_corrections import Fixes
from station.game.log.slots import Seen, left_to_right, pairs, unmoved
from station.game.log.state import State

NOTHING_FIXED = Fixes()

RESTING = frozenset({"ready", "unsure"})
"""Statuses of a reading whose dice lie on the tray to be looked at."""
UNLIT = frozenset({"dark", "overexposed"})
"""Reasons for which a picture without dice says nothing of the tray."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The last reading, and what those before it left.

    What the reading says. status and reasons: as docs/contract.md names them. seen: the dice that rest there,
    left to right. sure: the dice of the last sure reading; people take dice away before they think of
    confirming. stirred: whether the tray was seen moving or empty since the last accepted roll. thrown_from:
    after a simulated throw, the dice as they lay before it; until they lie elsewhere the tray counts as
    moving. None: no such throw.

    What people correct. fixes: of these dice. fixes_end: the fixes are of an accepted roll, and end with
    the next movement. aside: at this table held dice lie beside the tray, where the camera does not see them.
    keeps_unmoved: at this table a die that stays where it lies through a throw was kept, without a mark.
    kept: values of features (`FeatureValue`).

    Whose the dice are. rested: as they lay last, until the tray is seen empty; face 0 where that was not
    sure. owners: for each of these and of `sure`, the event since which it may be a throw (`State.since`);
    dice keep it until they move. began: that event for what moves or hides the tray now. blind: dice may
    have moved that the camera did not see, since it was away, or there was no light; unlit: the latter, where
    it knew how they lay. returned: since the last accepted roll they came to rest unseen.
    """

    status: StatusName = "empty"
    reasons: tuple[str, ...] = ()
    seen: tuple[Seen, ...] = ()
    sure: tuple[Seen, ...] = ()
    stirred: bool = False
    thrown_from: tuple[Seen, ...] | None = None

    fixes: Fixes = NOTHING_FIXED
    fixes_end: bool = False
    aside: bool = False
    keeps_unmoved: bool = False
    kept: tuple[tuple[str, Hashable], ...] = ()

    rested: tuple[Seen, ...] = ()
    owners: Mapping[Seen, Owner | None] = field(default_factory=dict)
    began: Owner | None = None
    blind: bool = False
    unlit: bool = False
    returned: bool = False


def first_sight(state: State, *, aside: bool, keeps_unmoved: bool = False) -> Sight:
    """The sight when the process starts."""
    owners, began = owners_in_log(state.past)
    known = Sight(aside=aside, keeps_unmoved=keeps_unmoved, rested=tuple(owners), owners=owners)
    return replace(known, blind=True, began=began) if state.running else known


def recalled(state: State, before: Sight) -> Sight:
    """The sight when the game goes on from another log: the same dice, theirs as that log tells it."""
    known = first_sight(state, aside=before.aside, keeps_unmoved=before.keeps_unmoved)
    known = replace(known, fixes=before.fixes, fixes_end=before.fixes_end, thrown_from=before.thrown_from)
    return look(known, before.status, before.reasons, before.seen, state.since)


def look(
    before: Sight,
    status: StatusName,
    reasons: Sequence[str],
    seen: Sequence[Seen],
    since: Owner | None = None,
) -> Sight:
    """The sight after one more reading. since: of the state now."""
    since = since or NOBODY
    dice = left_to_right(seen) if status in RESTING else ()
    now = replace(before, status=status, reasons=tuple(reasons), seen=dice)
    if dice:
        fixes = before.fixes.after(dice)
        # A simulated hand needs a moment to reach the tray: until then the old dice are no new roll.
        waiting = before.thrown_from is not None and unmoved(before.thrown_from, dice)
        sure = dice if status == "ready" or fixes else ()
        if waiting:
            return replace(now, fixes=fixes, sure=sure)
        return replace(_rest(now, since), fixes=fixes, thrown_from=None, sure=sure)
    if status == "covered":
        hidden = before.status in {"moving", "covered"} or before.blind
        blind = before.blind and (before.unlit or not before.rested)
        return replace(now, began=before.began if hidden else since, blind=blind)
    if status not in {"moving", "empty"}:
        if UNLIT.isdisjoint(reasons):
            return now
        return replace(now, began=before.began or since, blind=True, unlit=bool(before.rested))
    if status == "empty":
        now = replace(now, rested=(), began=None, blind=False, unlit=False)
    elif before.status != status and not before.blind:
        now = replace(now, began=since)
    # Another throw begins: corrections of the last one do not count for it.
    fixes = NOTHING_FIXED if before.fixes_end else before.fixes
    # A camera that is back finds the tray moving until dice have lain still for a while.
    stirred = before.stirred or (before.status != status and not before.blind)
    return replace(now, fixes=fixes, stirred=stirred, fixes_end=False)


def _rest(now: Sight, since: Owner) -> Sight:
    """Dice lie still: those that moved are a throw since the event at which they began to move."""
    moved, sure = now.began or since, now.status == "ready"
    found = {j: now.rested[i] for i, j in pairs(now.rested, now.seen).items()}
    if now.began and sure and len(found) < max(len(now.seen), len(now.rested)):  # some lie where others lay
        found = {j: lay for j, lay in found.items() if lay.face in (0, now.seen[j].face)}
    owners = {die: now.owners.get(found[j]) if j in found else moved for j, die in enumerate(now.seen)}
    # One that is lost from sight for a moment has not moved; in bad light one is seen where there is none.
    all_ = len(found) < len(now.seen) and (sure or len(now.seen) >= len(now.rested))
    lost_ = () if all_ else tuple(die for die in now.rested if die not in found.values())
    read = now.seen if sure and not now.fixes else tuple(replace(die, face=0) for die in now.seen)
    owners |= dict(zip(read, owners.values(), strict=True)) | {die: now.owners.get(die) for die in lost_}
    now = replace(now, began=None, returned=now.blind or now.returned, blind=False, unlit=False)
    return replace(now, rested=(*read, *lost_), owners=owners)


def thrown(before: Sight, state: State) -> Sight:
    """The sight at the moment a simulated hand begins to throw."""
    lying = before.seen or tuple(die.seen for die in state.lying if die.seen)
    rested = before.rested[: len(before.seen)] or lying
    now = Sight("moving", thrown_from=lying, stirred=True, aside=before.aside, rested=rested)
    return replace(now, keeps_unmoved=before.keeps_unmoved, owners=before.owners, began=state.since)


def lost(before: Sight, since: Owner | None, *, reframed: bool = False) -> Sight:
    """The sight when the camera is gone, or reframed, as by a turn: nothing that was seen may be so now."""
    now = Sight(thrown_from=before.thrown_from, aside=before.aside, rested=() if reframed else before.rested)
    now = replace(now, keeps_unmoved=before.keeps_unmoved)
    busy = before.status in {"moving", "covered"}
    # In another picture the dice have other places, and the same owners.
    due = not (reframed and before.rested) or any(before.owners.get(die) is since for die in before.rested)
    began = before.began if busy or before.blind else (since if due else None) or NOBODY
    return replace(now, owners=before.owners, began=began, blind=True)


def blank(before: Sight) -> Sight:
    """The sight where the dice that count are none of this tray."""
    return replace(before, status="empty", reasons=(), seen=(), sure=(), thrown_from=None)


def gone(before: Sight) -> Sight:
    """The sight when a simulated throw brought nothing new for too long: what the camera says counts."""
    return replace(before, thrown_from=None)


def settled(sight: Sight) -> Sight:
    """The sight once a roll was accepted: from now on movement means another throw.

    These are all dice; older places, stored for dice that might have been hidden, are forgotten.
    """
    rested = sight.rested[: len(sight.seen)] or sight.rested
    return replace(sight, stirred=False, returned=False, fixes_end=True, rested=rested)


def as_left(sight: Sight) -> tuple[tuple[Seen, ...], bool]:
    """The dice as they lie, and whether some are rolling or out of sight, for the log."""
    moving = sight.status in {"moving", "covered"} or sight.thrown_from is not None or sight.blind
    return tuple(replace(die, face=0) for die in sight.rested), moving
