"""The end of a game of two, exactly: both play to win, not for points.

When few boxes are open, the whole game that remains is solved: for every pair of sheets and every difference
of totals the chance that the player to throw wins, ties counting half, when each decision of both is the one
that is best for who makes it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from station.strategy.model.position import SheetIndex
from station.strategy.values.decisions import Decision, decision
from station.strategy.values.turn import throws_back

if TYPE_CHECKING:
    from collections.abc import Callable

    from station.strategy.model.model import Action, Model
    from station.strategy.model.multisets import Floats, Indices

MOST_OPEN = 8
"""Open boxes of both players together up to which the end of the game may be solved."""
MOST_COLUMNS = 200_000
"""Turns of five dice that may be worked out for it: about two seconds on one core of a desktop computer."""


class Endgame:
    """The end of a game from one pair of sheets on.

    `chance(mover, other)` gives, for two places of sheets, the chance that `mover`, who is to throw, wins:
    (differences,) float64 by mover's total minus other's, from -reach to reach, beyond which it is decided.
    `columns(mover, other, limit)` says how many turns of five dice it takes to work that out, and stops
    counting beyond the limit.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self.chances: dict[tuple[SheetIndex, SheetIndex], Floats] = {}
        """The computed values, by mover and other; may be passed to another instance of the same game."""
        self.columns: Callable[[SheetIndex, SheetIndex, int], int] = cache(self._columns)
        self._actions: Callable[[SheetIndex], tuple[Action, ...]] = cache(self._of_sheet)
        self._most: Callable[[SheetIndex], int] = cache(lambda where: _most(model, where))

    def reach(self, mover: SheetIndex, other: SheetIndex) -> int:
        """The difference of totals from which on nothing can change who wins."""
        return max(self._most(mover), self._most(other)) + 1

    def prepare(self, mover: SheetIndex, other: SheetIndex) -> None:
        """Work out the game from here, so that `turn_ends` answers at once."""
        self.chance(mover, other)

    def is_known(self, mover: SheetIndex, other: SheetIndex) -> bool:
        """Whether the game from here is worked out."""
        return (mover, other) in self.chances

    def chance(self, mover: SheetIndex, other: SheetIndex) -> Floats:
        """(differences,) the chance that the mover wins; see the class."""
        found = self.chances.get((mover, other))
        if found is None:
            found = self.chances[mover, other] = self._chance(mover, other)
        return found

    def _columns(self, mover: SheetIndex, other: SheetIndex, limit: int) -> int:
        """As `columns`, counted."""
        seen: set[tuple[SheetIndex, SheetIndex]] = set()
        ahead = [(mover, other)]
        count = 0
        while ahead and count <= limit:
            pair = ahead.pop()
            if pair in seen or not pair[0].mask:
                continue
            seen.add(pair)
            count += (2 * self.reach(*pair) + 1) * len(self._model.dice.rolls) // 252
            for action in self._actions(pair[0]):
                ahead += [(pair[1], self._sheet(sheet)) for sheet in set(action.after[:, 0].tolist())]
        return count

    def _of_sheet(self, where: SheetIndex) -> tuple[Action, ...]:
        """The actions from one sheet."""
        return decision(self._model, where.mask, where.column, np.zeros(self._model.layout.size)).actions

    def _chance(self, mover: SheetIndex, other: SheetIndex) -> Floats:
        """As `chance`, worked out."""
        if not mover.mask:
            if other.mask:
                return 1 - self.chance(other, mover)[::-1]
            return np.array([0.0, 0.5, 1.0])
        rules = self._model.rules
        late = self.stopping(mover, other, first=False)
        first = self.stopping(mover, other, first=True) if self._model.throw_matters else None
        found: Floats = self._model.first_chance @ throws_back(self._model, late, first, rules.throws - 1)
        if rules.first_throw_yacht_wins:
            at_once = float(self._model.dice.chance[self._model.yachts].sum())
            found = at_once + (1 - at_once) * found
        return found

    def stopping(self, mover: SheetIndex, other: SheetIndex, *, first: bool) -> Floats:
        """(rolls, differences) mover's chance to win when the best box is filled now."""
        ends = self.ends(mover, other, first=first)
        best = ends[0]
        for end in ends[1:]:
            np.maximum(best, end, out=best)
        return best

    def ends(self, mover: SheetIndex, other: SheetIndex, *, first: bool) -> list[Floats]:
        """For every action (rolls, differences) mover's chance to win with it; -1 where it is forbidden."""
        model = self._model
        actions = self._actions(mover)
        paid = model.paid_for_yacht(mover.mask)
        apart = np.arange(-self.reach(mover, other), self.reach(mover, other) + 1)
        found = []
        for action in actions:
            points, kind_of = action.scored(first=first, left=0)
            kinds = np.zeros(len(points), dtype=np.intp) if kind_of is None else kind_of
            gained = points.copy()
            if action.bonus is not None:
                gained += action.bonus[kinds, 0]
            if paid is not None:
                gained[model.yachts] += paid[mover.column]
            lost = [self.chance(other, self._sheet(int(sheet))) for sheet in action.after[:, 0]]
            ways, which = np.unique(np.stack((kinds, gained.astype(np.intp))), axis=1, return_inverse=True)
            rows = np.array([_won(lost[kind], apart + more) for kind, more in ways.T.tolist()])
            end = rows.take(which, axis=0)
            end[points < 0] = -1.0
            found.append(end)
        return found

    def turn_ends(self, mover: SheetIndex, other: SheetIndex, apart: int) -> Decision:
        """As `decision` for the mover with this difference of totals, but the values are chances to win."""
        model, reach = self._model, self.reach(mover, other)
        column = int(np.clip(apart, -reach, reach)) + reach
        actions = self._actions(mover)
        late = np.array([end[:, column] for end in self.ends(mover, other, first=False)])
        first = late
        if model.throw_matters:
            first = np.array([end[:, column] for end in self.ends(mover, other, first=True)])
        return Decision(actions, late, first, model.rules.throws)

    def _sheet(self, sheet: int) -> SheetIndex:
        """The place of a sheet from its number in the tables."""
        layout = self._model.layout
        mask = layout.mask_of(sheet)
        return SheetIndex(mask, sheet - layout.offset[mask])


def _won(lost: Floats, apart: Indices) -> Floats:
    """The chance to win with these differences, where `lost` is that of the other, who is then to throw."""
    reach = len(lost) // 2
    won: Floats = 1 - lost[reach - np.clip(apart, -reach, reach)]
    return won


def _most(model: Model, where: SheetIndex) -> int:
    """The most points still to come on a sheet."""
    rules = model.rules
    bits = [bit for bit in range(len(model.layout.boxes)) if where.mask >> bit & 1]
    bonus = rules.bonus.most if rules.bonus is not None else 0
    return int(sum(model.most_points()[bits])) + bonus + model.further_yacht * len(bits)
