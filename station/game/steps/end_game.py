"""The people stop before every box is filled."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from messages.message import Message
from station.contract.commands import EndGame
from station.contract.fields import Flag
from station.game.log.ending import finished
from station.game.log.event import Leaves
from station.game.log.fields import Lying
from station.game.log.state import State, left


@dataclass(frozen=True, slots=True)
class GameEnded(Leaves):
    """The people stopped before every box was filled."""

    kind: ClassVar[str] = "game_ended"
    word: ClassVar[str] = "end"
    told_back: ClassVar[bool] = True
    left: Lying = ()
    rolling: Flag = False

    def apply(self, state: State) -> State:
        """The game is over as it stands."""
        return left(finished(state, "early"), self)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """That it ended."""
        return Message("undo/end")

    def asked(self) -> EndGame:
        """The same."""
        return EndGame()
