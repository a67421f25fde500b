"""How fast advice is, on one thread, beside the textbook way measured in the same run.

The textbook way works on one score sheet at a time, with one table of all 462 holds by all 252 rolls, and
takes the best over all holds of each roll. Both give the same values; ours goes die by die, over many sheets.
Seconds are those of the processor: on a machine that does nothing else, those of the clock.
"""

import json
import os
import resource
import subprocess
import sys
import time
from itertools import combinations
from typing import cast

import numpy as np
from numpy.typing import NDArray

from station.advice.advisor import Advisor
from station.rules import built_in, built_in_ids
from station.strategy.model.model import Model
from station.strategy.model.multisets import multisets
from station.strategy.model.position import Position, SheetIndex, place, position
from station.strategy.odds.distributions import distributions
from station.strategy.odds.win_chances import CurrentRoll, PlayerStanding
from station.strategy.odds.winning import win_hint
from station.strategy.values.decisions import decision
from station.strategy.values.hints import hint, name_of
from station.strategy.values.solver import Solution, solve

SOLVED = (("yacht-1938", 1.0), ("world-51", 4.0), ("yahtzee", 8.0))
"""Rule sets solved from nothing, and the seconds that may take."""
HINTS = ("yacht-1938", "world-51", "yahtzee", "double-cameroon")
HINT_MS, LOAD_S, SOLVE_MB, ODDS_MB = 2.0, 0.3, 400, 300
SAMPLE = 400
THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def run() -> None:
    """Print the tables. Each figure that stands for memory is of a process of its own."""
    print("| solved from nothing | sheets | seconds | may take | MB | textbook seconds | times faster |")
    print("|---|---|---|---|---|---|---|")
    for rules_id, most_s in SOLVED:
        found = _in_own_process("solve", rules_id)
        textbook_s = found["textbook_s"]
        print(
            f"| {rules_id} | {found['sheets']:,} | {found['seconds']:.2f} | {most_s:.0f} | {found['mb']:.0f} "
            f"(of {SOLVE_MB}) | {textbook_s:.1f} | {textbook_s / found['seconds']:.1f} |"
        )
    print("\n| a hint, ms | median | slowest of 100 | may take | textbook median | times faster |")
    print("|---|---|---|---|---|---|")
    for rules_id in HINTS:
        found = _in_own_process("hint", rules_id)
        textbook = f"{found['textbook_ms']:.2f} | {found['textbook_ms'] / found['ms']:.1f}"
        if not found["textbook_ms"]:
            textbook = "- | -"
        print(f"| {rules_id} | {found['ms']:.2f} | {found['slowest_ms']:.2f} | {HINT_MS:.0f} | {textbook} |")
    print("\n| a game made ready from its file | seconds | may take |")
    print("|---|---|---|")
    for rules_id in built_in_ids():
        print(f"| {rules_id} | {_in_own_process('load', rules_id)['seconds']:.3f} | {LOAD_S} |")
    print("\n| odds of winning | seconds to build | MB | a hint to win, ms |")
    print("|---|---|---|---|")
    for rules_id in ("yacht-1938", "world-51"):
        found = _in_own_process("odds", rules_id)
        memory = f"{found['mb']:.0f} (of {ODDS_MB})"
        print(f"| {rules_id} | {found['seconds']:.1f} | {memory} | {found['hint_ms']:.1f} |")


def _in_own_process(what: str, rules_id: str) -> dict[str, float]:
    """One measurement in a fresh process on one thread."""
    call = [sys.executable, "-m", "bench.advice", what, rules_id]
    done = subprocess.run(call, env={**os.environ, **THREADS}, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _mb() -> float:
    """The most memory this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure_solve(rules_id: str) -> dict[str, float]:
    """Solving from nothing; then the textbook way on a sample of sheets, scaled to all."""
    began = time.process_time()
    solution = solve(built_in(rules_id))
    seconds, mb = time.process_time() - began, _mb()
    layout = solution.model.layout
    textbook = Textbook(solution.model)
    picked = np.random.default_rng(1).choice(np.arange(layout.columns(0), layout.size), SAMPLE, replace=False)
    began = time.process_time()
    for sheet in picked.tolist():
        mask = layout.mask_of(sheet)
        value = textbook.sheet(solution, SheetIndex(mask, sheet - int(layout.offset[mask])))
        assert abs(value - solution.values[sheet]) < 1e-6
    each_s = (time.process_time() - began) / SAMPLE
    return {"sheets": layout.size, "seconds": seconds, "mb": mb, "textbook_s": each_s * layout.size}


def measure_hint(rules_id: str) -> dict[str, float]:
    """All holds and boxes after the first throw, from a hundred rolls."""
    solution = cast("Solution", Advisor().solution_now(built_in(rules_id)))
    model, where = solution.model, position(solution.model.rules)
    rng = np.random.default_rng(1)
    ours, theirs = [], []
    textbook = Textbook(model) if model.rules.dice == 5 else None
    for _ in range(100):
        dice = tuple(sorted(rng.integers(1, 7, model.rules.dice).tolist()))
        began = time.process_time()
        found = hint(solution, where, dice, 2)
        ours.append(time.process_time() - began)
        if textbook is not None:
            began = time.process_time()
            holds, _ = textbook.hint(solution, where, dice, 2)
            theirs.append(time.process_time() - began)
            assert abs(holds[0][0] - found.value) < 1e-6
    return {
        "ms": 1e3 * float(np.median(ours)),
        "slowest_ms": 1e3 * max(ours),
        "textbook_ms": 1e3 * float(np.median(theirs)) if theirs else 0.0,
    }


def measure_load(rules_id: str) -> dict[str, float]:
    """The time from a rule set to usable values, for the first time in a process."""
    began = time.process_time()
    Advisor().solution_now(built_in(rules_id))
    return {"seconds": time.process_time() - began}


def measure_odds(rules_id: str) -> dict[str, float]:
    """The distributions of all sheets, and then hints to win."""
    solution = cast("Solution", Advisor().solution_now(built_in(rules_id)))
    began = time.process_time()
    table = distributions(solution)
    seconds, mb = time.process_time() - began, _mb()
    standings = [PlayerStanding(position(solution.model.rules), 0)] * 2
    times = []
    for roll in solution.model.dice.rolls[::10]:
        began = time.process_time()
        win_hint(solution, table, standings, 0, CurrentRoll(roll, 2))
        times.append(time.process_time() - began)
    return {"seconds": seconds, "mb": mb, "hint_ms": 1e3 * float(np.median(times))}


class Textbook:
    """One sheet at a time, all holds by all rolls."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.holds = [hold for held in model.dice.held for hold in held]
        number = {hold: index for index, hold in enumerate(self.holds)}
        self.chance = np.zeros((len(self.holds), len(model.dice.rolls)))
        for index, hold in enumerate(self.holds):
            missing = multisets(5 - len(hold))
            for more, chance in zip(missing.rolls, missing.chance, strict=True):
                self.chance[index, model.place(tuple(sorted(hold + more)))] = chance
        self.numbers = np.array(
            [
                [
                    number[tuple(sorted(roll[die] for die in kept))]
                    for size in range(6)
                    for kept in combinations(range(5), size)
                ]
                for roll in model.dice.rolls
            ]
        )

    def stop(self, solution: Solution, where: SheetIndex) -> NDArray[np.float64]:
        """(rolls,) the value of stopping."""
        return np.asarray(decision(self.model, where.mask, where.column, solution.values).late.max(axis=0))

    def sheet(self, solution: Solution, where: SheetIndex) -> float:
        """The value of a sheet."""
        value = self.stop(solution, where)
        for _ in range(2):
            value = (self.chance @ value)[self.numbers].max(axis=1)
        return float(self.model.first_chance @ value)

    def hint(
        self, solution: Solution, where: Position, dice: tuple[int, ...], rolls_left: int
    ) -> tuple[list[tuple[float, tuple[int, ...]]], list[tuple[float, str]]]:
        """All holds and all boxes with their values, best first."""
        mask, column = place(self.model, where)
        end = decision(self.model, mask, column, solution.values)
        value = end.late.max(axis=0)
        expected = value
        for _ in range(rolls_left):
            expected = self.chance @ value
            value = expected[self.numbers].max(axis=1)
        roll = self.model.place(dice)
        holds = {self.holds[number]: float(expected[number]) for number in self.numbers[roll]}
        boxes = [
            (float(worth), name_of(self.model, action))
            for worth, action in zip(end.late[:, roll], end.actions, strict=True)
        ]
        best_first = sorted(((worth, hold) for hold, worth in holds.items()), reverse=True)
        return best_first, sorted(boxes, reverse=True)


if __name__ == "__main__":
    measures = {"solve": measure_solve, "hint": measure_hint, "load": measure_load, "odds": measure_odds}
    print(json.dumps(measures[sys.argv[1]](sys.argv[2])))
