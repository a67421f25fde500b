"""The seats of a game, with their players and options."""

from collections.abc import Callable
from typing import Literal

from messages.message import Message
from station.game.feature import Feature, first_result, implementing
from station.game.log.player import Player, Seat
from station.game.log.state import State


def by_a_person(seat: Seat | Player) -> bool:
    """Whether a person plays there."""
    return not any(feature.nobody(seat) for feature in implementing(Feature.nobody))


def people(player: Player) -> tuple[str, ...]:
    """The names by which people sit there: that of the seat, and those who share it."""
    return (player.name, *(name for feature in implementing(Feature.names) for name in feature.names(player)))


def of_table(state: State) -> tuple[Seat, ...]:
    """The seats of those who are there."""
    return tuple(Seat(each.name, each.options) for each in state.players if not each.gone)


def in_order(
    seats: tuple[Seat, ...], order: Literal["keep", "shuffle", "rotate"], draw: Callable[[int], int]
) -> tuple[Seat, ...]:
    """The seats for a rematch: as they were, each one further, or shuffled by chance."""
    if order == "keep":
        return seats
    if order == "rotate":
        return (*seats[1:], *seats[:1])
    left, found = list(seats), []
    while left:
        found.append(left.pop(draw(len(left))))
    return tuple(found)


def thrower(state: State) -> Message | str:
    """The thrower, in words: the player, or one of those who share the seat."""
    return first_result(Feature.thrower, state) or state.player.name
