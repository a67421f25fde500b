"""Whose throw the dice in the tray are, as the log tells it: for a process that has seen none of it."""

from collections.abc import Iterable

from station.game.evolve import evolve
from station.game.log.slots import Seen, pairs
from station.game.log.state import State
from station.game.steps import Event, Leaves, RollAccepted, Undone

NOBODY: Event = Undone()
"""The owner of dice that were rolling when they stopped being anybody's, and rolled on through a restart.

Of an event by which no dice become anybody's; it is compared by identity."""


def owners_in_log(past: Iterable[Event]) -> tuple[dict[Seen, Event], Event]:
    """The dice that lay in the tray when last written down, and since when what moved then had moved.

    past: the events that still stand. Of each die the event since which it may be a throw (`State.since`):
    it lay at its place when the next event was written down, and in all those after it.
    """
    state, owners, began = State(), dict[Seen, Event](), NOBODY
    for event in past:
        before, state = state, evolve(state, event)
        if not isinstance(event, RollAccepted | Leaves) or state.since is not event:
            continue
        # Dice that rolled then have come to rest since, or they have not; and some may have been thrown anew.
        moved = before.since if before.since and not before.rolling else NOBODY
        lay = _lay(event)
        if lay is not None:
            same = {j: i for i, j in pairs(tuple(owners), lay).items()}
            known = tuple(owners.values())
            owners = {die: known[same[j]] if j in same else moved for j, die in enumerate(lay)}
        began = moved if state.rolling else event
    return owners, began


def _lay(event: RollAccepted | Leaves) -> tuple[Seen, ...] | None:
    """The dice as they lay at that event; None where nobody saw them."""
    if isinstance(event, RollAccepted):
        return tuple(die.seen for die in event.dice if die.seen) or None
    return event.left
