"""One turn, played backward: from the values of the boxes to the value of every throw before."""

import numpy as np

from station.strategy.model.model import Action, Model
from station.strategy.model.multisets import Floats


def stopping(model: Model, mask: int, values: Floats, *, first: bool = False, saved: int = 0) -> Floats:
    """(rolls, columns) the value of filling the best box now, for every sheet of the mask.

    `values` are those of all sheets of the layout; `first` uses the points of a turn's first throw. `saved`
    throws are left, where that matters.
    """
    best: Floats | None = None
    for action in model.actions(mask):
        value = worth(action, values, first=first, saved=min(saved, model.lefts))
        best = value if best is None else np.maximum(best, value, out=best)
    assert best is not None  # noqa: S101 - a mask without open boxes has no turn
    paid = model.paid_for_yacht(mask)
    if paid is not None:
        best[model.yachts] += paid
    return best


def worth(action: Action, values: Floats, *, first: bool = False, saved: int = 0) -> Floats:
    """(rolls, columns) points now and value of the sheet that follows, without extra for a further yacht."""
    after = values[action.after + saved * action.stride]
    if action.bonus is not None:
        after += action.bonus
    points, kind = action.scored(first=first, left=saved)
    value: Floats = points[:, np.newaxis] + (after if kind is None else after.take(kind, axis=0))
    return value


def announced(model: Model, mask: int, action: Action, values: Floats, *, first: bool) -> Floats:
    """The same in a turn for which that box was announced, with what a further yacht brings on top."""
    value, paid = worth(action, values, first=first), model.paid_for_yacht(mask)
    if paid is not None:
        value[model.yachts] += paid
    return value


Late = Floats | tuple[Floats, ...]
"""(rolls, columns) the value of stopping after a later throw; where throws are saved, by those left."""


def stop_at(late: Late, left: int) -> Floats:
    """The value of stopping with that many throws left."""
    return late[min(left, len(late) - 1)] if isinstance(late, tuple) else late


def throws_back(model: Model, late: Late, first: Floats | None, rolls_left: int) -> Floats:
    """(rolls, columns) the value of each roll with that many throws to come, all choices being the best.

    `late` is the value of stopping after a later throw, `first` after the first one where it differs.
    """
    rules = model.rules

    def stop(left: int) -> Floats:
        return first if first is not None and left == rules.throws - 1 else stop_at(late, left)

    value = stop(0)
    for left in range(1, rolls_left + 1):
        levels = model.dice.expect(value)
        levels[-1] = stop(left).copy()
        value = model.dice.best(levels)
    return value
