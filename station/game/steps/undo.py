"""The last step is taken back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

from messages.errors import RefusalError
from messages.message import Message
from station.contract.command import Whose
from station.game.log.event import EventBase
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
        """The last step is taken back."""
        if not now.state.past:
            raise RefusalError("undo/nothing")
        return (Undone(),)


@dataclass(frozen=True, slots=True)
class Undone(EventBase):
    """The last event that still stood is taken back.

    It changes no state by itself: `station.game.evolve` replays the events without the last, so it never
    stands among those that count.
    """

    kind: ClassVar[str] = "undone"
    word: ClassVar[str] = "undo"
    takes_back: ClassVar[bool] = True

    def apply(self, state: State) -> State:
        """Never asked for."""
        raise AssertionError(state)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """Never asked for."""
        raise AssertionError(after, before)

    def asked(self) -> Undo:
        """The same."""
        return Undo()
