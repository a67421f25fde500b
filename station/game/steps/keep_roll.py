"""The confirmed roll stays, though dice in the tray moved."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from messages.message import Message
from station.contract.fields import Flag
from station.game.log.event import Leaves
from station.game.log.fields import Lying
from station.game.log.state import State, left
from station.rules.dice import dashed


@dataclass(frozen=True, slots=True)
class RollKept(Leaves):
    """The dice in the tray were touched, not thrown: the confirmed roll stays."""

    kind: ClassVar[str] = "roll_kept"
    word: ClassVar[str] = "keep"
    in_turn: ClassVar[bool] = True
    left: Lying = ()
    rolling: Flag = False

    def apply(self, state: State) -> State:
        """What lies there is no throw, until it moves."""
        return left(state, self)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """The roll that stayed."""
        return Message("undo/keeping", faces=dashed(die.face for die in after.dice))

    def asked(self) -> None:
        """Nothing: without the dice in the tray there is nothing to keep."""
        return
