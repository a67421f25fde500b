"""Whole games played by what is known of a game, exactly or about, to see how far its advice comes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from station.rules import Sheet, sheet_totals
from station.strategy.forward.simulation import TOGETHER, Err, Faces, codes, roll_places, throw
from station.strategy.forward.turns import ForwardTurns
from station.strategy.model.multisets import Floats, Indices
from station.strategy.model.position import SheetIndex
from station.strategy.values.decisions import Values
from station.strategy.values.hints import TIE
from station.strategy.values.parts import InParts
from station.strategy.values.solver import Solution
from station.strategy.values.turn import Late, announced, throws_back

SURE = 1.96
"""Standard errors to either side that hold the true mean in 95 of 100 cases."""
NONE = -1
"""No part, and no bit of a box."""
FULL = -1e8
"""What a part that is full is worth to a turn."""


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of many games, and how far off it may be: the half of its 95 % confidence interval."""

    mean: float
    error: float
    games: int


class Offset(NamedTuple):
    """What games brought from sheets with that many boxes filled, beside what was expected of them.

    mean: points beyond that; error: the half of its 95 % confidence interval; spread: the standard deviation
    of the points that came.
    """

    mean: float = 0.0
    error: float = 0.0
    spread: float = 0.0


def mean_of(totals: Indices | Floats) -> Mean:
    """The mean of final scores, with its confidence interval."""
    return Mean(float(totals.mean()), SURE * float(totals.std(ddof=1)) / len(totals) ** 0.5, len(totals))


class Trials:
    """Games from the empty sheet, played side by side with throws drawn by `seed`."""

    def __init__(self, values: Values, games: int, seed: int) -> None:
        self._rules, self._model = values.model.rules, values.model
        assert isinstance(values, Solution | InParts)  # noqa: S101 - there are no others
        self._parts = (values,) if isinstance(values, Solution) else values.solutions
        self._random = np.random.default_rng(seed)
        self._sheets = np.array(
            [[part.model.layout.offset[part.model.layout.full]] * games for part in self._parts],
            dtype=np.intp,
        )
        """(parts, games) the sheets without saved throws, which are counted beside them."""
        self._saved = np.zeros(games, dtype=np.intp)
        self._gained = np.zeros(games)
        self._points = np.zeros(games)
        self._codes = codes(self._model)
        self._before: list[tuple[Indices, Floats]] = []
        """Before each turn (games,) the totals so far, and the points that are expected to come."""

    def offsets(self) -> tuple[Offset, ...]:
        """How far what was expected was off, by the number of turns played; known once games are over."""
        final, found = self.totals(), []
        for now, expected in self._before:
            came = (final - now).astype(np.float64)
            off = mean_of(came - expected)
            found.append(Offset(off.mean, off.error, float(came.std(ddof=1))))
        return tuple(found)

    def _to_come(self) -> Floats:
        """(games,) the points still to come, as `InParts.to_come` has them."""
        parts = [_PartTurn(part, sheets) for part, sheets in zip(self._parts, self._sheets, strict=True)]
        turns = np.array([part.turns_left() for part in parts], dtype=np.float64)
        turns /= np.maximum(turns.sum(axis=0), 1)
        found = np.zeros(len(self._saved))
        for solution, sheets in zip(self._parts, self._sheets, strict=True):
            found += solution.values[sheets]
        for saved in np.unique(self._saved[self._saved > 0]):
            some = self._saved == saved
            for part, share in zip(parts, turns, strict=True):
                found[some] += (share * part.of_saved(int(saved)))[some]
        return found

    @property
    def turns(self) -> int:
        """How many turns a game has."""
        return self._rules.turns(len(self._model.boxes))

    def play(self, err: Err | None = None, progress: Callable[[float], None] | None = None) -> Indices:
        """Play all games to their end; (games,) the final scores. With `err` all is judged wrongly by it."""
        for turn in range(self.turns):
            self._before.append((self.totals(), self._to_come()))
            self.turn(err)
            if progress is not None:
                progress((turn + 1) / self.turns)
        return self.totals()

    def turn(self, err: Err | None = None) -> None:
        """Play the next turn of all games. The dice are drawn for all of them, with any strategy."""
        before = self._saved.copy()  # throws saved in this turn are for the next
        throws = self._rules.throws + int(before.max())
        faces = self._random.integers(1, 7, (len(before), throws, self._rules.dice), dtype=np.int8)
        for saved in np.unique(before):
            games = np.flatnonzero((before == saved) & self._going())
            games = games[np.lexsort(self._sheets[:, games])]  # like ones together: fewer masks at a time
            for begin in range(0, len(games), TOGETHER):
                some = games[begin : begin + TOGETHER]
                self._turn(some, int(saved), faces[some], err)

    def place(self, game: int) -> SheetIndex:
        """The sheet of one game, of one that is solved as a whole."""
        layout, sheet = self._parts[0].model.layout, int(self._sheets[0, game])
        mask = layout.mask_of(sheet)
        return SheetIndex(mask, sheet - layout.offset[mask])

    def _going(self) -> npt.NDArray[np.bool_]:
        """(games,) which have a box to fill."""
        going = np.zeros(len(self._saved), dtype=np.bool_)
        for part, sheets in zip(self._parts, self._sheets, strict=True):
            layout = part.model.layout
            ends = np.array([layout.ends(int(mask)) for mask in layout.masks])
            going |= ~ends[np.searchsorted(layout.starts, sheets, side="right") - 1]
        return going

    def totals(self) -> Indices:
        """(games,) the scores so far: what parts count only in part is counted whole, or by its bonus."""
        found = self._gained + sheet_totals(self._rules, Sheet()).total
        weights = [part.model.weight for part in self._parts if part.model.weight is not None]
        if weights:
            spanning = [
                each
                for each in self._rules.bonuses
                if len(self._rules.members(each)) == len(self._rules.boxes)
            ]
            found += self._points * (float(not self._rules.bonus_only) - weights[0])
            for bonus in spanning:
                found += np.array([bonus.paid(int(total)) - bonus.paid(0) for total in self._points])
        totals: Indices = np.rint(found).astype(np.intp)
        return totals

    def _turn(self, games: Indices, saved: int, faces: Faces, err: Err | None) -> None:
        """One turn of some games that have the same throws saved; `faces` (games, throws, dice) 1..6."""
        left = self._rules.throws - 1 + saved
        parts = [
            _PartTurn(part, sheets[games]) for part, sheets in zip(self._parts, self._sheets, strict=True)
        ]
        best: Floats = np.maximum.reduce([part.gain() for part in parts])
        first = None
        if self._model.throw_matters:
            first = np.maximum.reduce([part.gain(first=True) for part in parts])
        late = self._by_left(parts, best) if self._model.lefts else best
        called = np.full((2, len(games)), NONE, dtype=np.intp)
        if self._model.announces and first is not None and left:
            late, first = self._announce(parts, best, first, faces[:, 0], called, err)
        rolls, stopped = throw(self._model, self._codes, late, first, left, faces, err)
        ends = [part.ends(rolls, stopped, left) for part in parts]
        chosen = np.where(called[0] == NONE, np.array(ends).argmax(axis=0), called[0])
        for number, part in enumerate(parts):
            for unused, bit in {*zip(stopped.tolist(), called[1].tolist(), strict=True)}:
                mine = np.flatnonzero((chosen == number) & (stopped == unused) & (called[1] == bit))
                if len(mine):
                    here, when = games[mine], (stopped[mine] == left) & self._model.throw_matters
                    after, gained, points = part.fill(mine, rolls[mine], when, unused, err, bit)
                    self._sheets[number][here] = after
                    self._gained[here] += gained
                    self._points[here] += points
        if self._rules.saved_throws:
            self._saved[games] = np.minimum(stopped, max(part.most_saved for part in parts))

    def _announce(
        self, parts: Sequence["_PartTurn"], late: Floats, first: Floats, lying: Faces, called: Indices,
        err: Err | None,
    ) -> tuple[Floats, Floats]:  # fmt: skip
        """What stopping is worth once each game has announced the best box, or none.

        called: (2, games) the part and the bit of that box, filled in.
        """
        model, games = self._model, np.arange(len(lying))
        rolls = roll_places(model, self._codes, lying)

        def seems(late: Floats, first: Floats) -> Floats:
            found: Floats = throws_back(model, late, first, self._rules.throws - 1)[rolls, games]
            return found if err is None else found + err(found.shape)

        best, late, first = seems(late, first), late.copy(), first.copy()
        for number, part in enumerate(parts):
            for bit, (own_late, own_first) in part.announced().items():
                found = seems(own_late, own_first)
                better = np.flatnonzero(found > best + TIE)
                best[better], called[:, better] = found[better], [[number], [bit]]
                late[:, better], first[:, better] = own_late[:, better], own_first[:, better]
        return late, first

    def _by_left(self, parts: Sequence["_PartTurn"], late: Floats) -> Late:
        """What stopping is worth with 0, 1, … throws left, as `InParts.decision` has it."""
        most = self._model.lefts
        if len(parts) == 1 or not self._rules.saved_throws:
            return tuple(
                np.maximum.reduce([part.gain(saved=left) for part in parts]) for left in range(most + 1)
            )
        turns = np.array([part.turns_left() for part in parts], dtype=np.float64)
        every = turns.sum(axis=0)
        turns = np.where(every > 1, turns / np.maximum(every, 1), 0.0)
        return tuple(
            late + sum(share * part.of_saved(left) for share, part in zip(turns, parts, strict=True))
            for left in range(most + 1)
        )


class _PartTurn:
    """One turn of some games in one part of a game: what each way to stop adds to what the part is worth."""

    def __init__(self, solution: Solution, sheets: Indices) -> None:
        self._solution, self._sheets = solution, sheets
        layout = solution.model.layout
        at = np.searchsorted(layout.starts, sheets, side="right") - 1
        masks = layout.masks[at]
        unfinished = [int(mask) for mask in np.unique(masks) if mask]
        self._unfinished, self._masks = unfinished, masks
        self._full = ~np.isin(masks, unfinished)
        begins = np.cumsum([0, *(layout.base(mask) for mask in unfinished)])
        place = np.minimum(np.searchsorted(unfinished, masks), max(len(unfinished) - 1, 0))
        self._columns = np.where(self._full, 0, begins[place] + sheets - layout.starts[at])
        self._base = np.array([layout.base(int(mask)) for mask in masks])
        self._turns: dict[int, ForwardTurns] = {}
        self.most_saved = layout.saved

    def gain(self, *, first: bool = False, saved: int = 0) -> Floats:
        """(rolls, games) the value of stopping, less that of the sheets as they are."""
        model, values = self._solution.model, self._solution.values
        if not self._unfinished:
            return np.full((len(model.dice.rolls), len(self._sheets)), FULL)
        turns = self._at(saved)
        found: Floats = (turns.first if first else turns.late)[:, self._columns] - values[self._sheets]
        found[:, self._full] = FULL
        return found

    def ends(self, rolls: Indices, stopped: Indices, left: int) -> Floats:
        """(games,) the gain of stopping on these rolls; `stopped` (games,) says with how many throws left."""
        at, model = np.arange(len(rolls)), self._solution.model
        found = self.gain()[rolls, at]
        if not self._solution.model.rules.saved_throws:  # else each part has its share of what is saved
            for unused in range(1, model.lefts + 1):
                found = np.where(stopped == unused, self.gain(saved=unused)[rolls, at], found)
        return (
            np.where(stopped == left, self.gain(first=True)[rolls, at], found)
            if model.throw_matters
            else found
        )

    def of_saved(self, left: int) -> Floats:
        """(games,) what that many saved throws are worth to this part."""
        values = self._solution.values
        found: Floats = values[self._sheets + min(left, self.most_saved) * self._base] - values[self._sheets]
        return found

    def turns_left(self) -> Indices:
        """(games,) how many boxes are open."""
        found: Indices = sum(
            (self._masks >> bit & 1 for bit in range(len(self._solution.model.boxes))), start=0 * self._masks
        )
        return found

    def announced(self) -> dict[int, tuple[Floats, Floats]]:
        """By bit, (rolls, games) the gains of stopping late and first in turns for which it was announced."""
        model, values = self._solution.model, self._solution.values
        found: dict[int, tuple[Floats, Floats]] = {}
        begin, columns = 0, sum(map(model.layout.base, self._unfinished))
        for mask in self._unfinished:
            base = model.layout.base(mask)
            for action in model.announced(mask):
                if action.boxes[0] not in found:
                    nothing = np.full((len(model.dice.rolls), columns), FULL)
                    found[action.boxes[0]] = nothing, nothing.copy()
                for is_first, table in zip((False, True), found[action.boxes[0]], strict=True):
                    table[:, begin : begin + base] = announced(model, mask, action, values, first=is_first)
            begin += base
        before = np.where(self._full, -FULL, values[self._sheets])
        here = self._columns
        return {
            bit: (late[:, here] - before, first[:, here] - before) for bit, (late, first) in found.items()
        }

    def fill(
        self, games: Indices, rolls: Indices, first: npt.NDArray[np.bool_], left: int, err: Err | None,
        named: int = NONE,
    ) -> tuple[Indices, Floats, Indices]:  # fmt: skip
        """As `ForwardTurns.filled`, for some of the games; sheets without saved throws."""
        return self._at(left).filled(self._columns[games], rolls, first, err, named)

    def _at(self, saved: int) -> ForwardTurns:
        saved = min(saved, self._solution.model.lefts)
        if saved not in self._turns:
            self._turns[saved] = ForwardTurns(
                self._solution.model, self._unfinished, self._solution.values, saved
            )
        return self._turns[saved]
