"""Dice are kept out of the next throw."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from messages.message import Message
from station.contract.commands import SetHeld
from station.game.log.event import EventBase
from station.game.log.fields import Slots
from station.game.log.state import State


@dataclass(frozen=True, slots=True)
class HeldSet(EventBase):
    """These slots, and no others, stay out of the next throw."""

    kind: ClassVar[str] = "held_set"
    word: ClassVar[str] = "hold"
    plain: ClassVar[tuple[str, ...]] = ("slots",)
    in_turn: ClassVar[bool] = True
    slots: Slots

    def apply(self, state: State) -> State:
        """These are held."""
        return replace(state, held=self.slots)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """Which were held, or that all were released."""
        if not self.slots:
            return Message("undo/releasing")
        return Message("undo/holding", count=len(self.slots), slots=self.slots)

    def asked(self) -> SetHeld:
        """The same."""
        return SetHeld(slots=self.slots)
