"""What computer players of each strength give away a game, measured over simulated games.

The same dice are thrown for the player that never errs; what it scores more is what the other gives away.
`python -m bench strengths` prints a line for each rule set that comes with its values.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from station.advice.advisor import Advisor
from station.rules import Sheet, built_in, built_in_ids, fill, sheet_totals
from station.strategy.decisions import decision
from station.strategy.distributions import Finals, distributions
from station.strategy.position import of_sheet, place
from station.strategy.simulation import Faces
from station.strategy.solver import Solution
from station.strategy.strength import STRONGEST, erring, final_scores
from station.strategy.win_chances import Standing, Throw, final_of, share_of
from station.strategy.winning import by_chance, turn_ends

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
    rival = max(to_win(AGAINST, GAMES), key=lambda known: known.games)
    print(f"\nTo win, against one that never errs, in {AGAINST} ({rival.games:,} games of two):")
    print(f"wins {rival.wins:.1%}, gives away {rival.given_away:.1f} ± {rival.error:.1f}")


@dataclass(frozen=True, slots=True)
class Rival:
    """What a player for the win does against one for points, each with dice of their own.

    wins: its share, shared wins as halves. given_away: points a game, to the same dice played for points.
    """

    games: int
    wins: float
    given_away: float
    error: float


def to_win(rules_id: str, games: int, seed: int = 1) -> Iterator[Rival]:
    """Games of two, one to win, one for points; who starts alternates. Tells every 100 games."""
    solution = Advisor(None).solution_now(built_in(rules_id))
    table = distributions(solution)
    draw = np.random.default_rng(seed)
    won, lost = [], []
    shape = (2, len(solution.model.rules.boxes), solution.model.rules.throws, solution.model.rules.dice)
    for game in range(1, games + 1):
        faces = draw.integers(1, 7, shape)
        mine, others = _game_of_two(solution, table, faces, first=game % 2)
        won.append((mine > others) + (mine == others) / 2)
        lost.append(_alone(solution, faces[0]) - mine)
        if game % 100 == 0:
            yield Rival(game, fmean(won), fmean(lost), float(np.std(lost)) / game**0.5)


def _game_of_two(solution: Solution, table: Finals, faces: Faces, *, first: int) -> tuple[int, int]:
    """The scores of the one who plays to win and of the other. faces: (2, turns, throws, dice)."""
    sheets = [Sheet(), Sheet()]
    for turn in range(2 * faces.shape[1]):
        seat = (turn + first) % 2
        sheets[seat] = _turn(solution, table if seat == 0 else None, sheets, seat, faces[seat, turn // 2])
    mine, others = (sheet_totals(solution.model.rules, sheet).total for sheet in sheets)
    return mine, others


def _alone(solution: Solution, faces: Faces) -> int:
    """The score of play for points with these dice."""
    sheets = [Sheet()]
    for throws in faces:
        sheets[0] = _turn(solution, None, sheets, 0, throws)
    return sheet_totals(solution.model.rules, sheets[0]).total


def _turn(
    solution: Solution, table: Finals | None, sheets: Sequence[Sheet], seat: int, faces: Faces
) -> Sheet:
    """The sheet after a turn, for points where there is no table. faces: (throws, dice)."""
    model, rules = solution.model, solution.model.rules
    standings = [Standing(of_sheet(rules, sheet), sheet_totals(rules, sheet).total) for sheet in sheets]
    me = standings[seat]
    where = place(model, me.where)
    if table is None:
        end = decision(model, where.mask, where.column, solution.values)
    else:
        share = share_of([final_of(table, each) for each in standings], seat)
        end = turn_ends(model, table, where, share, me.total)
    lying: tuple[int, ...] = ()
    for throw, thrown in enumerate(faces, start=1):
        lying = tuple(sorted((*lying, *map(int, thrown[: rules.dice - len(lying)]))))
        left = rules.throws - throw
        found = by_chance(solution, me, Throw(lying, left), end)
        if not left or len(found.holds[0].hold) == rules.dice:
            return fill(rules, sheets[seat], found.boxes[0].category, lying, throw)
        lying = found.holds[0].hold
    raise AssertionError(lying)
