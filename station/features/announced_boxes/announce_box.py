"""The box that a turn will go to is announced after its first throw."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from messages.errors import RefusalError
from messages.message import Message
from station.contract.command import Command, Whose
from station.contract.fields import Word
from station.features.announced_boxes.announcing import CALLED, announceable
from station.game.log.event import Event
from station.game.log.event_fields import Category
from station.game.log.state import Phase, State
from station.game.situation import GameCommand, Situation, must_run
from station.game.steps.score_box import ScoreBox


class AnnounceBox(GameCommand):
    """Name the box that the turn will go to, after the first throw, where the rules have such boxes."""

    whose: ClassVar[Whose] = Whose.TURN
    precedes: ClassVar[type[Command]] = ScoreBox
    command: Literal["announce_box"] = "announce_box"
    category: Word
    force: Annotated[
        bool, Field(strict=True, description="Also while a newer throw rolls or lies unconfirmed.")
    ] = False

    @classmethod
    def available(cls, now: Situation) -> bool:
        """After the first throw, where boxes are left that are announced."""
        return not now.newer and bool(announceable(now.state))

    def decide(self, now: Situation) -> tuple["BoxAnnounced", ...]:
        """The turn will go to that box."""
        state, category = now.state, self.category
        rules = must_run(state)
        if not self.force:
            now.check_no_newer()
        label = rules.box(category).label
        if not rules.box(category).announced:
            raise RefusalError("announce/never", box=label)
        if category not in announceable(state):
            filled = state.player.sheet.points(category) is not None
            raise RefusalError(
                "rules/filled" if filled else "announce/too_late", code="announce/not_now", box=label
            )
        return () if category == CALLED.of(state) else (BoxAnnounced(category),)


@dataclass(frozen=True, slots=True)
class BoxAnnounced(Event):
    """After the first throw the player named the box that the turn will go to."""

    kind: ClassVar[str] = "box_announced"
    word: ClassVar[str] = "announce"
    plain: ClassVar[tuple[str, ...]] = ("category",)
    in_turn: ClassVar[bool] = True
    category: Category

    def apply(self, state: State) -> State:
        """The turn goes on, for this box."""
        return replace(CALLED.put(state, self.category), phase=Phase.HOLDING)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """The announced box."""
        return Message("undo/announcing", box=after.played.box(self.category).label)

    def command(self) -> AnnounceBox:
        """The same."""
        return AnnounceBox(category=self.category)
