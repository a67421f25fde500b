"""What can be done at the end of a turn from one sheet, and what each of it is worth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from station.strategy.model.model import IMPOSSIBLE, Action, Model
from station.strategy.model.multisets import Floats
from station.strategy.model.position import Position
from station.strategy.values.turn import Late, worth


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """One sheet at the end of a turn: its actions, and the value of each and of the best for every roll.

    `late` and `first` (actions, rolls) are values after a later and after the first throw; where throws are
    saved, or later ones bring other points, `saving` are those of stopping with 0, 1, … throws left. `throws`
    are those of this turn. `named`: by category, the same in a turn for which that box was announced.
    """

    actions: tuple[Action, ...]
    late: Floats
    first: Floats
    throws: int
    saving: tuple[Floats, ...] = ()
    named: Mapping[str, "Decision"] = field(default_factory=dict)

    def in_boxes(self, bits: Mapping[int, int], model: Model) -> "Decision":
        """The same decision for equivalent boxes. bits: from each box's bit to that of its equivalent."""
        return replace(
            self,
            actions=tuple(
                replace(action, boxes=tuple(bits[bit] for bit in action.boxes)) for action in self.actions
            ),
            named={
                model.boxes[mode.actions[0].boxes[0]].category: mode
                for mode in (each.in_boxes(bits, model) for each in self.named.values())
            },
        )

    def at_first(self, left: int) -> Mapping[str, "Decision"]:
        """The decisions to go on by: this one as "", after the first throw those of boxes announced now."""
        return {"": self, **(self.named if left == self.throws - 1 else {})}

    def best(self, *, first: bool) -> Floats:
        """(rolls, 1) the value of the best action."""
        return _best(self.first if first else self.late)

    def stops(self) -> Late:
        """The value of the best action after a later throw, as `throws_back` asks for it."""
        return tuple(map(_best, self.saving)) if self.saving else self.best(first=False)

    def at(self, left: int) -> Floats:
        """(actions, rolls) the values of stopping with that many throws left."""
        if self.saving:
            return self.saving[min(left, len(self.saving) - 1)]
        return self.first if left == self.throws - 1 else self.late


def _best(values: Floats) -> Floats:
    best: Floats = values.max(axis=0)[:, np.newaxis]
    return best


def decision(model: Model, mask: int, column: int, values: Floats) -> Decision:
    """What can be done at the end of a turn from one sheet; `values` are those of all sheets."""
    base = model.layout.base(mask)
    saved, column = divmod(column, base)
    named = {
        model.boxes[action.boxes[0]].category: _decided(model, mask, (column, saved), [action], values)
        for action in (model.announced(mask) if model.announces else ())
    }
    return replace(_decided(model, mask, (column, saved), model.actions(mask), values), named=named)


def _decided(
    model: Model, mask: int, place: tuple[int, int], every: Sequence[Action], values: Floats
) -> Decision:
    """The same by these actions alone, from one column with that many throws saved."""
    column, saved = place
    actions = tuple(_of_column(action, column) for action in every)
    late = np.array([worth(action, values)[:, 0] for action in actions])
    first = late
    if model.throw_matters:
        first = np.array([worth(action, values, first=True)[:, 0] for action in actions])
    saving = tuple(
        np.array([worth(action, values, saved=left)[:, 0] for action in actions])
        for left in range(model.lefts + 1 if model.lefts else 0)
    )
    paid = model.paid_for_yacht(mask)
    if paid is not None and paid[column]:
        for each in (late, *saving) if first is late else (late, first, *saving):
            each[:, model.yachts] += paid[column]
    return Decision(actions, late, first, model.rules.throws + saved, saving)


def _of_column(action: Action, column: int) -> Action:
    """The action from one sheet alone; nothing of the others is kept."""
    only = slice(column, column + 1)
    bonus = None if action.bonus is None else action.bonus[:, only].copy()
    after = action.after[:, only].copy()
    if action.blocked is not None and action.blocked[column]:  # it brings nothing yet, with any dice
        late, first = (
            np.where(each == IMPOSSIBLE, IMPOSSIBLE, 0.0) for each in (action.points, action.first)
        )
        paid = None if bonus is None else bonus[action.nothing : action.nothing + 1]
        return Action(action.boxes, late, first, None, after[:1], paid, stride=action.stride)
    return replace(action, after=after, bonus=bonus, blocked=None)


class Values(Protocol):
    """The values of a game: exact (`Solution`), or approximate (station.strategy.values.parts)."""

    @property
    def model(self) -> Model:
        """The rules as arrays."""

    @property
    def start(self) -> float:
        """The expected final score from the empty sheet."""

    def decision(self, where: Position) -> Decision:
        """What can be done at the end of a turn; BadInputError for a position that no dice lead to."""

    def to_come(self, where: Position) -> float:
        """The points still to come between two turns; BadInputError as `decision`."""
