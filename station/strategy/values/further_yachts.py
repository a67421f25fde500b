"""What a further yacht may do, must do and brings in a game that is solved in parts.

The yacht box may be in another part than the box a yacht goes to. Columns that are parts have a yacht box of
their own each.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from station.rules import Joker
from station.strategy.model.model import IMPOSSIBLE, Action, Model
from station.strategy.model.multisets import Floats, Indices
from station.strategy.model.position import Position
from station.strategy.values.decisions import Decision

NOWHERE: Indices = np.zeros(0, dtype=np.intp)


@dataclass(frozen=True, slots=True)
class _Further:
    """A part once the yacht box is filled.

    other: whether that box is in another part. extra: points on top that the part does not know of. blocked:
    boxes that bring nothing yet. forced_out: by box, the rolls that have to go elsewhere.
    """

    model: Model
    other: bool
    extra: int
    blocked: frozenset[int]
    forced_out: Mapping[int, Indices]

    def decision(self, found: Decision) -> Decision:
        """A decision of the part, its actions already by the bits of the whole game."""
        late, first = found.late.copy(), found.first.copy()
        saving = tuple(each.copy() for each in found.saving)
        actions = tuple(map(self._action, found.actions))
        for row, (old, new) in enumerate(zip(found.actions, actions, strict=True)):
            self._correct(late[row], old.points, new.points)
            self._correct(first[row], old.first, new.first)
            for left, values in enumerate(saving):
                points = [each.scored(first=False, left=left)[0] for each in (old, new)]
                self._correct(values[row], *points)
        return replace(found, actions=actions, late=late, first=first, saving=saving)

    def _correct(self, values: Floats, before: Floats, now: Floats) -> None:
        """Set the values (rolls,) of an action right, by its points before and now."""
        values += now - before
        values[self.model.yachts] += self.extra

    def _action(self, action: Action) -> Action:
        by_left = enumerate(action.by_left)
        return replace(
            action,
            points=self._points(action, action.points, first=False),
            first=self._points(action, action.first, first=True),
            by_left=tuple(
                (self._points(action, each, first=False, left=k), kind) for k, (each, kind) in by_left
            ),
        )

    def _points(self, action: Action, points: Floats, *, first: bool, left: int = 0) -> Floats:
        """(rolls,) the points of the box in the whole game."""
        (bit,), yachts, found = action.boxes, self.model.yachts, points.copy()
        if self.other and bit not in self.blocked:
            wild = self.model.natural_points((bit,), wild=True, first=first, left=left)
            found[yachts] = np.where(points[yachts] == IMPOSSIBLE, IMPOSSIBLE, wild[yachts])
        found[self.forced_out.get(bit, NOWHERE)] = IMPOSSIBLE
        return found


def in_whole_game(model: Model, part: Model, found: Decision, where: Position) -> Decision:
    """The decision of a part of a game, by the bits of its boxes there, as the rules of all boxes have it."""
    rules, yacht = model.rules, model.rules.yacht
    bits = {box.category: bit for bit, box in enumerate(model.boxes)}
    if len(rules.columns) > 1 or yacht is None or yacht.category in where.open:
        return found
    # In a position given by its yachts, these say of any box whether it holds points.
    held = dict(
        where.filled if where.filled is not None else [(each, where.yachts) for each in rules.categories]
    )
    other = yacht.category not in part.rules.categories
    open_ = [bits[category] for category in rules.next_boxes(where.open)]
    further = _Further(
        model,
        other,
        model.further_yacht if other and held.get(yacht.category) else 0,
        frozenset(bits[box.category] for box in rules.boxes if box.after and not held.get(box.after)),
        model.forced_out(open_) if rules.joker is Joker.FORCED and not where.called else {},
    )
    free = replace(further, forced_out={})  # a turn goes where it was announced for
    named = {category: free.decision(mode) for category, mode in found.named.items()}
    return replace(further.decision(found), named=named)
