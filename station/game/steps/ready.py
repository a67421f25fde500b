"""Where all play at once: a player is ready."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from messages.message import Message
from station.contract.commands import Ready
from station.contract.fields import Flag
from station.game.log import together
from station.game.log.event import CopyEvent, Leaves
from station.game.log.fields import Index, Lying
from station.game.log.rounds import round_on
from station.game.log.state import State


@dataclass(frozen=True, slots=True)
class PlayerReady(Leaves, CopyEvent):
    """A player is ready; when the last one is, the round goes on. seat: from 0."""

    kind: ClassVar[str] = "player_ready"
    word: ClassVar[str] = "ready"
    plain: ClassVar[tuple[str, ...]] = ("seat",)
    in_turn: ClassVar[bool] = True
    seat: Index
    left: Lying = ()
    rolling: Flag = False

    def apply(self, state: State) -> State:
        """One fewer is waited for; the buttons of the table then act for the next one."""
        return round_on(together.with_copy(state, self.seat, ready=True), left_by=self, ready=self.seat)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """Who was ready, or the round that ended with it."""
        key = "undo/ready" if after.throws_done else "undo/round"
        return Message(key, name=after.players[self.seat].name)

    def asked(self) -> Ready:
        """The same."""
        return Ready(player=self.seat)
