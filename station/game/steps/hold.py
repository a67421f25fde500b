"""Dice are kept out of the next throw."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from messages.errors import RefusalError
from messages.message import Message
from station.contract.command import Whose
from station.contract.fields import Slot
from station.game.log import together
from station.game.log.event import CopyEvent, Event
from station.game.log.fields import Index, Slots
from station.game.log.rounds import round_on
from station.game.log.state import Phase, State
from station.game.log.words import number_of
from station.game.situation import (
    CopyCommand,
    CopyOf,
    Situation,
    check_not_ready,
    granted,
    must_run,
    slots_asked,
)


class SetHeld(CopyCommand):
    """Keep exactly these slots out of the next throw; where all play at once, on one player's copy."""

    whose: ClassVar[Whose] = Whose.TURN
    before_throw: ClassVar[str] = "held/no_roll"
    command: Literal["set_held"] = "set_held"
    slots: Annotated[tuple[Slot, ...], Field(max_length=10)]
    player: CopyOf = None

    @classmethod
    def available(cls, now: Situation) -> bool:
        """Between two throws."""
        return granted(lambda: cls._check(now.state, None))

    def decide(self, now: Situation) -> "tuple[HeldSet | CopyHeld, ...]":
        """These and no others are held."""
        state, rules = now.state, must_run(now.state)
        if not state.simultaneous:
            self.check_turn(state)
        seat, held = self._check(state, self.player)
        slots = slots_asked(rules, self.slots)
        if slots == held:
            return ()
        if not state.simultaneous:
            return (HeldSet(slots),)
        check_not_ready(state, seat)
        return (CopyHeld(seat, slots),)

    @classmethod
    def _check(cls, state: State, player: int | None) -> tuple[int, tuple[int, ...]]:
        """The seat, and what is held now. Raises RefusalError where nothing can be held."""
        must_run(state)
        if state.simultaneous:
            seat, copy = cls.check_copy(state, player)
            if state.phase is Phase.CHOOSING:
                raise RefusalError("held/choosing")
            return seat, copy.held
        if not state.dice:
            raise RefusalError(cls.before_throw)
        if state.phase is Phase.CHOOSING:
            if state.rolls_left and not state.boxes_this_turn:
                raise RefusalError("roll/choosing", code="held/choosing", name=state.player.name)
            raise RefusalError("held/choosing")
        return state.active, state.held


UNMOVED = "unmoved"
"""In a line of notation, before the slots that nobody marked."""


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
        """Whether it came with the throw that follows."""
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
        """Which were held, or that all were released."""
        if not self.slots:
            return Message("undo/releasing")
        return Message("undo/holding", count=len(self.slots), slots=self.slots)

    def asked(self) -> SetHeld:
        """The same."""
        return SetHeld(slots=self.slots)


@dataclass(frozen=True, slots=True)
class CopyHeld(CopyEvent):
    """Where all play at once: of a player's copy these slots, and no others, stay. seat: from 0."""

    kind: ClassVar[str] = "copy_held"
    word: ClassVar[str] = "copy"
    plain: ClassVar[tuple[str, ...]] = ("seat", "slots")
    in_turn: ClassVar[bool] = True
    seat: Index
    slots: Slots

    def apply(self, state: State) -> State:
        """These are held on the copy."""
        return round_on(together.with_copy(state, self.seat, held=self.slots))

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """Who held which, or released all."""
        name = after.players[self.seat].name
        if not self.slots:
            return Message("undo/copy_releasing", name=name)
        return Message("undo/copy_holding", name=name, count=len(self.slots), slots=self.slots)

    def asked(self) -> SetHeld:
        """The same."""
        return SetHeld(slots=self.slots, player=self.seat)
