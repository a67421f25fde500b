"""The people stop before every box is filled, and say who has won, if anybody has."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from messages.message import Message
from station.contract.command import Whose
from station.contract.fields import Flag, Seat
from station.game.log.ending import finished
from station.game.log.event import Leaves
from station.game.log.event_fields import Index, Lying
from station.game.log.state import State, left
from station.game.log.words import number_of
from station.game.situation import GameCommand, Situation, check_before_end, must_run
from station.game.way import WAY

NOBODY = "nobody"


class EndGame(GameCommand):
    """End the game as it stands."""

    whose: ClassVar[Whose] = Whose.HOST
    guarded: ClassVar[str] = "room/host_ends"
    command: Literal["end_game"] = "end_game"
    winners: Annotated[
        tuple[Seat, ...],
        Field(max_length=20, description="Who has won, as those who play say; left out: nobody."),
    ] = ()

    @classmethod
    def available(cls, now: Situation) -> bool:
        """While a game is played."""
        return now.state.running

    def decide(self, now: Situation) -> tuple["GameEnded", ...]:
        """The game is over as it stands."""
        must_run(now.state)
        for seat in self.winners:
            check_before_end(now.state, seat)
        return (GameEnded(*now.left, tuple(sorted(set(self.winners)))),)


@dataclass(frozen=True, slots=True)
class GameEnded(Leaves):
    """The people stopped before every box was filled.

    winners: who has won, as they say. None, in games of earlier versions: who had most points.
    """

    kind: ClassVar[str] = "game_ended"
    word: ClassVar[str] = "end"
    left: Lying = ()
    rolling: Flag = False
    winners: Annotated[tuple[Index, ...], Field(max_length=20)] | None = None

    def words(self) -> list[str]:
        """The words of the notation, with the named winners."""
        if self.winners is None:
            return [self.word]
        return [self.word, *(map(str, self.winners) if self.winners else (NOBODY,))]

    @classmethod
    def of_words(cls, words: list[str]) -> "GameEnded":
        """Without a word who has most has won."""
        if not words:
            return cls()
        return cls(winners=() if words == [NOBODY] else tuple(map(number_of, words)))

    def apply(self, state: State) -> State:
        """The game is over as it stands."""
        return left(finished(WAY.of(state).over(state), "early", self.winners), self)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """The end of the game, in words."""
        return Message("undo/end")

    def command(self) -> EndGame:
        """The same, with the named winners."""
        return EndGame(winners=self.winners or ())
