"""How the points still to come are distributed under best play, for every score sheet.

One backward pass over the game, as for the values, but carrying whole distributions: best play of a turn is
played forward to see how often it ends where, and the distributions of the sheets that follow are added,
each moved by the points of the turn.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from station.strategy.model import Model
from station.strategy.multisets import Floats, Indices
from station.strategy.solver import Solution, chunks
from station.strategy.turns import Key, Landings, Turns

LARGEST_BYTES = 150_000_000
"""A table of distributions may not be larger: while one is worked out it takes about twice that."""
COLUMNS = 96


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Where each sheet's distribution stands in one long row.

    `width[mask]` is one more than the most points still to come with these boxes open, 0 for masks that
    cannot occur; `start[mask]` is where the first sheet of the mask begins.
    """

    width: Indices
    start: Indices
    size: int


@dataclass(frozen=True, slots=True, eq=False)
class Distributions:
    """The distributions of all sheets: `chances` (spans.size,) float32."""

    model: Model
    spans: Spans
    chances: npt.NDArray[np.float32]

    def has(self, mask: int) -> bool:
        """Whether the sheets with these boxes open are there."""
        return bool(self.spans.width[mask])

    def of_mask(self, mask: int) -> npt.NDArray[np.float32]:
        """(columns, points) the distributions of all sheets with these boxes open."""
        start, width = int(self.spans.start[mask]), int(self.spans.width[mask])
        columns = self.model.layout.columns(mask)
        return self.chances[start : start + columns * width].reshape(columns, width)

    def of(self, mask: int, column: int) -> Floats:
        """(points,) the distribution of one sheet, adding up to 1 to the last bit a sum can."""
        found: Floats = self.of_mask(mask)[column].astype(np.float64)
        found /= found.sum()
        return found


def spans(model: Model, within: Sequence[int] = ()) -> Spans:
    """Where the distributions of a rule set would stand.

    `within` are masks: only the sheets that can follow from one of them are then there.
    """
    layout, rules = model.layout, model.rules
    every = np.arange(layout.full + 1)
    width = np.ones(len(every), dtype=np.intp)
    for bit, most in enumerate(model.most_points()):
        width += (every >> bit & 1) * int(most)
    if rules.bonus is not None:
        width += np.where(every & ((1 << len(layout.faces)) - 1), rules.bonus.points, 0)
    bits = sum((every >> bit) & 1 for bit in range(len(layout.boxes)))
    if rules.extra_yacht:
        width += rules.extra_yacht * bits
    width[bits % rules.boxes_per_turn != 0] = 0
    if within:
        width[~np.any([every & ~mask == 0 for mask in within], axis=0)] = 0
    columns = layout.classes[every & ((1 << len(layout.faces)) - 1)]
    if layout.yacht_bit:
        columns = np.where(every & layout.yacht_bit, columns, 2 * columns)
    start = np.concatenate(([0], np.cumsum(width * columns)))
    return Spans(width, start[:-1], int(start[-1]))


def is_too_large(model: Model, within: Sequence[int] = ()) -> bool:
    """Whether these distributions take more memory than a small computer should give."""
    return spans(model, within).size * 4 > LARGEST_BYTES


def distributions(
    solution: Solution, progress: Callable[[float], None] | None = None, within: Sequence[int] = ()
) -> Distributions:
    """Work out the distribution of the points still to come for every sheet, or those `within` (see `spans`).

    `progress` is called with the share done, 0..1; an exception it raises ends the work. Ask `is_too_large`
    before.
    """
    model, layout = solution.model, solution.model.layout
    where = spans(model, within)
    found = Distributions(model, where, np.zeros(where.size, dtype=np.float32))
    found.of_mask(0)[...] = 1.0
    row = np.zeros(layout.size, dtype=np.intp)
    below = np.ones((layout.columns(0), 1), dtype=np.float32)
    row[: len(below)] = np.arange(len(below))
    sheets = sum(layout.columns(int(mask)) for mask in np.flatnonzero(where.width))
    done = 0
    wide = max(COLUMNS * 252 // len(model.dice.rolls), 1)
    landings: dict[Key, Landings] = {}
    for count in range(model.rules.boxes_per_turn, len(layout.boxes) + 1, model.rules.boxes_per_turn):
        all_masks = model.masks(count)
        all_masks = all_masks[where.width[all_masks] > 0]
        if not len(all_masks):
            break
        height = sum(layout.columns(int(mask)) for mask in all_masks)
        layer = np.zeros((height, int(where.width[all_masks].max())), dtype=np.float32)
        top = 0
        for masks in chunks(model, all_masks, wide):
            turns = Turns(model, masks, solution.values)
            mixed = turns.mix(below, row, layer.shape[1], landings)
            layer[top : top + len(mixed)] = mixed
            for mask in masks:
                rows = np.arange(top, top + layout.columns(mask))
                row[layout.offset[mask] : layout.offset[mask] + len(rows)] = rows
                found.of_mask(mask)[...] = layer[rows, : where.width[mask]]
                top += len(rows)
            done += len(mixed)
            if progress is not None:
                progress(done / sheets)
        below = layer
    return found
