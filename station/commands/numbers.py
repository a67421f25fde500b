"""Numbers on the command line."""

import math
from typing import Any

import click


class BoundedNumber(click.FloatRange):
    """A number within bounds. NaN, which lies within all of them for click, is refused.

    >>> BoundedNumber(0.1, 1000).convert("15", None, None)
    15.0
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number; fails as the range does."""
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number
