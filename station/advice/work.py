"""Pieces of work that take a while, as they are called in a process of their own (`station.advice.apart`).

A game is handed over as its rules and its values: what a model is made of follows from them. Each takes what
hears the share done, 0..1, first.
"""

import mmap
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from station.advice.apart import OnProgress
from station.advice.sealed_file import seal
from station.advice.table_cache import TableCache
from station.rules import RuleSet
from station.strategy.forward.simulation import Faces
from station.strategy.forward.trials import Trials
from station.strategy.model.model import Model
from station.strategy.model.multisets import Floats, Indices
from station.strategy.model.position import SheetIndex
from station.strategy.odds.distributions import distributions
from station.strategy.odds.endgame import Endgame
from station.strategy.odds.shared import Estimate, Lying, SharedGames, Tried
from station.strategy.odds.spreads import spreads
from station.strategy.odds.win_chances import PlayerStanding
from station.strategy.values.parts import GamePart, InParts
from station.strategy.values.solver import Solution, solve

KEEP_S = 15.0
"""Seconds between two saves of values that are being computed."""
MEASURED_GAMES = 500
"""Games that are played to find how far off values are."""
MEASURED_SEED = 1938


def work_out_values(
    progress: OnProgress, part: GamePart, cache: TableCache, keep_s: float = KEEP_S
) -> Floats:
    """The values of all sheets. They are kept every so many seconds, and a later call goes on from there."""
    model = part.model()
    kept_s = time.monotonic()

    def keep(values: Floats) -> None:
        nonlocal kept_s
        if time.monotonic() - kept_s >= keep_s:
            cache.keep_so_far(model, values)
            kept_s = time.monotonic()

    return solve(model, progress, cache.so_far(model), keep).values


def measure(
    progress: OnProgress, rules: RuleSet, parts: Sequence[GamePart], values: Sequence[Floats]
) -> Floats:
    """(turns, 3) the offsets of values that are not exact, from games that are played by them."""
    solutions = [Solution(part.model(), np.asarray(each)) for part, each in zip(parts, values, strict=True)]
    whole = len(parts) == 1 and not parts[0].weights
    trials = Trials(solutions[0] if whole else InParts(rules, solutions), MEASURED_GAMES, MEASURED_SEED)
    trials.play(progress=progress)
    return np.array(trials.offsets())


def work_out_variances(progress: OnProgress, rules: RuleSet, values: Floats) -> Floats:
    """The variances of all sheets."""
    return spreads(Solution(Model(rules), np.asarray(values)), progress)


def work_out_chances(
    progress: OnProgress, rules: RuleSet, values: Floats, within: Sequence[int], place: Path
) -> None:
    """The distributions of all sheets, or those `within`, into a file: whole, or it is as it was before."""
    part = place.with_name(f"{place.name}.{os.getpid()}.part")
    mapped: list[mmap.mmap] = []

    def room(size: int) -> npt.NDArray[np.float32]:
        place.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb+") as file:
            os.posix_fallocate(file.fileno(), 0, size * 4)  # else a full disk would end the process
            mapped.append(mmap.mmap(file.fileno(), size * 4))
        return np.frombuffer(mapped[0], dtype=np.dtype("<f4"))

    def written() -> None:
        mapped[0].madvise(mmap.MADV_DONTNEED)  # out of memory; the system writes it to the disk

    try:
        distributions(Solution(Model(rules), np.asarray(values)), progress, within, room, written)
        mapped[0].flush()
        seal(part, place.name)
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)


def work_out_end(
    progress: OnProgress, rules: RuleSet, mover: SheetIndex, other: SheetIndex
) -> dict[tuple[SheetIndex, SheetIndex], Floats]:
    """The end of a game of two."""
    progress(0.0)
    game = Endgame(Model(rules))
    game.prepare(mover, other)
    return game.chances


@dataclass(frozen=True, slots=True)
class SharedPosition:
    """The position from which games on shared throws are played. active: whose decisions are tried."""

    rules: RuleSet
    standings: tuple[PlayerStanding, ...]
    lying: Lying | None
    active: int


def play_shared(
    progress: OnProgress, played: SharedPosition, values: Floats, faces: Faces, finals: Indices | None
) -> tuple[Indices, Estimate, tuple[Tried, ...]]:
    """Games on shared throws: final scores (players, games), chances of all, decisions of the active player.

    `finals` are the final scores where these games have been played before.
    """
    solution = Solution(Model(played.rules), np.asarray(values))
    games = SharedGames(solution, played.standings, faces, played.lying, progress, finals)
    return games.finals, games.estimate(), games.tried(played.active)
