"""Points that computer players of some strengths give away in a game.

Measured over 10,000 simulated games each, with the same dice for the player that never errs:
`python -m lab.bench strengths` prints the table. To win: in games of two against the one that never errs.
"""

from collections.abc import Mapping
from types import MappingProxyType

GIVEN_AWAY: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "yacht-1938": MappingProxyType({"0": 77.6, "25": 52.1, "50": 23.5, "75": 1.6, "to-win": 2.6}),
        "yahtzee": MappingProxyType({"0": 95.5, "25": 56.1, "50": 20.1, "75": 1.5}),
        "general": MappingProxyType({"0": 66.7, "25": 40.2, "50": 17.3, "75": 1.9}),
        "world-51": MappingProxyType({"0": 85.0, "25": 52.5, "50": 20.6, "75": 1.8}),
        "game-rules-guru": MappingProxyType({"0": 95.6, "25": 56.2, "50": 19.6, "75": 1.8}),
        "yatzy": MappingProxyType({"0": 109.1, "25": 66.2, "50": 26.2, "75": 2.1}),
        "treasurehouse": MappingProxyType({"0": 77.6, "25": 52.1, "50": 23.5, "75": 1.6, "to-win": 2.6}),
    }
)
"""Rule set -> strength -> points; treasurehouse scores as yacht-1938 does."""

NOT_MEASURED: Mapping[str, float] = MappingProxyType({})


def given_away(rules_id: str) -> Mapping[str, float]:
    """Points given away by strength; empty for rules that were not measured.

    >>> given_away("yacht-1938")["75"]
    1.6
    """
    return GIVEN_AWAY.get(rules_id, NOT_MEASURED)
