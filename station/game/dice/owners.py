"""The owner of the dice in the tray, read from the log by a process that has just started."""

from collections.abc import Iterable
from enum import Enum
from typing import Final

from station.game.evolve import evolve
from station.game.log.event import Event, Leaves
from station.game.log.slots import Seen, pairs
from station.game.log.state import State


class Nobody(Enum):
    """The owner of dice that belonged to nobody, were rolling, and kept rolling through a restart."""

    NOBODY = "nobody"


NOBODY: Final = Nobody.NOBODY
Owner = Event | Nobody
"""Since when a die may be a throw (`State.since`): events are compared by identity."""


def owners_in_log(past: Iterable[Event]) -> tuple[dict[Seen, Owner], Owner]:
    """The dice that lay in the tray when last written down, and since when what moved then had moved.

    past: the events that still stand. Of each die the event since which it may be a throw (`State.since`):
    it lay at its place when the next event was written down, and in all those after it.
    """
    state, owners = State(), dict[Seen, Owner]()
    began: Owner = NOBODY
    for event in past:
        before, state = state, evolve(state, event)
        if state.since is not event:
            continue
        # Dice that rolled then may have come to rest since, and some may have been thrown again.
        moved: Owner = before.since if before.since and not before.rolling else NOBODY
        lay = _lay(event, state)
        if lay is not None:
            same = {j: i for i, j in pairs(tuple(owners), lay).items()}
            known = tuple(owners.values())
            owners = {die: known[same[j]] if j in same else moved for j, die in enumerate(lay)}
        began = moved if state.rolling else event
    return owners, began


def _lay(event: Event, after: State) -> tuple[Seen, ...] | None:
    """The dice as they lay at that event; None where nobody saw them."""
    if isinstance(event, Leaves):
        return event.left
    return tuple(die.seen for die in after.lying if die.seen) or None
