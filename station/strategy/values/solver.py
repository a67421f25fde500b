"""The exact value of every score sheet, by dynamic programming over the whole game.

The value of a sheet is the expected number of points still to come when every decision is the one that
maximises it: a full sheet is worth 0, and each other one is the expected value of the turn that starts on it
(Verhoeff and Scheffers, Optimal Solitaire Yahtzee Strategies, 1999). All figures are 64-bit.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from station.rules import RuleSet, Sheet, sheet_totals
from station.strategy.model.model import Model
from station.strategy.model.multisets import Floats, Indices
from station.strategy.model.position import Position, place
from station.strategy.values.decisions import Decision, decision
from station.strategy.values.turn import announced, stop_at, stopping, throws_back

COLUMNS = 192
"""Sheets worked on at a time with five dice: as many as stay in the processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """The values of all sheets of a rule set: `values` (layout.size,) in points."""

    model: Model
    values: Floats

    @property
    def start(self) -> float:
        """The expected final score from the empty sheet, which may hold points itself."""
        layout = self.model.layout
        return float(self.values[layout.offset[layout.full]]) + sheet_totals(self.model.rules, Sheet()).total

    def decision(self, where: Position) -> Decision:
        """As Values.decision."""
        found = decision(self.model, *place(self.model, where), self.values)
        model, kinds = self.model, self.model.layout.kinds
        if len({*kinds}) < len(kinds):
            open_ = [bit for bit, box in enumerate(model.boxes) if box.category in where.open]
            first = {kinds[bit]: bit for bit in open_[::-1]}
            first |= {kinds[bit]: bit for bit in open_ if model.boxes[bit].category == where.called}
            found = found.in_boxes(
                {bit: first[kind] for bit, kind in enumerate(kinds) if kind in first}, model
            )
        return found.named.get(where.called, found)

    def to_come(self, where: Position) -> float:
        """As Values.to_come."""
        mask, column = place(self.model, where)
        return float(self.values[self.model.layout.offset[mask] + column])


def solve(
    rules: RuleSet | Model,
    progress: Callable[[float], None] | None = None,
    so_far: Floats | None = None,
    keep: Callable[[Floats], None] | None = None,
) -> Solution:
    """Work out the value of every sheet.

    `progress` is called now and then with the share that is done, 0..1; an exception it raises ends the work.
    `keep` is called as often with the values so far (layout.size,), NaN where they are not known; handed in
    as `so_far` later, the work goes on from there.
    """
    model = rules if isinstance(rules, Model) else Model(rules)
    layout = model.layout
    values = _nothing_known(model) if so_far is None else so_far.copy()
    columns = max(COLUMNS * 252 // len(model.dice.rolls), 1)
    done = 0
    for count in range(model.rules.boxes_per_turn, len(layout.boxes) + 1, model.rules.boxes_per_turn):
        open_ = np.array([mask for mask in model.masks(count) if not layout.ends(int(mask))], dtype=np.intp)
        finished = ~np.isnan(values[[layout.offset[int(mask)] for mask in open_]])
        done += sum(layout.columns(int(mask)) for mask in open_[finished])
        for masks in chunks(model, open_[~finished], columns):
            if not masks:
                continue
            found = _of_turns(model, masks, values)
            start = 0
            for mask in masks:
                base = layout.base(mask)
                begin = layout.offset[mask]
                for saved, of_saved in enumerate(found):
                    values[begin + saved * base : begin + (saved + 1) * base] = of_saved[start : start + base]
                start += base
                done += layout.columns(mask)
            if progress is not None:
                progress(done / layout.size)
            if keep is not None:
                keep(values)
    return Solution(model, values)


def _nothing_known(model: Model) -> Floats:
    """(layout.size,) NaN, but 0 for full sheets and those on which no turn begins."""
    layout, step = model.layout, model.rules.boxes_per_turn
    values = np.full(layout.size, np.nan)
    for mask in layout.masks.tolist():
        if layout.ends(mask) or mask.bit_count() % step != len(layout.boxes) % step:
            values[layout.offset[mask] : layout.offset[mask] + layout.columns(mask)] = 0.0
    return values


def _of_turns(model: Model, masks: list[int], values: Floats) -> list[Floats]:
    """(columns,) the values of turns from the sheets of some masks, by the throws saved before."""
    throws = model.rules.throws
    if model.lefts:
        stops = tuple(
            np.hstack([stopping(model, mask, values, saved=left) for mask in masks])
            for left in range(model.lefts + 1)
        )
        lying = throws_back(model, stops, None, throws - 1)
        found = [model.first_chance @ lying]
        for left in range(throws, throws + model.layout.saved):
            levels = model.dice.expect(lying)
            levels[-1] = stop_at(stops, left).copy()
            lying = model.dice.best(levels)
            found.append(model.first_chance @ lying)
        return found
    late = np.hstack([stopping(model, mask, values) for mask in masks])
    first = None
    if model.throw_matters:
        first = np.hstack([stopping(model, mask, values, first=True) for mask in masks])
    lying = throws_back(model, late, first, throws - 1)
    if model.announces:
        _announce(model, masks, values, lying)
    return [model.first_chance @ lying]


def _announce(model: Model, masks: list[int], values: Floats, lying: Floats) -> None:
    """Raise the (rolls, columns) values of first throws to those of announcing a box, where it is better."""
    ends = np.cumsum([model.layout.base(mask) for mask in masks])
    columns = [np.arange(end - model.layout.base(mask), end) for mask, end in zip(masks, ends, strict=True)]
    named = [model.announced(mask) for mask in masks]
    for number in range(max(map(len, named))):
        there = [index for index, actions in enumerate(named) if number < len(actions)]
        late, first = (
            np.hstack([announced(model, masks[i], named[i][number], values, first=is_first) for i in there])
            for is_first in (False, True)
        )
        where = np.concatenate([columns[index] for index in there])
        found = throws_back(model, late, first, model.rules.throws - 1)
        lying[:, where] = np.maximum(lying[:, where], found)


def chunks(model: Model, masks: Indices, columns: int) -> list[list[int]]:
    """The masks in groups of about that many sheets."""
    chunks: list[list[int]] = [[]]
    width = 0
    for mask in masks:
        if width >= columns:
            chunks.append([])
            width = 0
        chunks[-1].append(int(mask))
        width += model.layout.columns(int(mask))
    return chunks
