"""What computer players of each strength give away a game, measured over simulated games.

The same dice are thrown for the player that never errs; what it scores more is what the other gives away.
`python -m lab.bench strengths` prints a line for each rule set that comes with its values.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt

from station.advice.advisor import Advisor
from station.rules import built_in, built_in_ids
from station.strategy.forward.simulation import Err, Faces, SimulatedGames
from station.strategy.forward.strength import STRONGEST, erring
from station.strategy.forward.trials import Trials
from station.strategy.odds.distributions import distributions
from station.strategy.odds.win_trials import WinTrials, play_together
from station.strategy.values.solver import Solution

GAMES = 10_000
STRENGTHS = (0, 25, 50, 75)
SLOW = ("double-cameroon",)
"""Ten dice take a hundred times as long."""
AGAINST = "yacht-1938"
"""What the player for the win is measured by: a game whose chances are known exactly."""


def given_away(
    rules_id: str, strengths: Sequence[int] = STRENGTHS, games: int = GAMES, seed: int = 1
) -> list[tuple[float, float]]:
    """Points that each strength gives away a game, and the standard error of that."""
    solution = cast("Solution", Advisor(None).solution_now(built_in(rules_id)))
    rules = solution.model.rules

    def played(strength: int) -> npt.NDArray[np.intp]:
        dice, errors = np.random.default_rng(seed), np.random.default_rng(seed + 1)
        shape = (games, rules.throws, rules.dice)
        return final_scores(
            solution, lambda: dice.integers(1, 7, shape, dtype=np.int8), erring(strength, errors.random)
        )

    best = played(STRONGEST)
    lost = [best - played(strength) for strength in strengths]
    return [(float(each.mean()), float(each.std() / games**0.5)) for each in lost]


def final_scores(solution: Solution, faces: Callable[[], Faces], err: Err | None) -> npt.NDArray[np.intp]:
    """(games,) the final scores of games from the empty sheet.

    faces: gives (games, throws, dice) 1..6 for each turn; of a big general only the small one is counted.
    """
    model = solution.model
    layout, rules = model.layout, model.rules
    throws = faces()
    sheets = np.full(len(throws), layout.offset[layout.full], dtype=np.intp)
    table = SimulatedGames(solution, sheets, np.zeros(len(throws), dtype=np.intp))
    for number in range(len(rules.boxes) // rules.boxes_per_turn):
        table.turn(throws if number == 0 else faces(), err=err)
    return table.totals


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
        cells = " | ".join(f"{points:.1f} ± {error:.1f}" for points, error in found)
        print(f"| {rules_id} | {cells} | {time.monotonic() - began_s:.0f} |", flush=True)
    rival = to_win(AGAINST, GAMES)
    print(f"\nTo win, against one that never errs, in {AGAINST} ({rival.games:,} games of two):")
    print(
        f"wins {rival.wins:.1%} ± {rival.wins_error:.1%}, "
        f"gives away {rival.given_away:.1f} ± {rival.error:.1f}"
    )


@dataclass(frozen=True, slots=True)
class Rival:
    """What a player for the win does against one for points, each with dice of their own.

    wins: its share, shared wins as halves. given_away: points a game, to the same dice played for points.
    wins_error, error: the standard errors of both.
    """

    games: int
    wins: float
    wins_error: float
    given_away: float
    error: float


def to_win(rules_id: str, games: int, seed: int = 1) -> Rival:
    """Games of two, one to win, one for points; in the second half of them the other starts."""
    solution = cast("Solution", Advisor(None).solution_now(built_in(rules_id)))
    finals = distributions(solution)
    won, lost = [], []
    for half in (0, 2):
        mine, other = (
            WinTrials(solution, finals, games // 2, seed + half),
            Trials(solution, games // 2, seed + half + 1),
        )
        play_together([mine, other] if half else [other, mine], [None, None])
        same = Trials(solution, games // 2, seed + half).play()
        won.append((mine.totals() > other.totals()) + (mine.totals() == other.totals()) / 2)
        lost.append(same - mine.totals())
    wins, away = np.concatenate(won), np.concatenate(lost)
    error = games**0.5
    return Rival(
        games, float(wins.mean()), float(wins.std()) / error, float(away.mean()), float(away.std()) / error
    )
