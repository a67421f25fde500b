"""Announced boxes: what they are to a turn, to its advice and to the buttons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from messages.errors import RefusalError
from messages.message import Message
from station.contract.view import TableView
from station.features.announced_boxes import announcing
from station.features.announced_boxes.announce_box import AnnounceBox, BoxAnnounced
from station.features.announced_boxes.announcing import CALLED
from station.game.feature import Feature
from station.game.log.state import State
from station.game.situation import Situation
from station.rules import RuleSet

if TYPE_CHECKING:
    from station.strategy.values.hints import HoldValue


@dataclass(frozen=True, slots=True)
class TablePart:
    """Its part of the screens' view."""

    announced_box: Annotated[str | None, Field(description="The category that was announced for this turn.")]
    may_announce: Annotated[
        tuple[str, ...],
        Field(description="The categories that may be announced now, before the second throw."),
    ]


@dataclass(frozen=True, slots=True)
class HintPart:
    """Its part of a hint."""

    announce: Annotated[str | None, Field(description="The category to announce before throwing again.")]


class AnnouncedBoxesFeature(Feature):
    """The step, and what follows from it in the turn."""

    events = (BoxAnnounced,)
    commands = (AnnounceBox,)
    table_view = TablePart
    hint_view = HintPart

    def check_roll(self, state: State) -> None:
        """Raise RefusalError `announce/first`."""
        announcing.before_second_throw(state)

    def refusals(self, state: State, categories: Sequence[str]) -> Mapping[str, RefusalError]:
        """Another box was announced, or this one was not."""
        if not announcing.announces(state.played):
            return {}
        found = {each: announcing.refusal(state, state.played, each) for each in categories}
        return {each: refused for each, refused in found.items() if refused}

    def check_moved(self, rules: RuleSet, category: str, throw: int) -> None:
        """Raise RefusalError `announce/not_announced`."""
        box = rules.box(category)
        if throw > 1 and box.announced:
            raise RefusalError("announce/not_announced", box=box.label)

    def corrected(self, state: State) -> State:
        """The box that was announced has its points now, or is not due: the turn is free again."""
        called = CALLED.of(state)
        if called and called not in state.played.next_boxes(state.player.sheet.open(state.played)):
            return CALLED.put(state, "")
        return state

    def bound(self, state: State) -> str:
        """The announced box."""
        return CALLED.of(state)

    def bind(self, state: State, category: str, *, force: bool) -> AnnounceBox | None:
        """Announce it."""
        if state.rules is None or not announcing.announces(state.rules):
            return None
        return AnnounceBox(category=category, force=force)

    def unadvised(self, state: State) -> bool:
        """A correction filled the announced box, and no other may be written."""
        return announcing.lost(state)

    def waits(self, state: State, what: Message) -> Message:
        """The sentence with the announced box."""
        called = CALLED.of(state)
        return Message("waiting/announced", what=what, box=state.played.box(called).label) if called else what

    def pulses(self, view: TableView) -> bool:
        """While hold 3 would announce the marked box."""
        return view.phase == "choosing" and view.choice in view.part(TablePart).may_announce

    def of_table(self, now: Situation) -> TablePart:
        """The announced box, and those that may be announced."""
        may = () if now.newer else announcing.announceable(now.state)
        return TablePart(CALLED.of(now.state) or None, may)

    def of_hint(self, best: "HoldValue | None") -> HintPart:
        """The box to announce before those dice are held."""
        return HintPart((best.announce if best else "") or None)
