"""Many games played at once by best play for points, with dice that are given.

Where players share their throws (seed 002) final scores depend on each other, and the chance to win is
estimated from such games. Every die has a place, as there dice are told apart by colour: a held die keeps
its face, the others take that of their place in the next throw.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from station.strategy.flow import STAY, choices, values_ahead
from station.strategy.model import Model
from station.strategy.multisets import SIDES, Floats, Indices
from station.strategy.odds import Standing
from station.strategy.position import place
from station.strategy.solver import Solution
from station.strategy.turns import Turns

Faces = npt.NDArray[np.int8]

_TOGETHER = 256
"""Games worked on at a time, for the processor's cache."""


class Table:
    """Games of one rule set, played side by side: `sheets` (games,) and `totals` (games,) so far.

    All have the same number of open boxes.
    """

    def __init__(self, solution: Solution, sheets: Indices, totals: Indices) -> None:
        self._solution = solution
        self._model = solution.model
        self.sheets, self.totals = sheets.copy(), totals.copy()
        self._place_of_code = _codes(self._model)
        self._counts = _counts(self._model.dice.rolls)

    def turn(self, faces: Faces, rolls_left: int | None = None) -> None:
        """Play a turn of every game. `faces` (games, throws, dice) 1..6 are those of each throw.

        With `rolls_left` the first of the throws lies on the table already, and so many are to come.
        """
        model = self._model
        left = model.rules.throws - 1 if rolls_left is None else rolls_left
        masks = np.searchsorted(model.layout.offset, self.sheets, side="right") - 1
        known = np.unique(masks)
        turns = Turns(model, known.tolist(), self._solution.values)
        begins = np.cumsum([0, *(model.layout.columns(int(mask)) for mask in known)])
        column = begins[np.searchsorted(known, masks)] + self.sheets - model.layout.offset[masks]
        rolls = np.zeros(len(masks), dtype=np.intp)
        first = np.zeros(len(masks), dtype=np.bool_)
        for begin in range(0, len(masks), _TOGETHER):
            some = slice(begin, begin + _TOGETHER)
            rolls[some], first[some] = self._throw(turns, column[some], faces[some], left)
        self.sheets, gained = turns.filled(column, rolls, first & model.throw_matters)
        self.totals += gained

    def _throw(
        self, turns: Turns, column: Indices, faces: Faces, left: int
    ) -> tuple[Indices, npt.NDArray[np.bool_]]:
        """The rolls that some turns end on, and whether it was after the first throw."""
        model, dice = self._model, self._model.dice
        late = turns.late[:, column]
        first = turns.first[:, column] if model.throw_matters else None
        ahead = values_ahead(model, late, first, left)
        lying = faces[:, 0].copy()
        stopped_first = np.full(len(lying), model.rules.throws == 1)
        going = np.ones(len(lying), dtype=np.bool_)
        for throw, throws_left in enumerate(range(left, 0, -1), start=1):
            is_first = throws_left == model.rules.throws - 1
            levels = dice.expect(ahead[throws_left - 1])
            levels[-1] = first if first is not None and is_first else late
            counts = self._held(choices(dice, levels), self._rolls(lying))
            stopping = going & (counts.sum(axis=1) == dice.dice)
            stopped_first |= stopping & is_first
            going &= ~stopping
            keep = _places(lying, counts)
            lying = np.where(keep | ~going[:, np.newaxis], lying, faces[:, throw])
        return self._rolls(lying), stopped_first

    def _rolls(self, lying: Faces) -> Indices:
        """(games,) the places of rolls, from faces in any order."""
        base = self._model.dice.dice + 1
        code = np.zeros(len(lying), dtype=np.intp)
        for face in range(SIDES):
            code = code * base + (lying == face + 1).sum(axis=1)
        return self._place_of_code[code]

    def _held(self, chosen: list[npt.NDArray[np.int8]], rolls: Indices) -> Indices:
        """(games, 6) how many dice of each face are held."""
        dice = self._model.dice
        where, games = rolls.copy(), np.arange(len(rolls))
        counts = self._counts[rolls]
        going = np.ones(len(rolls), dtype=np.bool_)
        for size in range(dice.dice, 0, -1):
            choice = chosen[size][np.where(going, where, 0), games]
            going &= choice != STAY
            counts[games[going], choice[going]] -= 1
            where = np.where(going, dice.without[size][np.where(going, where, 0), choice % SIDES], 0)
        return counts


def _counts(rolls: Sequence[tuple[int, ...]]) -> Indices:
    """(rolls, 6) how often each face comes up."""
    return np.array([[roll.count(face) for face in range(1, SIDES + 1)] for roll in rolls], dtype=np.intp)


def _codes(model: Model) -> Indices:
    """The place of a roll by its counts of faces, read as digits."""
    base = model.dice.dice + 1
    code = _counts(model.dice.rolls) @ (base ** np.arange(SIDES - 1, -1, -1))
    found = np.zeros(base**SIDES, dtype=np.intp)
    found[code] = np.arange(len(code))
    return found


def _places(lying: Faces, counts: Indices) -> npt.NDArray[np.bool_]:
    """(games, dice) which dice are held; of equal ones those further left."""
    left, games = counts.copy(), np.arange(len(lying))
    keep = np.zeros(lying.shape, dtype=np.bool_)
    for die in range(lying.shape[1]):
        face = lying[:, die] - 1
        keep[:, die] = left[games, face] > 0
        left[games, face] -= keep[:, die]
    return keep


@dataclass(frozen=True, slots=True)
class Estimate:
    """Each player's share of wins in simulated games, and its standard error."""

    shares: tuple[float, ...]
    errors: tuple[float, ...]
    games: int


def shared_roll_chances(
    solution: Solution,
    standings: Sequence[Standing],
    faces: Faces,
    lying: tuple[Faces, int] | None = None,
    progress: Callable[[float], None] | None = None,
) -> Estimate:
    """Each player's chance to win where all use the same throws.

    `faces` (games, turns, throws, dice) 1..6 are the throws, for all players alike; `lying` is the dice of
    each player now (players, dice), die by die, and how many throws are to come this turn: the first of the
    turns in `faces` is then this one, and its first throw does not matter.
    """
    model = solution.model
    finals = []
    for seat, standing in enumerate(standings):
        where = place(model, standing.where)
        sheet = int(model.layout.offset[where.mask]) + where.column
        table = Table(solution, np.full(len(faces), sheet), np.full(len(faces), standing.total))
        for turn in range(len(standing.where.open)):
            throws, left = faces[:, turn], None
            if lying is not None and turn == 0:
                throws, left = throws.copy(), lying[1]
                throws[:, 0] = lying[0][seat]
            table.turn(throws, left)
            if progress is not None:
                progress((seat + (turn + 1) / len(standing.where.open)) / len(standings))
        finals.append(table.totals)
    totals = np.array(finals)
    best = totals == totals.max(axis=0)
    shares: Floats = best / best.sum(axis=0)
    errors = shares.std(axis=1, ddof=1) / np.sqrt(len(faces))
    return Estimate(tuple(shares.mean(axis=1).tolist()), tuple(errors.tolist()), len(faces))
