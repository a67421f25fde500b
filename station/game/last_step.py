"""Whose step `undo` would take back."""

from typing import assert_never

from station.game.log.state import State
from station.game.steps import (
    BoxAnnounced,
    BoxCorrected,
    BoxScored,
    ChoosingBegun,
    CopyEvent,
    DieCorrected,
    GameEnded,
    GameStarted,
    HeldSet,
    PlayerAdded,
    PlayerMoved,
    PlayerRemoved,
    PlayerRenamed,
    RollAccepted,
    RollKept,
    StarterThrown,
    Undone,
)

OfATurn = BoxAnnounced | BoxScored | ChoosingBegun | DieCorrected | HeldSet | RollAccepted | RollKept
OfNoTurn = (
    GameStarted
    | StarterThrown
    | PlayerAdded
    | PlayerRenamed
    | PlayerRemoved
    | PlayerMoved
    | BoxCorrected
    | GameEnded
    | Undone
)


def last_mover(state: State) -> str | None:
    """The name of the player whose turn the last step was part of; None where it was no step of a turn."""
    if not state.past:
        return None
    last = state.past[-1]
    if isinstance(last, CopyEvent):
        return state.players[last.seat].name
    if isinstance(last, BoxScored):  # the turn has gone on
        return state.players[state.written[-1][0]].name
    if isinstance(last, OfATurn):
        return state.player.name
    if isinstance(last, OfNoTurn):
        return None
    assert_never(last)
