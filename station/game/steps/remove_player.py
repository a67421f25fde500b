"""A player leaves: the turn goes on without them, their sheet stays in the record."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from messages.errors import RefusalError
from messages.message import Message
from station.contract.command import Whose
from station.contract.fields import Flag, Seat
from station.game.log.event import Leaves
from station.game.log.event_fields import Index, Lying
from station.game.log.state import State, left, with_player
from station.game.log.turns import next_turn
from station.game.situation import GameCommand, Situation, check_before_end, somebody_there
from station.game.way import WAY


class RemovePlayer(GameCommand):
    """Let a player go: the turn goes on without them, their sheet stays in the record."""

    whose: ClassVar[Whose] = Whose.HOST
    guarded: ClassVar[str] = "room/host_people"
    command: Literal["remove_player"] = "remove_player"
    player: Seat

    @classmethod
    def available(cls, now: Situation) -> bool:
        """While somebody is there; in a game somebody has to stay."""
        return somebody_there(now.state) and not _last(now.state)

    def decide(self, now: Situation) -> tuple["PlayerRemoved", ...]:
        """A player goes."""
        state, seat = now.state, self.player
        check_before_end(state, seat)
        if _last(state):
            raise RefusalError("player/last", name=state.players[seat].name)
        ends_turn = seat == state.active or not WAY.of(state).in_turns
        return (PlayerRemoved(seat, *now.left),) if ends_turn else (PlayerRemoved(seat),)


@dataclass(frozen=True, slots=True)
class PlayerRemoved(Leaves):
    """A player has gone; of a running game the sheet stays. seat: from 0."""

    kind: ClassVar[str] = "player_removed"
    word: ClassVar[str] = "remove"
    plain: ClassVar[tuple[str, ...]] = ("seat",)
    seat: Index
    left: Lying = ()
    rolling: Flag = False

    def apply(self, state: State) -> State:
        """Free the seat in the lobby; in a game mark it as gone, and pass its turn on."""
        if state.rules is None:
            after = replace(state, players=(*state.players[: self.seat], *state.players[self.seat + 1 :]))
            return left(after, self) if self.seat == state.active else after
        after = with_player(state, self.seat, gone=True)
        if (gone := WAY.of(state).left_by(after, self.seat, self)) is not None:
            return gone
        if state.active != self.seat:
            return after
        return left(next_turn(after, state.rules), self)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """The player who left, in words."""
        return Message("undo/removing", name=before().players[self.seat].name)

    def command(self) -> RemovePlayer:
        """The same."""
        return RemovePlayer(player=self.seat)


def _last(state: State) -> bool:
    """Whether only one player is left in a game."""
    return state.rules is not None and sum(not player.gone for player in state.players) == 1
