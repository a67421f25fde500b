"""Throwing for who starts: each throws one die, the best starts, equal ones throw again.

In notation the start of the game has `by throw`, and each die is a line `starter 4`.
"""

WORDS = (
    "throw_off",
    "StarterThrown",
    "starter_thrown",
    "FOR_START",
    r"\bSTARTING\b",
    r'"starting"',
)
