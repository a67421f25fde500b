"""Scores as the board writes them."""

from messages.catalogue import decimal
from web.core.i18n import language

DASH = " \N{EN DASH} "
"""Between those who meet."""


def halves(value: float) -> str:
    """A score without needless decimals: halves and quarters come up, nothing finer."""
    return decimal(value, "##", language())
