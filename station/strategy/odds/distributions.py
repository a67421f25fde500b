"""How the points still to come are distributed under best play, for every score sheet.

One backward pass over the game, as for the values, but carrying whole distributions: best play of a turn is
played forward to see how often it ends where, and the distributions of the sheets that follow are added,
each moved by the points of the turn.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from station.rules import Section
from station.strategy.forward.turns import ForwardTurns, Key, Landings
from station.strategy.model.model import Model
from station.strategy.model.multisets import Floats, Indices
from station.strategy.values.solver import Solution, chunks

COLUMNS = 96


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """The place of each sheet's distribution in one long row.

    `width[mask]` is one more than the most points still to come with these boxes open, 0 for masks that
    cannot occur; `start[mask]` is where the first sheet of the mask begins.
    """

    width: Indices
    start: Indices
    size: int


class Finals(Protocol):
    """Tells how the points still to come on a sheet are distributed, exactly or about."""

    @property
    def model(self) -> Model:
        """The game."""

    def of(self, mask: int, column: int) -> Floats:
        """(points,) the distribution of one sheet, adding up to 1."""

    def width(self, mask: int) -> int:
        """One more than the most points still to come with these boxes open."""


@dataclass(frozen=True, slots=True, eq=False)
class Distributions:
    """The distributions of all sheets: `chances` (spans.size,) float32, in memory or mapped from a file."""

    model: Model
    spans: Spans
    chances: npt.NDArray[np.float32]

    def width(self, mask: int) -> int:
        """One more than the most points still to come with these boxes open."""
        return int(self.spans.width[mask])

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
    every = layout.masks
    width = np.ones(len(every), dtype=np.intp)
    for bit, most in enumerate(model.most_points()):
        width += (every >> bit & 1) * int(most)
    if rules.bonus is not None:
        upper = sum(1 << bit for bit, box in enumerate(layout.boxes) if box.section is Section.UPPER)
        width += np.where(every & upper, rules.bonus.most, 0)
    bits = sum((every >> bit) & 1 for bit in range(len(layout.boxes)))
    width += model.further_yacht * bits
    width[bits % rules.boxes_per_turn != 0] = 0
    if within:
        width[~np.any([every & ~mask == 0 for mask in within], axis=0)] = 0
    columns = np.diff(np.append(layout.starts, layout.size))
    start = np.concatenate(([0], np.cumsum(width * columns)))
    return Spans(width, start[:-1], int(start[-1]))


def layers(model: Model, where: Spans) -> list[Indices]:
    """The masks that are there, by the number of open boxes, fewest first; all full sheets left out."""
    counts = range(model.rules.boxes_per_turn, len(model.layout.boxes) + 1, model.rules.boxes_per_turn)
    found = [masks[where.width[masks] > 0] for masks in map(model.masks, counts)]
    return [masks for masks in found if len(masks)]


def layer_bytes(model: Model, where: Spans) -> int:
    """The sheets that must be in memory at once for the distributions: those with as many open boxes."""
    columns = [sum(model.layout.columns(int(mask)) for mask in masks) for masks in layers(model, where)]
    widths = [int(where.width[masks].max()) for masks in layers(model, where)]
    return max(4 * count * width for count, width in zip(columns, widths, strict=True))


def distributions(
    solution: Solution,
    progress: Callable[[float], None] | None = None,
    within: Sequence[int] = (),
    room: Callable[[int], npt.NDArray[np.float32]] | None = None,
    written: Callable[[], None] = lambda: None,
) -> Distributions:
    """Work out the distribution of the points still to come for every sheet, or those `within` (see `spans`).

    `progress` is called with the share done, 0..1; an exception it raises ends the work. `room` gives a
    float32 array of zeros of a size to work in, memory if left out; `written` is called when what was
    written there will not be needed for a while.
    """
    model, layout = solution.model, solution.model.layout
    where = spans(model, within)
    found = Distributions(
        model, where, np.zeros(where.size, dtype=np.float32) if room is None else room(where.size)
    )
    found.of_mask(0)[...] = 1.0
    row = np.zeros(layout.size, dtype=np.intp)
    sheets = sum(layout.columns(int(mask)) for mask in np.flatnonzero(where.width))
    done = 0
    wide = max(COLUMNS * 252 // len(model.dice.rolls), 1)
    landings: dict[Key, Landings] = {}
    before: Indices = np.zeros(1, dtype=np.intp)
    below: npt.NDArray[np.float32] = np.zeros((0, 0), dtype=np.float32)
    for all_masks in layers(model, where):
        del below  # before there is another: one is the most that has to be in memory
        below = _side_by_side(found, before, row, written)
        width = int(where.width[all_masks].max())
        for masks in chunks(model, all_masks, wide):
            mixed = ForwardTurns(model, masks, solution.values).mix(below, row, width, landings)
            top = 0
            for mask in masks:
                here = found.of_mask(mask)
                here[...] = mixed[top : top + len(here), : here.shape[1]]
                top += len(here)
            written()
            done += len(mixed)
            if progress is not None:
                progress(done / sheets)
        before = all_masks
    return found


def _side_by_side(
    table: Distributions, masks: Indices, row: Indices, read: Callable[[], None]
) -> npt.NDArray[np.float32]:
    """(sheets, points) the distributions of some masks, as wide as the widest.

    `row` is called with the place of each; `read` is called when a mask has been read.
    """
    layout = table.model.layout
    parts = [table.of_mask(int(mask)) for mask in masks]
    found = np.zeros((sum(map(len, parts)), max(part.shape[1] for part in parts)), dtype=np.float32)
    top = 0
    for mask, part in zip(masks.tolist(), parts, strict=True):
        found[top : top + len(part), : part.shape[1]] = part
        row[layout.offset[mask] : layout.offset[mask] + len(part)] = np.arange(top, top + len(part))
        top += len(part)
        read()
    return found
