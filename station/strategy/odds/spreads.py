"""How the points still to come are spread under best play, for every score sheet: about, in little memory.

Mean and variance of every sheet, taken for a normal distribution, where the distributions themselves would be
too large a table. One backward pass, as for these: Var(points) of a sheet is the mean of the squared
distance of (points of the turn + mean of the sheet that follows) from its own mean, plus Var of the sheet
that follows.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from station.strategy.forward.turns import ForwardTurns, Key, Landings
from station.strategy.model.model import Model
from station.strategy.model.multisets import Floats
from station.strategy.odds.distributions import COLUMNS, Spans, spans
from station.strategy.values.solver import Solution, chunks

ERROR = 0.02
"""The standard error of a chance to win that is worked out from these, with six boxes open or more: 0.1 to
3 % in 60 random positions each of yacht-1938 and world-51 (docs/advice.md)."""
FAR = 6.0
"""Standard deviations beyond which nothing is expected."""
NARROWEST = 0.3
"""Standard deviation, in points, below which one number of points takes all anyway."""


@dataclass(frozen=True, slots=True, eq=False)
class Spreads:
    """The spreads of all sheets: `variances` (layout.size,) in points squared."""

    solution: Solution
    spans: Spans
    variances: Floats

    @property
    def model(self) -> Model:
        """The game."""
        return self.solution.model

    def width(self, mask: int) -> int:
        """One more than the most points still to come with these boxes open."""
        return int(self.spans.width[mask])

    def of(self, mask: int, column: int) -> Floats:
        """(points,) about the distribution of one sheet, adding up to 1."""
        sheet = int(self.solution.model.layout.offset[mask]) + column
        mean = float(self.solution.values[sheet])
        deviation = max(float(self.variances[sheet]) ** 0.5, NARROWEST)
        most = min(self.width(mask), int(mean + FAR * deviation) + 2)
        found: Floats = np.exp(-0.5 * ((np.arange(most) - mean) / deviation) ** 2)
        found /= found.sum()
        return found


def spreads(solution: Solution, progress: Callable[[float], None] | None = None) -> Floats:
    """(layout.size,) the variance of the points still to come, for every sheet.

    `progress` is called with the share done, 0..1; an exception it raises ends the work.
    """
    model, layout = solution.model, solution.model.layout
    found = np.zeros(layout.size)
    done = 0
    wide = max(COLUMNS * 252 // len(model.dice.rolls), 1)
    landings: dict[Key, Landings] = {}
    for count in range(model.rules.boxes_per_turn, len(layout.boxes) + 1, model.rules.boxes_per_turn):
        for masks in chunks(model, model.masks(count), wide):
            places = [
                slice(layout.offset[mask], layout.offset[mask] + layout.columns(mask)) for mask in masks
            ]
            means = np.concatenate([solution.values[place] for place in places])
            variances = ForwardTurns(model, masks, solution.values).variances(
                solution.values, found, means, landings
            )
            top = 0
            for place in places:
                width = place.stop - place.start
                found[place] = variances[top : top + width]
                top += width
            done += top
            if progress is not None:
                progress(done / layout.size)
    return found


def spreads_table(solution: Solution, variances: Floats) -> Spreads:
    """The spreads of a game whose variances are known."""
    return Spreads(solution, spans(solution.model), variances)
