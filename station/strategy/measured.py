"""The error of values that are not exact: how far off they were in games played by them.

Of a game in parts too little is expected, or too much where a bonus spans them
(station.strategy.values.parts). By how much is the same for all decisions of a turn, so that the best one
stays the best, and depends on the turns played before.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from station.rules import RuleSet
from station.strategy.forward.trials import SURE, Offset
from station.strategy.model.position import Position, has_won
from station.strategy.odds.spreads import ERROR
from station.strategy.odds.win_chances import shares
from station.strategy.values.decisions import Values
from station.strategy.values.hints import Hint, hint
from station.strategy.values.solver import Solution

FAR = 5
"""Standard deviations beyond which nothing is expected."""


@dataclass(frozen=True, slots=True)
class AboutHint(Hint):
    """A hint whose values are not exact.

    error: the half of the 95 % interval in which they are on average over such positions; None where no games
    were played to find it.
    """

    exact: bool = False
    error: float | None = None


def offset_at(rules: RuleSet, where: Position, offsets: Sequence[Offset]) -> Offset | None:
    """How far off the values of such a position were; None where that was not measured."""
    turns = rules.turns(len(rules.boxes) - len(where.open))
    return offsets[turns] if turns < len(offsets) else None


def about(found: Hint, offset: Offset | None) -> AboutHint:
    """The hint with values set right by what games brought, where that is known."""
    by = offset.mean if offset else 0.0
    return AboutHint(
        tuple(replace(each, value=each.value + by) for each in found.holds),
        tuple(replace(each, value=each.value + by) for each in found.boxes),
        error=offset.error if offset else None,
    )


def hint_of(
    values: Values, where: Position, dice: Sequence[int], left: int, offsets: Callable[[], Sequence[Offset]]
) -> Hint:
    """The hint; where it is not exact, corrected by what was measured in games, which is looked up only then.

    It has nothing to say where these dice have won the game. Raises as `hint`.
    """
    rules = values.model.rules
    found = hint(values, where, dice, left)
    if has_won(rules, dice, left, where.saved):
        return Hint((), ())
    return found if isinstance(values, Solution) else about(found, offset_at(rules, where, offsets()))


def chances_about(
    means: Sequence[float], offsets: Sequence[Offset]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Each player's chance to win, and its standard error, from means of final scores and how these spread.

    Final scores are taken for normal distributions.

    >>> [round(chance, 6) for chance in chances_about([100.0, 100.0], [Offset(spread=10.0)] * 2)[0]]
    [0.5, 0.5]
    """
    plain = _chances(means, offsets)
    errors = []
    for seat, offset in enumerate(offsets):
        moved = [mean + offset.error / SURE * (seat == other) for other, mean in enumerate(means)]
        errors.append(float(np.hypot(ERROR, _chances(moved, offsets)[seat] - plain[seat])))
    return plain, tuple(errors)


def _chances(means: Sequence[float], offsets: Sequence[Offset]) -> tuple[float, ...]:
    low = min(mean - FAR * each.spread for mean, each in zip(means, offsets, strict=True))
    high = max(mean + FAR * each.spread for mean, each in zip(means, offsets, strict=True))
    points = np.arange(np.floor(low), np.ceil(high) + 1)
    finals = []
    for mean, each in zip(means, offsets, strict=True):
        if each.spread < 0.3:  # noqa: PLR2004 - a score that is known
            weights = (points == np.rint(mean)).astype(np.float64)
        else:
            weights = np.exp(-(((points - mean) / each.spread) ** 2) / 2)
        finals.append(weights / weights.sum())
    return shares(finals)
