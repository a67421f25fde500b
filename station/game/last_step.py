"""Whose step `undo` would take back."""

from station.game.events import BoxScored, ChoosingBegun, DieCorrected, HeldSet, RollAccepted, RollKept
from station.game.state import State, replay

OF_A_TURN = (BoxScored, ChoosingBegun, DieCorrected, HeldSet, RollAccepted, RollKept)


def last_mover(state: State) -> str | None:
    """The name of the player whose turn the last step was part of; None where it was no step of a turn."""
    if not state.past or not isinstance(state.past[-1], OF_A_TURN):
        return None
    return replay(state.past[:-1]).player.name
