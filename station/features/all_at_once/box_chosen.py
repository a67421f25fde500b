"""A player picks the box that is written when all are ready."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from messages.message import Message
from station.features.all_at_once import copies
from station.features.all_at_once.rounds import round_on
from station.game.log.event import SeatEvent
from station.game.log.event_fields import Category, Index
from station.game.log.state import State
from station.game.steps.score_box import ScoreBox


@dataclass(frozen=True, slots=True)
class BoxChosen(SeatEvent):
    """A player picked the box that is written when all are ready. seat: from 0."""

    kind: ClassVar[str] = "box_chosen"
    word: ClassVar[str] = "pick"
    plain: ClassVar[tuple[str, ...]] = ("seat", "category")
    in_turn: ClassVar[bool] = True
    seat: Index
    category: Category

    def apply(self, state: State) -> State:
        """The copy will go into this box."""
        return round_on(copies.with_copy(state, self.seat, chosen=self.category))

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """The player and the picked box."""
        box = after.played.box(self.category).label
        return Message("undo/picking", name=after.players[self.seat].name, box=box)

    def command(self) -> ScoreBox:
        """The same."""
        return ScoreBox(category=self.category, player=self.seat)
