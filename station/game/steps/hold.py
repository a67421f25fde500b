"""Dice are kept out of the next throw."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from messages.errors import RefusalError
from messages.message import Message
from station.contract.command import Whose
from station.contract.fields import Slot
from station.game.log.event import Event
from station.game.log.event_fields import Slots
from station.game.log.state import Phase, State
from station.game.log.words import number_of
from station.game.situation import OptionalSeat, SeatCommand, Situation, checked_slots, must_run
from station.game.way import WAY, own


class SetHeld(SeatCommand):
    """Keep exactly these slots out of the next throw; where all play at once, on one player's copy."""

    whose: ClassVar[Whose] = Whose.TURN
    command: Literal["set_held"] = "set_held"
    slots: Annotated[tuple[Slot, ...], Field(max_length=10)]
    player: OptionalSeat = None

    @classmethod
    def available(cls, now: Situation) -> bool:
        """Between two throws."""
        return now.state.phase is Phase.HOLDING and bool(own(now.state).dice)

    def decide(self, now: Situation) -> tuple[Event, ...]:
        """These and no others are held."""
        state, rules = now.state, must_run(now.state)
        if (events := WAY.of(state).hold(state, self.player, self.slots)) is not None:
            return events
        self.check_turn(state)
        if not state.dice:
            raise RefusalError("held/no_roll")
        if state.phase is Phase.CHOOSING:
            if WAY.of(state).may_go_back(state):
                raise RefusalError("roll/choosing", code="held/choosing", name=state.player.name)
            raise RefusalError("held/choosing")
        slots = checked_slots(rules, self.slots)
        return () if slots == state.held else (HeldSet(slots),)


UNMOVED = "unmoved"
"""The word in a line of notation before the slots that nobody marked."""


@dataclass(frozen=True, slots=True)
class HeldSet(Event):
    """These slots, and no others, stay out of the next throw.

    unmoved: those of them that nobody marked: their dice were not thrown with the others. They are held for
    that throw alone, which is one step with this event.
    """

    kind: ClassVar[str] = "held_set"
    word: ClassVar[str] = "hold"
    in_turn: ClassVar[bool] = True
    slots: Slots
    unmoved: Slots = ()

    def apply(self, state: State) -> State:
        """These are held."""
        return replace(state, held=self.slots, unmarked=self.unmoved)

    @property
    def with_next(self) -> bool:
        """Whether it is one step with the throw that follows."""
        return bool(self.unmoved)

    def to_json(self) -> dict[str, Any]:
        """The slots; those that nobody marked only where there are any."""
        body = Event.to_json(self)
        return body if self.unmoved else {key: value for key, value in body.items() if key != "unmoved"}

    def words(self) -> list[str]:
        """The slots, then those that nobody marked."""
        unmoved = [UNMOVED, *map(str, self.unmoved)] if self.unmoved else []
        return [self.word, *map(str, self.slots), *unmoved]

    @classmethod
    def of_words(cls, words: list[str]) -> "HeldSet":
        """Read back `words`' work."""
        at = words.index(UNMOVED) if UNMOVED in words else len(words)
        slots, unmoved = (tuple(map(number_of, each)) for each in (words[:at], words[at + 1 :]))
        if not set(unmoved) <= set(slots) or (at < len(words) and not unmoved):
            raise ValueError
        return cls(slots, unmoved)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """The held slots, or that all were released."""
        if not self.slots:
            return Message("undo/releasing")
        return Message("undo/holding", count=len(self.slots), slots=self.slots)

    def command(self) -> SetHeld:
        """The same."""
        return SetHeld(slots=self.slots)
