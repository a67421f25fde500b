"""The last step is taken back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from messages.message import Message
from station.contract.commands import Undo
from station.game.log.event import EventBase
from station.game.log.state import State


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
