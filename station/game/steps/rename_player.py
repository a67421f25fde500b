"""A player gets another name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

from messages.message import Message
from station.contract.command import Whose
from station.contract.fields import Name, Seat
from station.contract.names import checked_names
from station.game.log.event import Event
from station.game.log.event_fields import Index, Named
from station.game.log.state import State, with_player
from station.game.situation import GameCommand, Situation, check_before_end, somebody_there


class RenamePlayer(GameCommand):
    """Rename a player."""

    whose: ClassVar[Whose] = Whose.SEAT
    guarded: ClassVar[str] = "room/host_people"
    command: Literal["rename_player"] = "rename_player"
    player: Seat
    name: Name

    @classmethod
    def available(cls, now: Situation) -> bool:
        """While somebody is there, before the game is over."""
        return somebody_there(now.state)

    def decide(self, now: Situation) -> tuple["PlayerRenamed", ...]:
        """A player takes another name."""
        state, seat = now.state, self.player
        check_before_end(state, seat)
        others = [player.name for i, player in enumerate(state.players) if i != seat]
        name = checked_names([*others, self.name])[-1]
        return () if name == state.players[seat].name else (PlayerRenamed(seat, name),)


@dataclass(frozen=True, slots=True)
class PlayerRenamed(Event):
    """A player has another name. seat: from 0."""

    kind: ClassVar[str] = "player_renamed"
    word: ClassVar[str] = "rename"
    plain: ClassVar[tuple[str, ...]] = ("seat", "name")
    seat: Index
    name: Named

    def apply(self, state: State) -> State:
        """The name changes, nothing else."""
        return with_player(state, self.seat, name=self.name)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """The new name."""
        return Message("undo/renaming", name=self.name)

    def command(self) -> RenamePlayer:
        """The same."""
        return RenamePlayer(player=self.seat, name=self.name)
