"""Many games played at once by best play for points, or by play that errs, with dice that are given.

Every die has a place, as where players share throws and tell dice apart by colour (document 002): a held
die keeps its face, the others take that of their place in the next throw.
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from station.rules.dice import Dice
from station.strategy.forward.flow import STAY, choices, values_ahead
from station.strategy.forward.turns import ForwardTurns
from station.strategy.model.model import Model
from station.strategy.model.multisets import SIDES, Floats, Indices
from station.strategy.values.solver import Solution
from station.strategy.values.turn import Late, stop_at

Faces = npt.NDArray[np.int8]

Err = Callable[[tuple[int, ...]], Floats]
"""By how much each of that many judgements is wrong, in points: an array of the requested shape."""

TOGETHER = 256
"""Games worked on at a time, for the processor's cache."""
_COLUMNS = 512
"""Sheets whose turns are worked out at a time: of all that some hundred games reach they would take 60 MB."""


class SimulatedGames:
    """Games of one rule set, played side by side: `sheets` (games,) and `totals` (games,) so far.

    All have the same number of open boxes.
    """

    def __init__(self, solution: Solution, sheets: Indices, totals: Indices) -> None:
        self._solution = solution
        self._model = solution.model
        self.sheets, self.totals = sheets.copy(), totals.copy()
        self._codes = codes(self._model)

    def turn(
        self,
        faces: Faces,
        rolls_left: int | None = None,
        hold: Dice | None = None,
        err: Err | None = None,
    ) -> None:
        """Play a turn of every game. `faces` (games, throws, dice) 1..6 are those of each throw.

        With `rolls_left` the first of the throws is on the table already, and that many are to come; `hold`
        is then held from it, whatever is best. With `err` every hold and every box is judged wrongly by it.
        """
        model = self._model
        left = model.rules.throws - 1 if rolls_left is None else rolls_left
        at = np.searchsorted(model.layout.starts, self.sheets, side="right") - 1
        masks, sheets = model.layout.masks[at], self.sheets - model.layout.starts[at]
        distinct = np.unique(masks)
        wide = [model.layout.columns(int(mask)) for mask in distinct]
        # Errors are drawn for all games in one order.
        parts = [np.arange(len(distinct))] if err is not None else _parted(wide)
        for part in parts:
            begins = np.cumsum([0, *(wide[each] for each in part)])
            games = np.flatnonzero(np.isin(masks, distinct[part]))
            column = begins[np.searchsorted(distinct[part], masks[games])] + sheets[games]
            turns = ForwardTurns(model, distinct[part].tolist(), self._solution.values)
            self.sheets[games], gained = self._turn_of(turns, column, faces[games], left, hold, err)
            self.totals[games] += np.rint(gained).astype(np.intp)

    def _turn_of(
        self,
        turns: ForwardTurns,
        column: Indices,
        faces: Faces,
        left: int,
        hold: Dice | None,
        err: Err | None,
    ) -> tuple[Indices, Floats]:
        """The sheets that follow those columns of some turns, and the points gained."""
        model = self._model
        rolls = np.zeros(len(column), dtype=np.intp)
        first = np.zeros(len(column), dtype=np.bool_)
        for begin in range(0, len(column), TOGETHER):
            some = slice(begin, begin + TOGETHER)
            late = turns.late[:, column[some]]
            at_once = turns.first[:, column[some]] if model.throw_matters else None
            rolls[some], unused = throw(model, self._codes, late, at_once, left, faces[some], err, hold)
            first[some] = unused == model.rules.throws - 1
        follow, gained, _ = turns.filled(column, rolls, first & model.throw_matters, err)
        return follow, gained


def _parted(wide: Sequence[int]) -> list[Indices]:
    """The places of masks that many columns wide, in parts of at most _COLUMNS, a wider one by itself.

    >>> [part.tolist() for part in _parted([250, 250, 250, 600])]
    [[0, 1], [2], [3]]
    """
    parts, room = [[0]], _COLUMNS - wide[0]
    for place, columns in enumerate(wide[1:], start=1):
        if columns > room:
            parts.append([])
            room = _COLUMNS
        parts[-1].append(place)
        room -= columns
    return [np.array(part, dtype=np.intp) for part in parts]


def throw(
    model: Model, distinct: Indices, late: Late, first: Floats | None, left: int, faces: Faces,
    err: Err | None = None, hold: Dice | None = None,
) -> tuple[Indices, Indices]:  # fmt: skip
    """The rolls that some turns end on, and how many throws are then left.

    late, first: (rolls, games) what stopping is worth, as `throws_back` has it; known: the model's `codes`;
    `faces` (games, throws, dice), `err` and `hold` as in `SimulatedGames.turn`.
    """
    dice = model.dice
    ahead = values_ahead(model, late, first, left)
    lying = faces[:, 0].copy()
    stopped = np.zeros(len(lying), dtype=np.intp)
    going = np.ones(len(lying), dtype=np.bool_)
    for number, throws_left in enumerate(range(left, 0, -1), start=1):
        levels = dice.expect(ahead[throws_left - 1])
        is_first = throws_left == model.rules.throws - 1
        levels[-1] = first if first is not None and is_first else stop_at(late, throws_left)
        if err is not None:
            levels = [level + err(level.shape) for level in levels]
        if hold is not None and number == 1:
            counts = np.repeat(_counts([hold]), len(lying), axis=0)
        else:
            counts = held(model, choices(dice, levels), roll_places(model, distinct, lying))
        stopping = going & (counts.sum(axis=1) == dice.dice)
        stopped[stopping] = throws_left
        going &= ~stopping
        keep = places(lying, counts)
        lying = np.where(keep | ~going[:, np.newaxis], lying, faces[:, number])
    return roll_places(model, distinct, lying), stopped


def roll_places(model: Model, distinct: Indices, lying: Faces) -> Indices:
    """(games,) the places of rolls, from faces in any order; `known` are the model's `codes`."""
    code = np.zeros(len(lying), dtype=np.intp)
    for face in range(SIDES):
        code = code * (model.dice.dice + 1) + (lying == face + 1).sum(axis=1)
    return distinct[code]


def held(model: Model, chosen: list[npt.NDArray[np.int8]], rolls: Indices) -> Indices:
    """(games, 6) how many dice of each face are held, from `flow.choices` and the current rolls."""
    dice = model.dice
    where, games = np.atleast_1d(rolls), np.arange(np.size(rolls))
    counts = _counts([dice.rolls[int(roll)] for roll in where])
    going = np.ones(len(where), dtype=np.bool_)
    for size in range(dice.dice, 0, -1):
        choice = chosen[size][np.where(going, where, 0), games]
        going &= choice != STAY
        counts[games[going], choice[going]] -= 1
        where = np.where(going, dice.without[size][np.where(going, where, 0), choice % SIDES], 0)
    return counts


def _counts(rolls: Sequence[tuple[int, ...]]) -> Indices:
    """(rolls, 6) how often each face comes up."""
    return np.array([[roll.count(face) for face in range(1, SIDES + 1)] for roll in rolls], dtype=np.intp)


def codes(model: Model) -> Indices:
    """The place of a roll by its counts of faces, read as digits."""
    base = model.dice.dice + 1
    code = _counts(model.dice.rolls) @ (base ** np.arange(SIDES - 1, -1, -1))
    found = np.zeros(base**SIDES, dtype=np.intp)
    found[code] = np.arange(len(code))
    return found


def places(lying: Faces, counts: Indices) -> npt.NDArray[np.bool_]:
    """(games, dice) which dice are held; of equal ones those further left."""
    left, games = counts.copy(), np.arange(len(lying))
    keep = np.zeros(lying.shape, dtype=np.bool_)
    for die in range(lying.shape[1]):
        face = lying[:, die] - 1
        keep[:, die] = left[games, face] > 0
        left[games, face] -= keep[:, die]
    return keep
