"""A person says what a die of the confirmed roll really shows."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from messages.errors import RefusalError
from messages.message import Message
from station.contract.command import Whose
from station.contract.fields import Face, Slot
from station.game.dice.sights import Sight
from station.game.log.event import Event
from station.game.log.state import State
from station.game.setting_right import SightCommand, corrected, pending
from station.game.situation import GameCommand, Situation, can_set_right, must_run
from station.game.way import WAY


class CorrectDie(GameCommand, SightCommand):
    """Say what a die really shows: of the roll on offer, else of the accepted one."""

    whose: ClassVar[Whose] = Whose.TRAY
    command: Literal["correct_die"] = "correct_die"
    slot: Slot
    face: Face

    @classmethod
    def available(cls, now: Situation) -> bool:
        """On offer for a throw that waits to be confirmed, else for the confirmed roll."""
        return bool(now.state.dice and now.state.running) or (can_set_right(now) and bool(now.offer.listed))

    def sight_after(self, now: Situation) -> Sight | None:
        """The sight with that face; None for a die of the confirmed roll."""
        die = pending(now, self.slot)
        return None if die is None else corrected(now.sight, die, self.face)

    def decide(self, now: Situation) -> tuple["DieCorrected", ...]:
        """A die of the confirmed roll shows another face."""
        state = now.state
        must_run(state)
        die = next((die for die in state.dice if die.slot == self.slot), None)
        if not state.dice:
            raise RefusalError("roll/none_to_correct", code="roll/none")
        if die is None:
            raise RefusalError("die/unknown", slot=self.slot)
        return () if die.face == self.face else (DieCorrected(self.slot, self.face),)


@dataclass(frozen=True, slots=True)
class DieCorrected(Event):
    """A person gave the real face of a die."""

    kind: ClassVar[str] = "die_corrected"
    word: ClassVar[str] = "correct"
    corrects: ClassVar[bool] = True
    plain: ClassVar[tuple[str, ...]] = ("slot", "face")
    in_turn: ClassVar[bool] = True
    slot: Slot
    face: Face

    def apply(self, state: State) -> State:
        """The die shows another face."""
        dice = tuple(replace(die, face=self.face) if die.slot == self.slot else die for die in state.dice)
        return WAY.of(state).die_corrected(replace(state, dice=dice, lying=dice), self.slot, self.face)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """The die and its face, in words."""
        return Message("undo/die", slot=self.slot, face=self.face)

    def command(self) -> CorrectDie:
        """The same."""
        return CorrectDie(slot=self.slot, face=self.face)
