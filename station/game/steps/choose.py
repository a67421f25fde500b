"""The active player throws no more and chooses a box."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from messages.message import Message
from station.contract.commands import Choose
from station.game.log.event import EventBase
from station.game.log.state import Phase, State


@dataclass(frozen=True, slots=True)
class ChoosingBegun(EventBase):
    """The active player throws no more and chooses a box, though throws are left."""

    kind: ClassVar[str] = "choosing_begun"
    word: ClassVar[str] = "choose"
    in_turn: ClassVar[bool] = True

    def apply(self, state: State) -> State:
        """A box must be chosen."""
        return replace(state, phase=Phase.CHOOSING)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """Who chooses."""
        return Message("undo/choosing", name=after.player.name)

    def asked(self) -> Choose:
        """The same."""
        return Choose()
