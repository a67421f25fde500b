"""The state of a game after one more event.

`evolve` follows one event. It checks nothing that `decide` has checked before the event was written, and
so reads any log that `decide` once allowed. Undo is an event: its state is the one that replaying the
events without the last gives, so a step back is never a special case of any rule.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from messages.errors import YachtError
from station.game.log.event import Event
from station.game.log.state import State
from station.game.way import WAY

UNPLAYABLE = (
    YachtError, ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError,
)  # fmt: skip
"""The exceptions that replaying impossible events may raise."""


def replay(events: Iterable[Event]) -> State:
    """The state after these events, from an empty table."""
    state = State()
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: State, event: Event) -> State:
    """The state after one more event. What comes out is always `replay(out.past)`."""
    if event.takes_back:
        return replay(state.past[:-1])
    if event.begins_game:
        # Undo reaches back over the start of a game to the one before it, and no further.
        kept = of_last_game(state.past)
        state = state if kept == state.past else replay(kept)
    after = event.apply(state)
    return replace(WAY.of(after).followed(after), past=(*state.past, event))


def of_last_game(past: Sequence[Event]) -> Sequence[Event]:
    """The events from the last start of a game on; all of them where none starts."""
    for i in range(len(past) - 1, -1, -1):
        if past[i].begins_game:
            return past[i:]
    return past


def last_roll(past: Sequence[Event]) -> Event | None:
    """The throw among them that was confirmed last."""
    return next((event for event in reversed(past) if event.is_roll), None)
