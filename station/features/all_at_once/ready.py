"""A player is ready."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

from messages.errors import RefusalError
from messages.message import Message
from station.contract.command import Command, Whose
from station.contract.fields import Flag
from station.features.all_at_once import copies
from station.features.all_at_once.copies import PlayerCopy, check_copy, check_together
from station.features.all_at_once.rounds import round_on
from station.game.log.event import Event, Leaves, SeatEvent
from station.game.log.event_fields import Index, Lying
from station.game.log.state import Phase, State
from station.game.situation import OptionalSeat, SeatCommand, Situation, granted
from station.game.steps.score_box import ScoreBox
from station.game.way import WAY


class Ready(SeatCommand):
    """Where all play at once: this player is ready; when the last one is, the round goes on."""

    whose: ClassVar[Whose] = Whose.HOST_TABLE
    follows: ClassVar[type[Command]] = ScoreBox
    command: Literal["ready"] = "ready"
    player: OptionalSeat = None

    @classmethod
    def available(cls, now: Situation) -> bool:
        """While somebody is waited for who could be ready."""
        state = now.state
        waiting = copies.waited_for(state.players) if not WAY.of(state).in_turns and state.running else ()
        return any(granted(partial(cls._check, state, seat)) for seat in waiting)

    def decide(self, now: Situation) -> tuple["PlayerReady", ...]:
        """One player is ready."""
        state = now.state
        check_together(state)
        seat, copy = self._check(state, self.player)
        if copy.ready:
            return ()
        # The dice in the tray are nobody's throw once the round goes on.
        left = now.left if copies.waited_for(state.players) == (seat,) else ((), False)
        return (PlayerReady(seat, *left),)

    @classmethod
    def _check(cls, state: State, player: int | None) -> tuple[int, PlayerCopy]:
        seat, copy = check_copy(state, player, "ready/no_roll")
        if state.phase is Phase.CHOOSING and copy.chosen is None:
            raise RefusalError("ready/no_box", name=state.players[seat].name)
        return seat, copy


@dataclass(frozen=True, slots=True)
class PlayerReady(Leaves, SeatEvent):
    """A player is ready; when the last one is, the round goes on. seat: from 0."""

    kind: ClassVar[str] = "player_ready"
    word: ClassVar[str] = "ready"
    plain: ClassVar[tuple[str, ...]] = ("seat",)
    in_turn: ClassVar[bool] = True
    seat: Index
    left: Lying = ()
    rolling: Flag = False

    def ends_line(self, following: Event) -> bool:
        """Whether the next throw follows."""
        return following.is_roll

    def apply(self, state: State) -> State:
        """One fewer is waited for; the buttons of the table then act for the next one."""
        return round_on(copies.with_copy(state, self.seat, ready=True), left_by=self, ready=self.seat)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """The player who was ready, or the round that ended."""
        key = "undo/ready" if after.throws_done else "undo/round"
        return Message(key, name=after.players[self.seat].name)

    def command(self) -> Ready:
        """The same."""
        return Ready(player=self.seat)
