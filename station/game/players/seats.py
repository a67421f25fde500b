"""Who sits where, as a game is asked for: people, computer players, teams; and who throws in a team."""

from collections.abc import Callable, Sequence
from typing import Literal

from messages.errors import RefusalError
from messages.message import Message
from station.contract.new_game import PlayerAsked
from station.game.log.player import Player
from station.game.log.state import State
from station.game.players.names import checked_names
from station.game.steps.start_game import Seat


def of_request(players: Sequence[str | PlayerAsked]) -> tuple[Seat, ...]:
    """The seats of a request.

    Raises RefusalError for names that will not do, `team/computer`, `homes/computer`, `homes/tray_here`.
    """
    asked = [each if isinstance(each, PlayerAsked) else PlayerAsked(name=each) for each in players]
    names = checked_names(each.name for each in asked)
    members = checked_names(member for each in asked for member in each.members or ())
    seats = []
    for name, each in zip(names, asked, strict=True):
        count = len(each.members or ())
        mine, members = members[:count], members[count:]
        if each.computer is not None and mine:
            raise RefusalError("team/computer", name=name)
        if each.computer is not None and each.home:
            raise RefusalError("homes/computer", name=name)
        if each.without_tray and not each.home:
            raise RefusalError("homes/tray_here", name=name)
        plays = "" if each.computer is None else str(each.computer)
        seats.append(Seat(name, plays, mine, each.home or "", each.handicap, each.without_tray))
    return tuple(seats)


def check(state: State, seat: int, *, gone: bool = False) -> None:
    """Raise RefusalError `player/unknown` unless somebody plays there (gone: or did)."""
    if not 0 <= seat < len(state.players) or (state.players[seat].gone and not gone):
        raise RefusalError("player/unknown", last=len(state.players) - 1)


def of_table(state: State) -> tuple[Seat, ...]:
    """The seats of those who are there."""
    return tuple(
        Seat(each.name, each.computer, each.members, each.home, each.sheet.handicap, each.without_tray)
        for each in state.players
        if not each.gone
    )


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


def member(state: State, player: Player) -> str | None:
    """Whose turn it is, or will be next, in a team: its members throw one after the other, turn by turn."""
    if not player.members or state.rules is None:
        return None
    begun = state.boxes_this_turn if state.running and player is state.player else 0
    turns = (len(player.sheet.entries) - begun) // state.rules.boxes_per_turn
    return player.members[turns % len(player.members)]


def thrower(state: State) -> Message | str:
    """Who throws, in words: the player, or the member of a team and the team."""
    name = state.player.name
    hand = member(state, state.player)
    return name if hand is None else Message("team/thrower", member=hand, team=name)
