"""The starting player: the first, a named, drawn or due one, or one that a feature chooses."""

from collections.abc import Callable, Sequence
from typing import assert_never

from messages.errors import RefusalError
from station.contract.new_game import StarterWord
from station.game.log.state import Phase, State, totals

Draw = Callable[[int], int]
"""A number from 0 to below the one given."""


def first_of(count: int) -> int:  # noqa: ARG001 - the shape of a draw
    """The draw without chance."""
    return 0


def chosen(
    before: State, names: Sequence[str], starter: StarterWord | int | None, draw: Draw
) -> tuple[int, str]:
    """The seat that starts and the word to store; where dice decide it later, the seat is 0.

    before: the state when the game is requested. Raises RefusalError `starter/no_game` for the loser without
    a game before, `player/unknown`.
    """
    if starter is None:
        return 0, ""
    if isinstance(starter, int):
        if starter >= len(names):
            raise RefusalError("player/unknown", last=len(names) - 1)
        return starter, ""
    match starter:
        case "random":
            return draw(len(names)), starter
        case "loser":
            return _loser(before, names), starter
        case "rotate":
            return _next_in_rotation(before, names), starter
        case "throw":  # a feature finds it out
            return 0, starter
        case _:
            assert_never(starter)


def _loser(before: State, names: Sequence[str]) -> int:
    """The first of the players with the fewest points in the game before, of those who play again."""
    points = {
        player.name: totals(before, player).total
        for player in before.players
        if before.phase is Phase.FINISHED and player.name in names and not player.gone
    }
    if not points:
        raise RefusalError("starter/no_game")
    return names.index(min(points, key=lambda name: points[name]))


def _next_in_rotation(before: State, names: Sequence[str]) -> int:
    """The neighbour of the last starting player, among those who play again; first the first."""
    old = [player.name for player in before.players]
    began = next((seat for seat, player in enumerate(before.players) if player.starts), None)
    if began is None:
        return 0
    return next((names.index(name) for name in (*old[began + 1 :], *old) if name in names), 0)
