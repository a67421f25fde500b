"""The active player fills a box."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from messages.message import Message
from station.contract.commands import ScoreBox
from station.contract.fields import Flag
from station.game.log.event import Leaves
from station.game.log.fields import Category, Lying, Slots
from station.game.log.player import Filling
from station.game.log.state import Phase, State, left, with_player
from station.game.log.turns import next_turn
from station.rules import fill


@dataclass(frozen=True, slots=True)
class BoxScored(Leaves):
    """The active player filled a box. slots: the dice used, where the rule set splits them; else empty."""

    kind: ClassVar[str] = "box_scored"
    word: ClassVar[str] = "box"
    plain: ClassVar[tuple[str, ...]] = ("category", "slots")
    in_turn: ClassVar[bool] = True
    category: Category
    slots: Slots = ()
    left: Lying = ()
    rolling: Flag = False

    def apply(self, state: State) -> State:
        """The turn goes on where the rule set fills two boxes, or the next player's begins."""
        return left(self._filled(state), self)

    def _filled(self, state: State) -> State:
        rules = state.played
        used = tuple(die for die in state.dice if not self.slots or die.slot in self.slots)
        rest = tuple(die for die in state.dice if die not in used)
        faces = tuple(sorted(die.face for die in used))
        filling = Filling(self.category, faces, state.throws_done)
        sheet = fill(rules, state.player.sheet, self.category, faces, state.throws_done)
        filled = with_player(state, state.active, sheet=sheet, fillings=(*state.player.fillings, filling))
        written = (*state.written, (state.active, self.category))
        after = replace(filled, boxes_this_turn=state.boxes_this_turn + 1, written=written)
        if after.boxes_this_turn < rules.boxes_per_turn and not sheet.is_full(rules) and rest:
            return replace(after, phase=Phase.CHOOSING, dice=rest, held=())
        return next_turn(after, rules)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """Whose box, which, and what it got."""
        player = after.players[after.written[-1][0]]
        got = Message("points/count", count=player.sheet.points(self.category) or 0)
        box = after.played.box(self.category).label
        return Message("undo/box", name=player.name, points=got, box=box)

    def asked(self) -> ScoreBox:
        """The same."""
        return ScoreBox(category=self.category, slots=self.slots or None)

    def mover(self, after: State) -> str:
        """Whose box it is: the turn has gone on."""
        return after.players[after.written[-1][0]].name

    def log_line(self, after: State) -> str:
        """Which box, and the most points that somebody has in it."""
        filled = [player.sheet.points(self.category) for player in after.players]
        return f"{self.category} filled ({max(points or 0 for points in filled)})"
