"""A player takes a seat."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from messages.message import Message
from station.contract.commands import AddPlayer
from station.game.log.event import EventBase
from station.game.log.fields import Named
from station.game.log.player import Player
from station.game.log.state import State


@dataclass(frozen=True, slots=True)
class PlayerAdded(EventBase):
    """A player took a seat, in the lobby or late in a running game."""

    kind: ClassVar[str] = "player_added"
    word: ClassVar[str] = "join"
    told_back: ClassVar[bool] = True
    plain: ClassVar[tuple[str, ...]] = ("name",)
    name: Named

    def apply(self, state: State) -> State:
        """One more column, empty."""
        return replace(state, players=(*state.players, Player(self.name)))

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """Who joined."""
        return Message("undo/joining", name=self.name)

    def asked(self) -> AddPlayer:
        """The same."""
        return AddPlayer(name=self.name)
