"""One turn, played forward: how often best play ends on which dice.

The counterpart of station.strategy.values.turn. Chances have the shape (multisets of one size, columns),
float64; each column, a score sheet, adds up to the chance that flows in.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from station.strategy.model.model import Model
from station.strategy.model.multisets import SIDES, Floats, Multisets
from station.strategy.values.turn import Late, stop_at

STAY = SIDES


class Ends(NamedTuple):
    """(rolls, columns) each: how often a turn ends on which dice: after its first throw, or later."""

    first: Floats
    late: Floats


def play(model: Model, late: Late, first: Floats | None, chances: Floats, rolls_left: int) -> Ends:
    """How often best play ends on which dice.

    `late` and `first` are the values of stopping, as for `throws_back`; `chances` (rolls, columns) say which
    dice lie there now, with that many throws to come.
    """
    ends = Ends(np.zeros_like(chances), np.zeros_like(chances))
    for left, stopped in stops(model, late, first, chances, rolls_left):
        at = ends.first if left == model.rules.throws - 1 else ends.late
        at += stopped
    return ends


def stops(
    model: Model, late: Late, first: Floats | None, chances: Floats, rolls_left: int
) -> Iterator[tuple[int, Floats]]:
    """The same by the throws that are then left, from `rolls_left` to 0; together all that flows in."""
    ahead = values_ahead(model, late, first, rolls_left)
    for left in range(rolls_left, 0, -1):
        is_first = left == model.rules.throws - 1
        levels = model.dice.expect(ahead[left - 1])
        levels[-1] = first if first is not None and is_first else stop_at(late, left)
        stopped, chances = throw_on(model.dice, levels, chances)
        yield left, stopped
    yield 0, chances


def values_ahead(model: Model, late: Late, first: Floats | None, rolls_left: int) -> list[Floats]:
    """The value of every roll with 0, 1, … fewer than `rolls_left` throws to come."""
    values = [first if first is not None and model.rules.throws == 1 else stop_at(late, 0)]
    for left in range(1, rolls_left):
        levels = model.dice.expect(values[-1])
        levels[-1] = stop_at(late, left).copy()
        values.append(model.dice.best(levels))
    return values


def throw_on(dice: Multisets, levels: list[Floats], chances: Floats) -> tuple[Floats, Floats]:
    """Hold what is best and throw the rest: the chances of the dice stopped on, and of the dice then thrown.

    `levels` are the values of all holds by size, that of stopping on top.
    """
    chosen = choices(dice, levels)
    held: list[Floats] = []
    flow = chances
    for size in range(dice.dice, -1, -1):
        held.append(np.where(chosen[size] == STAY, flow, 0.0))
        if size:
            plus = dice.plus[size - 1]
            below = np.zeros((plus.shape[1], flow.shape[1]))
            for face in range(SIDES):
                came = flow.take(plus[face], axis=0)
                came[chosen[size].take(plus[face], axis=0) != face] = 0.0
                below += came
            flow = below
    held.reverse()
    return held[-1], spread(dice, held[:-1])


def spread(dice: Multisets, held: list[Floats]) -> Floats:
    """The chances of whole rolls after all dice that are not held are thrown; `held` by size of hold."""
    flow = held[0]
    for size in range(1, dice.dice + 1):
        minus, faces = dice.minus[size], np.array(dice.held[size])
        above = np.zeros((minus.shape[1], flow.shape[1]))
        for die in range(size):
            came = flow.take(minus[die], axis=0)
            if die:  # the same face twice is one way to come here, not two
                came[faces[:, die] == faces[:, die - 1]] = 0.0
            above += came
        above *= 1.0 / SIDES
        if size < dice.dice:
            above += held[size]
        flow = above
    return flow


def choices(dice: Multisets, levels: list[Floats]) -> list[npt.NDArray[np.int8]]:
    """For every hold, by size: stay with it, or the face (0..5) of the die that leaves towards the best.

    Of equally good holds the larger one is kept.
    """
    below = levels[0]
    chosen = [np.full(below.shape, STAY, dtype=np.int8)]
    for size in range(1, dice.dice + 1):
        best = levels[size].copy()
        choice = np.full(best.shape, STAY, dtype=np.int8)
        faces = np.array(dice.held[size], dtype=np.int8) - 1
        for die in range(size):
            smaller = below.take(dice.minus[size][die], axis=0)
            better = smaller > best
            np.copyto(best, smaller, where=better)
            np.copyto(choice, faces[:, die : die + 1], where=better)
        chosen.append(choice)
        below = best
    return chosen
