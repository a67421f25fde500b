"""A player gets another name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from messages.message import Message
from station.contract.commands import RenamePlayer
from station.game.log.event import EventBase
from station.game.log.fields import Index, Named
from station.game.log.state import State, with_player


@dataclass(frozen=True, slots=True)
class PlayerRenamed(EventBase):
    """A player has another name. seat: from 0."""

    kind: ClassVar[str] = "player_renamed"
    word: ClassVar[str] = "rename"
    plain: ClassVar[tuple[str, ...]] = ("seat", "name")
    seat: Index
    name: Named

    def apply(self, state: State) -> State:
        """The name changes, nothing else."""
        return with_player(state, self.seat, name=self.name)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """The new name."""
        return Message("undo/renaming", name=self.name)

    def asked(self) -> RenamePlayer:
        """The same."""
        return RenamePlayer(player=self.seat, name=self.name)
