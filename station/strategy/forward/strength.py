"""Players that err: how wrong a player of some strength judges, and what that gives away a game.

A decision is judged by its value in points and an error drawn for it (Gumbel's distribution, so that the
chance of each decision falls exponentially with what it gives away): small mistakes are frequent, blunders
rare.
"""

from collections.abc import Callable

import numpy as np

from station.strategy.forward.simulation import Err
from station.strategy.model.multisets import Floats

STRONGEST = 100
"""The strength that never errs."""

WIDEST = 4.0
"""Points: the scale of the errors at strength 0."""

Draw = Callable[[tuple[int, ...]], Floats]
"""Numbers evenly from 0 to below 1, in an array of the requested shape."""


def scale(strength: int) -> float:
    """The scale of the errors in points, for a strength of 0 to 100.

    >>> scale(100), scale(0), scale(50)
    (0.0, 4.0, 1.0)
    """
    return float(WIDEST * (1 - strength / STRONGEST) ** 2)


def erring(strength: int, draw: Draw) -> Err | None:
    """The errors of a player of that strength; None for one that never errs."""
    wide = scale(strength)
    if not wide:
        return None

    def err(shape: tuple[int, ...]) -> Floats:
        even = np.maximum(draw(shape), np.finfo(np.float64).tiny)
        found: Floats = -wide * np.log(-np.log(even))
        return found

    return err
