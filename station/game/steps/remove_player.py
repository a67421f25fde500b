"""A player leaves: the turn goes on without them, their sheet stays in the record."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from messages.message import Message
from station.contract.commands import RemovePlayer
from station.contract.fields import Flag
from station.game.log import together
from station.game.log.event import Leaves
from station.game.log.fields import Index, Lying
from station.game.log.rounds import round_on
from station.game.log.state import Phase, State, left, with_player
from station.game.log.turns import next_turn


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
        """Where it was their turn, the next one begins; where all play at once, the round may go on."""
        after = self._without(state)
        if state.simultaneous:
            return round_on(after, left_by=self)
        return left(after, self) if self.seat == state.active else after

    def _without(self, state: State) -> State:
        """In the lobby the seat is free again; in a game it stays, and the turn goes on without it."""
        if state.rules is None:
            return replace(state, players=(*state.players[: self.seat], *state.players[self.seat + 1 :]))
        after = with_player(state, self.seat, gone=True)
        if state.phase is Phase.STARTING or state.active != self.seat:
            return after
        if state.simultaneous:
            return after.at_table(together.at_table(state.rules, after.players, self.seat))
        return next_turn(after, state.rules)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """Who left."""
        return Message("undo/removing", name=before().players[self.seat].name)

    def asked(self) -> RemovePlayer:
        """The same."""
        return RemovePlayer(player=self.seat)
