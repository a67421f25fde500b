"""The people stop before every box is filled."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

from messages.message import Message
from station.contract.command import Whose
from station.contract.fields import Flag
from station.game.log.ending import finished
from station.game.log.event import Leaves
from station.game.log.fields import Lying
from station.game.log.state import State, left
from station.game.situation import GameCommand, Situation, must_run


class EndGame(GameCommand):
    """End the game as it stands."""

    whose: ClassVar[Whose] = Whose.HOST
    guarded: ClassVar[str] = "room/host_ends"
    without_line: ClassVar[bool] = True
    command: Literal["end_game"] = "end_game"

    @classmethod
    def available(cls, now: Situation) -> bool:
        """While a game is played."""
        return now.state.running

    def decide(self, now: Situation) -> tuple["GameEnded", ...]:
        """The game is over as it stands."""
        must_run(now.state)
        return (GameEnded(*now.left),)


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
