"""Whose step `undo` would take back."""

from station.game.log import events
from station.game.log.state import State

OF_A_TURN = (
    events.BoxAnnounced,
    events.BoxScored,
    events.ChoosingBegun,
    events.DieCorrected,
    events.HeldSet,
    events.RollAccepted,
    events.RollKept,
)
OF_ONE = (events.BoxChosen, events.CopyHeld, events.PlayerReady, events.PlayerUnready)
"""Where all play at once: steps of one of them."""


def last_mover(state: State) -> str | None:
    """The name of the player whose turn the last step was part of; None where it was no step of a turn."""
    last = state.past[-1] if state.past else None
    if isinstance(last, OF_ONE):
        return state.players[last.seat].name
    if isinstance(last, events.BoxScored):  # the turn has gone on
        return state.players[state.written[-1][0]].name
    return state.player.name if isinstance(last, OF_A_TURN) else None
