"""A person says what a die of the confirmed roll really shows."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from messages.message import Message
from station.contract.commands import CorrectDie
from station.contract.fields import Face, Slot
from station.game.log import together
from station.game.log.ending import with_big_general
from station.game.log.event import EventBase
from station.game.log.state import State


@dataclass(frozen=True, slots=True)
class DieCorrected(EventBase):
    """A person said what the die of a slot really shows."""

    kind: ClassVar[str] = "die_corrected"
    word: ClassVar[str] = "correct"
    told_back: ClassVar[bool] = True
    plain: ClassVar[tuple[str, ...]] = ("slot", "face")
    in_turn: ClassVar[bool] = True
    slot: Slot
    face: Face

    def apply(self, state: State) -> State:
        """The die shows another face; where all play at once, on the copies that took it too."""
        dice = tuple(replace(die, face=self.face) if die.slot == self.slot else die for die in state.dice)
        players = state.players
        if state.simultaneous and state.rules:
            players = together.die_corrected(state.rules, players, self.slot, self.face)
        return with_big_general(replace(state, players=players, dice=dice, lying=dice))

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """Which die, and its face."""
        return Message("undo/die", slot=self.slot, face=self.face)

    def asked(self) -> CorrectDie:
        """The same."""
        return CorrectDie(slot=self.slot, face=self.face)
