"""The dice to throw next, in words."""

from messages.message import Message
from station.game.log.state import State
from station.game.way import WAY


def dice(count: int) -> Message:
    """A number of dice, in words.

    >>> str(dice(1)), str(dice(3))
    ('one die', 'three dice')
    """
    return Message("dice/count", count=count)


def to_throw(state: State) -> Message:
    """An instruction which dice to throw next: "throw the three dice you are not holding"."""
    if (message := WAY.of(state).to_throw(state)) is not None:
        return message
    total = state.dice_count
    if not state.held:
        key = "waiting/throw_all" if state.throws_done == 0 else "waiting/throw_again"
        return Message(key, count=total, dice=dice(total))
    free = total - len(state.held)
    return Message("waiting/throw_free", count=free, dice=dice(free))
