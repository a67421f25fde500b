"""Where all play at once: a player is not ready after all."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

from messages.message import Message
from station.contract.command import Whose
from station.game.log import together
from station.game.log.event import CopyEvent
from station.game.log.fields import Index
from station.game.log.rounds import round_on
from station.game.log.state import Phase, State
from station.game.situation import CopyCommand, CopyOf, Situation, check_together


class Unready(CopyCommand):
    """Where all play at once: this player is not ready after all; refused once all are."""

    whose: ClassVar[Whose] = Whose.HOST_TABLE
    before_throw: ClassVar[str] = "ready/no_roll"
    command: Literal["unready"] = "unready"
    player: CopyOf = None

    @classmethod
    def available(cls, now: Situation) -> bool:
        """While somebody is ready, and others are waited for."""
        state = now.state
        if not state.simultaneous or not state.running or not state.throws_done:
            return False
        return state.phase is not Phase.THROWING and any(
            state.players[seat].copy.ready for seat in together.in_round(state.players)
        )

    def decide(self, now: Situation) -> tuple["PlayerUnready", ...]:
        """One player is not ready after all."""
        check_together(now.state)
        seat, copy = self.check_copy(now.state, self.player)
        return (PlayerUnready(seat),) if copy.ready else ()


@dataclass(frozen=True, slots=True)
class PlayerUnready(CopyEvent):
    """A player is not ready after all. seat: from 0."""

    kind: ClassVar[str] = "player_unready"
    word: ClassVar[str] = "unready"
    plain: ClassVar[tuple[str, ...]] = ("seat",)
    seat: Index

    def apply(self, state: State) -> State:
        """They are waited for again."""
        return round_on(together.with_copy(state, self.seat, ready=False))

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """Who."""
        return Message("undo/unready", name=after.players[self.seat].name)

    def asked(self) -> Unready:
        """The same."""
        return Unready(player=self.seat)
