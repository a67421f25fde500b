"""A player takes a seat."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from messages.errors import RefusalError
from messages.message import Message
from station.contract.command import Whose
from station.contract.fields import PLAYERS_MAX, Name
from station.contract.names import checked_names
from station.game.log.event import Event
from station.game.log.event_fields import Named
from station.game.log.player import Player
from station.game.log.state import Phase, State
from station.game.situation import GameCommand, Situation


class AddPlayer(GameCommand):
    """A late guest joins the game, with an empty sheet."""

    whose: ClassVar[Whose] = Whose.NEWCOMER
    command: Literal["add_player"] = "add_player"
    name: Name

    @classmethod
    def available(cls, now: Situation) -> bool:
        """Before the game is over, while there is a seat."""
        return now.state.phase is not Phase.FINISHED and len(now.state.players) < _most(now.state)

    def decide(self, now: Situation) -> tuple["PlayerAdded", ...]:
        """Add a player, in the lobby or to a running game."""
        state = now.state
        if state.phase is Phase.FINISHED:
            raise RefusalError("game/finished_for_guests", code="game/finished")
        names = checked_names([*(player.name for player in state.players), self.name])
        if len(names) > _most(state):
            raise RefusalError("player/table_full", code="player/too_many", count=_most(state))
        return (PlayerAdded(names[-1]),)


@dataclass(frozen=True, slots=True)
class PlayerAdded(Event):
    """A player took a seat, in the lobby or late in a running game."""

    kind: ClassVar[str] = "player_added"
    word: ClassVar[str] = "join"
    plain: ClassVar[tuple[str, ...]] = ("name",)
    name: Named

    def apply(self, state: State) -> State:
        """Add an empty column."""
        return replace(state, players=(*state.players, Player(self.name)))

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """The player who joined, in words."""
        return Message("undo/joining", name=self.name)

    def command(self) -> AddPlayer:
        """The same."""
        return AddPlayer(name=self.name)


def _most(state: State) -> int:
    """The most columns of a sheet."""
    return min(state.rules.players[1] if state.rules else PLAYERS_MAX, PLAYERS_MAX)
