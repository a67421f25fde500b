"""Scores as the board writes them."""

from babel.numbers import format_decimal

from web.core.i18n import language

DASH = " \N{EN DASH} "
"""Between those who meet."""


def halves(value: float) -> str:
    """A score without needless decimals: halves and quarters come up, nothing finer."""
    return str(format_decimal(value, "#,##0.##", locale=language()))
