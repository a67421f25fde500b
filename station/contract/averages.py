"""A player's averages over all games, as published."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Average:
    """The average of one player, by the rule set they have played most.

    average, best: of games played to their end, without handicaps; None where there is none.
    """

    name: str
    rules: str
    games: int
    wins: int
    average: float | None
    best: int | None
