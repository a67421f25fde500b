"""The confirmed roll stays, though dice in the tray moved."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

from messages.errors import RefusalError
from messages.message import Message
from station.contract.command import Whose
from station.contract.fields import Flag
from station.game.log.event import Leaves
from station.game.log.event_fields import Lying
from station.game.log.state import State, left
from station.game.situation import GameCommand, Situation, must_run
from station.rules.dice import dashed


class KeepRoll(GameCommand):
    """What lies in the tray now is no throw: the confirmed roll stays, until dice move again."""

    whose: ClassVar[Whose] = Whose.TRAY
    command: Literal["keep_roll"] = "keep_roll"

    @classmethod
    def available(cls, now: Situation) -> bool:
        """While dice moved after the confirmed roll."""
        return now.newer

    def decide(self, now: Situation) -> tuple["RollKept", ...]:
        """The confirmed roll stays."""
        must_run(now.state)
        if not now.newer:
            raise RefusalError("roll/nothing_newer")
        return (RollKept(*now.left),)


@dataclass(frozen=True, slots=True)
class RollKept(Leaves):
    """The dice in the tray were touched, not thrown: the confirmed roll stays."""

    kind: ClassVar[str] = "roll_kept"
    word: ClassVar[str] = "keep"
    in_turn: ClassVar[bool] = True
    left: Lying = ()
    rolling: Flag = False

    def apply(self, state: State) -> State:
        """The dice in the tray are no throw, until they move."""
        return left(state, self)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """The roll that stayed."""
        return Message("undo/keeping", faces=dashed(after.faces))

    def command(self) -> None:
        """None: it cannot be repeated without the dice in the tray."""
        return
