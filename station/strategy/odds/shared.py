"""The odds of winning where all players use the same throws (document 002).

Final scores then depend on each other, so chances are estimated from games on common throws, all players
playing for points, each with the standard error of the estimate. A decision is tried in the same games.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from station.rules.dice import Dice
from station.strategy.forward.simulation import Faces, SimulatedGames
from station.strategy.model.multisets import Floats, Indices
from station.strategy.model.position import SheetIndex, place
from station.strategy.odds.win_chances import PlayerStanding, landing
from station.strategy.values.decisions import decision
from station.strategy.values.hints import Hint, hint, name_of
from station.strategy.values.solver import Solution

TRIED = 3
"""Decisions that are tried, the best for points first."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Each player's share of wins in simulated games, and its standard error."""

    shares: tuple[float, ...]
    errors: tuple[float, ...]
    games: int


@dataclass(frozen=True, slots=True)
class Tried:
    """A decision, dice to hold or a box, with the share of wins it had, and the standard error of that."""

    what: Dice | str
    chance: float
    error: float


@dataclass(frozen=True, slots=True)
class Lying:
    """The dice of every player, die by die, and how many throws are to come this turn.

    Who is not in this turn has no dice, and plays from the next one on.
    """

    hands: tuple[Dice, ...]
    rolls_left: int


class SharedGames:
    """Games on common throws from one position on.

    `faces` (games, turns, throws, dice) 1..6 are the throws, for all players alike; there are as many turns
    as are played until the last sheet is full. With `lying` the first of the turns is the one being played,
    and its first throw does not matter. `progress` hears the share done.
    `finals` (players, games) are the final scores where these games have been played before.
    """

    def __init__(
        self,
        solution: Solution,
        standings: Sequence[PlayerStanding],
        faces: Faces,
        lying: Lying | None = None,
        progress: Callable[[float], None] | None = None,
        finals: Indices | None = None,
    ) -> None:
        self._solution, self._standings, self._faces, self._lying = solution, tuple(standings), faces, lying
        if finals is None:
            totals: list[Indices] = []
            for seat in range(len(standings)):
                totals.append(self._totals(seat))
                if progress is not None:
                    progress((seat + 1) / len(standings))
            finals = np.array(totals)
        self.finals = finals

    def estimate(self) -> Estimate:
        """Each player's chance to win."""
        shares = _shares(self.finals)
        return Estimate(tuple(shares.mean(axis=1).tolist()), tuple(map(_error, shares)), len(self._faces))

    def tried(self, seat: int) -> tuple[Tried, ...]:
        """The decisions of a player that are best for points, by their share of wins, best first."""
        if self._lying is None or self._first(seat) or not self._standings[seat].where.open:
            return ()
        found: Hint = hint(
            self._solution, self._standings[seat].where, self._lying.hands[seat], self._lying.rolls_left
        )
        whats: list[Dice | str] = [each.hold for each in found.holds[:TRIED]]
        if not whats:
            whats = [each.category for each in found.boxes[:TRIED]]
        results = []
        for what in whats:
            finals = self.finals.copy()
            finals[seat] = self._totals(seat, what) if isinstance(what, tuple) else self._after(seat, what)
            shares = _shares(finals)[seat]
            results.append(Tried(what, float(shares.mean()), _error(shares)))
        return tuple(sorted(results, key=lambda each: -each.chance))

    def _first(self, seat: int) -> int:
        """The first turn that a player plays: 1, who is not in the one being played."""
        return int(self._lying is not None and not self._lying.hands[seat])

    def _totals(self, seat: int, hold: Dice | None = None) -> Indices:
        """(games,) the final scores of a player; `hold` is what is held first, whatever is best."""
        standing = self._standings[seat]
        table = self._table(standing)
        first = self._first(seat)
        for turn in range(first, first + len(standing.where.open)):
            throws = self._faces[:, turn]
            if turn == 0 and self._lying is not None:
                throws = throws.copy()
                throws[:, 0] = self._lying.hands[seat]
                table.turn(throws, self._lying.rolls_left, hold)
            else:
                table.turn(throws)
        return table.totals

    def _after(self, seat: int, category: str) -> Indices:
        """(games,) the final scores of a player who fills that box now."""
        assert self._lying is not None  # noqa: S101 - only called with dice on the table
        model, standing = self._solution.model, self._standings[seat]
        where = place(model, standing.where)
        roll = model.place(tuple(sorted(self._lying.hands[seat])))
        actions = decision(model, where.mask, where.column, self._solution.values).actions
        action = next(each for each in actions if name_of(model, each) == category)
        mask, column, points = landing(model, where, action, roll, first=False)
        table = self._table(standing)
        table.sheets[:] = model.layout.offset[mask] + column
        table.totals += points
        for turn in range(1, len(standing.where.open)):
            table.turn(self._faces[:, turn])
        return table.totals

    def _table(self, standing: PlayerStanding) -> SimulatedGames:
        """All games of one player, where they begin."""
        layout, games = self._solution.model.layout, len(self._faces)
        where = place(self._solution.model, standing.where) if standing.where.open else SheetIndex(0, 0)
        sheet = int(layout.offset[where.mask]) + where.column
        return SimulatedGames(self._solution, np.full(games, sheet), np.full(games, standing.total))


def _shares(finals: Indices) -> Floats:
    """(players, games) the share of each win, ties shared."""
    best = finals == finals.max(axis=0)
    shares: Floats = best / best.sum(axis=0)
    return shares


def _error(shares: Floats) -> float:
    """The standard error of a mean."""
    return float(shares.std(ddof=1) / np.sqrt(len(shares)))
