"""The box that a turn will go to is announced after its first throw."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from messages.message import Message
from station.contract.commands import AnnounceBox
from station.game.log.event import EventBase
from station.game.log.fields import Category
from station.game.log.state import Phase, State


@dataclass(frozen=True, slots=True)
class BoxAnnounced(EventBase):
    """After the first throw the player named the box that the turn will go to."""

    kind: ClassVar[str] = "box_announced"
    word: ClassVar[str] = "announce"
    plain: ClassVar[tuple[str, ...]] = ("category",)
    in_turn: ClassVar[bool] = True
    category: Category

    def apply(self, state: State) -> State:
        """The turn goes on, for this box."""
        return replace(state, called=self.category, phase=Phase.HOLDING)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """Which box."""
        return Message("undo/announcing", box=after.played.box(self.category).label)

    def asked(self) -> AnnounceBox:
        """The same."""
        return AnnounceBox(category=self.category)
