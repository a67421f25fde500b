"""The last step is taken back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

from messages.errors import RefusalError
from messages.message import Message
from station.contract.command import Whose
from station.game.log.event import Event
from station.game.log.state import State
from station.game.situation import GameCommand, Situation


class Undo(GameCommand):
    """Take back the last step, whatever it was."""

    whose: ClassVar[Whose] = Whose.TABLE
    command: Literal["undo"] = "undo"

    @classmethod
    def available(cls, now: Situation) -> bool:
        """Once something has happened."""
        return bool(now.state.past)

    def decide(self, now: Situation) -> tuple["Undone", ...]:
        """The last step is taken back, all events of it."""
        past = now.state.past
        if not past:
            raise RefusalError("undo/nothing")
        count = 2 if past[-1].with_previous else 1
        while count < len(past) and past[-count - 1].with_next:
            count += 1
        return (Undone(),) * count


@dataclass(frozen=True, slots=True)
class Undone(Event):
    """The last event that still stood is taken back.

    It changes no state by itself: `station.game.evolve` replays the events without the last, so it never
    stands among those that count.
    """

    kind: ClassVar[str] = "undone"
    word: ClassVar[str] = "undo"
    takes_back: ClassVar[bool] = True

    def apply(self, state: State) -> State:
        """Never called."""
        raise AssertionError(state)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """Never called."""
        raise AssertionError(after, before)

    def command(self) -> Undo:
        """The same."""
        return Undo()
