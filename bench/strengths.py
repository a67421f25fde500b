"""What computer players of each strength give away a game, measured over simulated games.

The same dice are thrown for the player that never errs; what it scores more is what the other gives away.
`python -m bench strengths` prints a line for each rule set that comes with its values.
"""

import time
from collections.abc import Sequence

import numpy as np

from station.advice.advisor import Advisor
from station.rules import built_in, built_in_ids
from station.strategy.strength import STRONGEST, erring, final_scores

GAMES = 10_000
STRENGTHS = (0, 25, 50, 75)
SLOW = ("double-cameroon",)
"""Ten dice take a hundred times as long."""


def given_away(
    rules_id: str, strengths: Sequence[int] = STRENGTHS, games: int = GAMES, seed: int = 1
) -> list[tuple[float, float]]:
    """Points that each strength gives away a game, and the standard error of that."""
    solution = Advisor(None).solution_now(built_in(rules_id))
    rules = solution.model.rules

    def played(strength: int) -> np.ndarray:
        dice, errors = np.random.default_rng(seed), np.random.default_rng(seed + 1)
        shape = (games, rules.throws, rules.dice)
        return final_scores(
            solution, lambda: dice.integers(1, 7, shape, dtype=np.int8), erring(strength, errors.random)
        )

    best = played(STRONGEST)
    lost = [best - played(strength) for strength in strengths]
    return [(float(each.mean()), float(each.std() / games**0.5)) for each in lost]


def run() -> None:
    """Print the table."""
    print(f"Points given away a game ({GAMES:,} games each, the same dice)\n")
    print("| rule set | " + " | ".join(f"strength {each}" for each in STRENGTHS) + " | s |")
    print("|---|" + "---|" * (len(STRENGTHS) + 1))
    for rules_id in built_in_ids():
        if rules_id in SLOW:
            continue
        began_s = time.monotonic()
        found = given_away(rules_id)
        told = " | ".join(f"{points:.1f} ± {error:.1f}" for points, error in found)
        print(f"| {rules_id} | {told} | {time.monotonic() - began_s:.0f} |", flush=True)
