"""Dice of a copy are kept out of the next throw."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from messages.message import Message
from station.features.all_at_once import copies
from station.features.all_at_once.rounds import round_on
from station.game.log.event import SeatEvent
from station.game.log.event_fields import Index, Slots
from station.game.log.state import State
from station.game.steps.hold import SetHeld


@dataclass(frozen=True, slots=True)
class CopyHeld(SeatEvent):
    """A player holds these slots of the own copy, and no others. seat: from 0."""

    kind: ClassVar[str] = "copy_held"
    word: ClassVar[str] = "copy"
    plain: ClassVar[tuple[str, ...]] = ("seat", "slots")
    in_turn: ClassVar[bool] = True
    seat: Index
    slots: Slots

    def apply(self, state: State) -> State:
        """The state with these dice held on the copy."""
        return round_on(copies.with_copy(state, self.seat, held=self.slots))

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """The player and the held slots, or that all were released, in words."""
        name = after.players[self.seat].name
        if not self.slots:
            return Message("undo/copy_releasing", name=name)
        return Message("undo/copy_holding", name=name, count=len(self.slots), slots=self.slots)

    def command(self) -> SetHeld:
        """The same."""
        return SetHeld(slots=self.slots, player=self.seat)
