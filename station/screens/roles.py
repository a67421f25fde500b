"""Permissions of a screen at a table where the host has assigned roles. Pure."""

from collections.abc import Callable
from enum import StrEnum
from typing import assert_never

from station.contract.command import Button, Command, Whose
from station.contract.view import TableView
from station.game.steps.undo import Undo
from station.table.buttons import Press


class Role(StrEnum):
    """From least to most: looks on; plays the own seat; keeps everybody's score; looks after the station."""

    VIEWER = "viewer"
    PLAYER = "player"
    SCOREKEEPER = "scorekeeper"
    HOST = "host"


def goes_back(command: Command) -> bool:
    """Whether a command takes a step back."""
    return isinstance(command, Undo) or (isinstance(command, Press) and command.button is Button.UNDO)


def may_play(seat: str, command: Command, state: TableView, last: Callable[[], str | None]) -> bool:
    """Whether a player in that seat may give this command: for the own sheet, and to begin when none plays.

    last: whose step `undo` would take back; None where it is no step of a turn. A member of a team plays the
    team's seat.
    """
    own = next((each.name for each in state.players if seat in each.people), seat)
    if goes_back(command):
        return last() == own
    match command.whose:
        case Whose.ANYBODY:
            return state.phase in {"lobby", "finished"}
        case Whose.NEWCOMER:
            return getattr(command, "name", None) == seat
        case Whose.SEAT:
            return _name(state, getattr(command, "player", None)) == own
        case Whose.HOST:
            return False
        case Whose.TRAY | Whose.TURN | Whose.TABLE | Whose.HOST_TABLE:
            return own in _whose(command, state)
        case _:
            assert_never(command.whose)


def _whose(command: Command, state: TableView) -> set[str | None]:
    """The names of players who may send this command.

    Where nobody has a turn it may say for whom, and the throw is everybody's. For a computer somebody has to
    throw and confirm.
    """
    player = getattr(command, "player", None)
    active = state.active_player
    if player is None and active is not None and not state.players[active].by_a_person:
        return {each.name for each in state.players if not each.gone}
    if not state.in_turns and player is None and not command.own_dice:
        return {each.name for each in state.players if not each.gone}
    return {_name(state, state.active_player if player is None else player)}


def _name(state: TableView, player: int | None) -> str | None:
    """The name of the player in that seat; None for an empty one."""
    if player is None or not 0 <= player < len(state.players):
        return None
    return state.players[player].name
