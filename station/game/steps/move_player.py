"""A player sits elsewhere in the order."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from messages.message import Message
from station.contract.command import Whose
from station.contract.fields import Seat
from station.game.log.event import Event
from station.game.log.event_fields import Index
from station.game.log.state import State
from station.game.situation import GameCommand, Situation, check_before_end, somebody_there


class MovePlayer(GameCommand):
    """Let a player sit elsewhere in the order."""

    whose: ClassVar[Whose] = Whose.HOST
    guarded: ClassVar[str] = "room/host_people"
    command: Literal["move_player"] = "move_player"
    player: Seat
    to: Seat

    @classmethod
    def available(cls, now: Situation) -> bool:
        """While somebody is there, before the game is over."""
        return somebody_there(now.state)

    def decide(self, now: Situation) -> tuple["PlayerMoved", ...]:
        """A player sits elsewhere in the order."""
        check_before_end(now.state, self.player)
        check_before_end(now.state, self.to, gone=True)
        return () if self.player == self.to else (PlayerMoved(self.player, self.to),)


@dataclass(frozen=True, slots=True)
class PlayerMoved(Event):
    """A player sits elsewhere in the order. seat, to: from 0, before and after."""

    kind: ClassVar[str] = "player_moved"
    word: ClassVar[str] = "move"
    plain: ClassVar[tuple[str, ...]] = ("seat", "to")
    seat: Index
    to: Index

    def reseated(self, count: int) -> list[int]:
        """For each of `count` seats the former seat of the player who sits there now.

        >>> PlayerMoved(seat=2, to=0).reseated(3)
        [2, 0, 1]
        """
        order = list(range(count))
        order.insert(self.to, order.pop(self.seat))
        return order

    def apply(self, state: State) -> State:
        """Reorder the seats; the turn stays with its player."""
        order = self.reseated(len(state.players))
        players = tuple(state.players[i] for i in order)
        written = tuple((order.index(seat), category) for seat, category in state.written)
        active = order.index(state.active) if state.players else 0
        return replace(state, players=players, active=active, written=written)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """The player who moved, in words."""
        return Message("undo/moving", name=after.players[self.to].name)

    def command(self) -> MovePlayer:
        """The same."""
        return MovePlayer(player=self.seat, to=self.to)
