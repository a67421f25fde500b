"""Whose step `undo` would take back."""

from typing import assert_never

from station.game.log import events
from station.game.log.state import State
from station.game.log.together import CopyEvent

OfATurn = (
    events.BoxAnnounced
    | events.BoxScored
    | events.ChoosingBegun
    | events.DieCorrected
    | events.HeldSet
    | events.RollAccepted
    | events.RollKept
)
OfNoTurn = (
    events.GameStarted
    | events.StarterThrown
    | events.PlayerAdded
    | events.PlayerRenamed
    | events.PlayerRemoved
    | events.PlayerMoved
    | events.BoxCorrected
    | events.GameEnded
    | events.Undone
)


def last_mover(state: State) -> str | None:
    """The name of the player whose turn the last step was part of; None where it was no step of a turn."""
    if not state.past:
        return None
    last = state.past[-1]
    if isinstance(last, CopyEvent):
        return state.players[last.seat].name
    if isinstance(last, events.BoxScored):  # the turn has gone on
        return state.players[state.written[-1][0]].name
    if isinstance(last, OfATurn):
        return state.player.name
    if isinstance(last, OfNoTurn):
        return None
    assert_never(last)
