"""A player is not ready after all."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

from messages.message import Message
from station.contract.command import Command, Whose
from station.features.all_at_once import copies
from station.features.all_at_once.copies import COPY, check_copy, check_together
from station.features.all_at_once.rounds import round_on
from station.game.log.event import SeatEvent
from station.game.log.event_fields import Index
from station.game.log.state import Phase, State
from station.game.situation import OptionalSeat, SeatCommand, Situation
from station.game.steps.score_box import ScoreBox
from station.game.way import WAY


class Unready(SeatCommand):
    """Where all play at once: this player is not ready after all; refused once all are."""

    whose: ClassVar[Whose] = Whose.HOST_TABLE
    follows: ClassVar[type[Command]] = ScoreBox
    command: Literal["unready"] = "unready"
    player: OptionalSeat = None

    @classmethod
    def available(cls, now: Situation) -> bool:
        """While somebody is ready, and others are waited for."""
        state = now.state
        if WAY.of(state).in_turns or not state.running or not state.throws_done:
            return False
        return state.phase is not Phase.THROWING and any(
            COPY.of(state.players[seat]).ready for seat in copies.in_round(state.players)
        )

    def decide(self, now: Situation) -> tuple["PlayerUnready", ...]:
        """One player is not ready after all."""
        check_together(now.state)
        seat, copy = check_copy(now.state, self.player, "ready/no_roll")
        return (PlayerUnready(seat),) if copy.ready else ()


@dataclass(frozen=True, slots=True)
class PlayerUnready(SeatEvent):
    """A player is not ready after all. seat: from 0."""

    kind: ClassVar[str] = "player_unready"
    word: ClassVar[str] = "unready"
    plain: ClassVar[tuple[str, ...]] = ("seat",)
    seat: Index

    def apply(self, state: State) -> State:
        """They are waited for again."""
        return round_on(copies.with_copy(state, self.seat, ready=False))

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """Who."""
        return Message("undo/unready", name=after.players[self.seat].name)

    def command(self) -> Unready:
        """The same."""
        return Unready(player=self.seat)
