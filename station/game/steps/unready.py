"""Where all play at once: a player is not ready after all."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from messages.message import Message
from station.contract.commands import Unready
from station.game.log import together
from station.game.log.event import CopyEvent
from station.game.log.fields import Index
from station.game.log.rounds import round_on
from station.game.log.state import State


@dataclass(frozen=True, slots=True)
class PlayerUnready(CopyEvent):
    """A player is not ready after all. seat: from 0."""

    kind: ClassVar[str] = "player_unready"
    word: ClassVar[str] = "unready"
    plain: ClassVar[tuple[str, ...]] = ("seat",)
    seat: Index

    def apply(self, state: State) -> State:
        """They are waited for again."""
        return round_on(together.with_copy(state, self.seat, ready=False))

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """Who."""
        return Message("undo/unready", name=after.players[self.seat].name)

    def asked(self) -> Unready:
        """The same."""
        return Unready(player=self.seat)
