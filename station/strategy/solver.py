"""The exact value of every score sheet, by dynamic programming over the whole game.

The value of a sheet is the expected number of points still to come when every decision is the one that
maximises it: a full sheet is worth 0, and each other one is the expected value of the turn that starts on it
(Verhoeff and Scheffers, Optimal Solitaire Yahtzee Strategies, 1999). All figures are 64-bit.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from station.rules import RuleSet
from station.strategy.model import Model
from station.strategy.multisets import Floats, Indices
from station.strategy.turn import stopping, throws_back

COLUMNS = 192
"""Sheets worked on at a time with five dice: as many as stay in the processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """The values of all sheets of a rule set: `values` (layout.size,) in points."""

    model: Model
    values: Floats

    @property
    def start(self) -> float:
        """The expected final score from the empty sheet."""
        layout = self.model.layout
        return float(self.values[layout.offset[layout.full]])


def solve(rules: RuleSet | Model, progress: Callable[[float], None] | None = None) -> Solution:
    """Work out the value of every sheet.

    `progress` is called now and then with the share that is done, 0..1; an exception it raises ends the work.
    """
    model = rules if isinstance(rules, Model) else Model(rules)
    layout = model.layout
    values = np.zeros(layout.size)
    columns = max(COLUMNS * 252 // len(model.dice.rolls), 1)
    done = 0
    for count in range(model.rules.boxes_per_turn, len(layout.boxes) + 1, model.rules.boxes_per_turn):
        for masks in chunks(model, model.masks(count), columns):
            late = np.hstack([stopping(model, mask, values) for mask in masks])
            first = None
            if model.throw_matters:
                first = np.hstack([stopping(model, mask, values, first=True) for mask in masks])
            found = model.first_chance @ throws_back(model, late, first, model.rules.throws - 1)
            start = 0
            for mask in masks:
                width = layout.columns(mask)
                values[layout.offset[mask] : layout.offset[mask] + width] = found[start : start + width]
                start += width
            done += start
            if progress is not None:
                progress(done / layout.size)
    return Solution(model, values)


def chunks(model: Model, masks: Indices, columns: int) -> list[list[int]]:
    """The masks in groups of about so many sheets."""
    chunks: list[list[int]] = [[]]
    width = 0
    for mask in masks:
        if width >= columns:
            chunks.append([])
            width = 0
        chunks[-1].append(int(mask))
        width += model.layout.columns(int(mask))
    return chunks
