"""One turn from each of many sheets, played forward by best play: where it ends, how often, for what."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from station.rules import Joker
from station.strategy.forward.flow import Ends, play
from station.strategy.model.model import IMPOSSIBLE, Action, Model
from station.strategy.model.multisets import Floats, Indices
from station.strategy.values.turn import worth

Numbers = npt.NDArray[np.int16]


class Key(NamedTuple):
    """What tells actions apart that score differently: the boxes, and whether yachts are wild."""

    boxes: tuple[int, ...]
    wild: bool
    first: bool


@dataclass(frozen=True, slots=True, eq=False)
class Landings:
    """The rolls of an action in groups that come to the same.

    `order` (rolls,) sorts the rolls by group, `starts` (groups,) says where each begins; `points`, `kind` and
    `further` (groups,) are those of the action for each group, `further` 1 for a further yacht.
    """

    order: Indices
    starts: Indices
    points: Indices
    kind: Indices
    further: Indices


class ForwardTurns:
    """One turn from each sheet of some masks, played forward by best play."""

    def __init__(self, model: Model, masks: list[int], values: Floats, saved: int = 0) -> None:
        """saved: throws that are left at the end of the turn, where that matters."""
        self._model, self._left = model, saved
        self._values = values
        self._parts: dict[Key, list[tuple[int, int, Action]]] = {}
        self._numbers: dict[Key, int] = {}
        late: list[tuple[Floats, Numbers]] = []
        first: list[tuple[Floats, Numbers]] = []
        begin = 0
        for mask in masks:
            actions = model.actions(mask)
            wild = model.yachts_are_further(mask)
            for is_first, tables in ((False, late), (True, first)):
                if is_first and not model.throw_matters:
                    continue
                keys = [Key(action.boxes, wild, is_first) for action in actions]
                for key, action in zip(keys, actions, strict=True):
                    self._parts.setdefault(key, []).append((begin, mask, action))
                    self._numbers.setdefault(key, len(self._numbers))
                numbers = [self._numbers[key] for key in keys]
                paid = model.paid_for_yacht(mask)
                tables.append(_choose(model, actions, numbers, values, paid, first=is_first, saved=saved))
            begin += model.layout.base(mask)
        self._columns = begin
        self.late, self._late_choice = _side_by_side(late)
        self.first, self._first_choice = self.late, self._late_choice
        if first:
            self.first, self._first_choice = _side_by_side(first)

    def ends(self) -> Ends:
        """How often each turn ends on which dice."""
        model = self._model
        start = np.repeat(model.first_chance[:, np.newaxis], self._columns, axis=1)
        first = self.first if model.throw_matters else None
        return play(model, self.late, first, start, model.rules.throws - 1)

    def filled(
        self,
        columns: Indices,
        rolls: Indices,
        first: npt.NDArray[np.bool_],
        err: Callable[[tuple[int, ...]], Floats] | None = None,
        named: int = -1,
    ) -> tuple[Indices, Floats, Indices]:
        """The sheets that follow, the gain, and the points of the boxes, when each turn ends on one roll.

        All (games,): the column a game is in, its roll, whether it stopped after the first throw. With
        `err` every box is judged wrongly by it. named: the bit of the box that was announced in all of them.
        """
        model = self._model
        sheets, scored = np.zeros((2, len(columns)), dtype=np.intp)
        gained = np.zeros(len(columns))
        if named >= 0:
            choice = self._of_box(columns, first, named)
        elif err is None:
            choice = np.where(first, self._first_choice[rolls, columns], self._late_choice[rolls, columns])
        else:
            choice = self._misjudged(columns, rolls, first, err)
        inside = np.zeros(self._columns, dtype=np.intp)
        for key, parts in self._parts.items():
            some = np.flatnonzero(choice == self._numbers[key])
            if not len(some):
                continue
            joined = _join(model, parts, self._left)
            inside[joined.columns] = np.arange(len(joined.columns))
            column, lie = inside[columns[some]], rolls[some]
            kind = _kinds(joined, key, lie)
            points = model.natural_points(key.boxes, wild=key.wild, first=key.first, left=self._left)[
                lie
            ].astype(np.intp)
            further = np.isin(lie, model.yachts)
            sheets[some], scored[some] = joined.after[kind, column], points
            gained[some] = points + joined.bonus[kind, column] + np.where(further, joined.paid[column], 0)
        return sheets, gained, scored

    def _of_box(self, columns: Indices, first: npt.NDArray[np.bool_], bit: int) -> Indices:
        """(games,) the number of the action that fills that box."""
        choice = np.zeros(len(columns), dtype=np.intp)
        for key, parts in self._parts.items():
            there = np.isin(columns, _join(self._model, parts, self._left).columns) & (first == key.first)
            if key.boxes == (bit,):
                choice[there] = self._numbers[key]
        return choice

    def _misjudged(
        self,
        columns: Indices,
        rolls: Indices,
        first: npt.NDArray[np.bool_],
        err: Callable[[tuple[int, ...]], Floats],
    ) -> Indices:
        """(games,) the number of the action that seems best."""
        model = self._model
        seems = np.full((len(self._numbers), len(columns)), IMPOSSIBLE)
        inside = np.zeros(self._columns, dtype=np.intp)
        for key, parts in self._parts.items():
            joined = _join(model, parts, self._left)
            inside[:] = -1
            inside[joined.columns] = np.arange(len(joined.columns))
            some = np.flatnonzero((inside[columns] >= 0) & (first == key.first))
            if not len(some):
                continue
            column, lie = inside[columns[some]], rolls[some]
            kind = _kinds(joined, key, lie)
            points = model.natural_points(key.boxes, wild=key.wild, first=key.first, left=self._left)[lie]
            worth = points + joined.bonus[kind, column] + self._values[joined.after[kind, column]]
            if key.wild and model.rules.joker is Joker.FORCED:
                part = np.repeat(np.arange(len(parts)), [action.after.shape[1] for _, _, action in parts])
                legal = np.array([action.points for _, _, action in parts])[part[column], lie] > IMPOSSIBLE
                worth = np.where(legal, worth, IMPOSSIBLE)
            seems[self._numbers[key], some] = worth + err(worth.shape)
        best: Indices = seems.argmax(axis=0)
        return best

    def mix(
        self, below: npt.NDArray[np.float32], row: Indices, width: int, landings: dict[Key, Landings]
    ) -> Floats:
        """(columns, width) the distributions of these sheets, from those of the sheets that follow.

        `below` (rows, points) are the latter, `row` (layout.size,) has the place of each sheet there.
        """
        mixed = np.zeros((self._columns, width + below.shape[1]))  # room for what never happens
        for columns, after, points, weight in self._landed(landings):
            follow = below[row[after]] * weight[:, np.newaxis]
            _move(mixed, follow, columns, np.rint(points).astype(np.intp))
        return mixed[:, :width]

    def variances(
        self, values: Floats, below: Floats, means: Floats, landings: dict[Key, Landings]
    ) -> Floats:
        """(columns,) the variance of the points still to come, from those of the sheets that follow.

        `values` and `below` (layout.size,) are means and variances of all sheets that follow, `means`
        (columns,) the means of these.
        """
        found = np.zeros(self._columns)
        for columns, after, points, weight in self._landed(landings):
            apart = points + values[after] - means[columns]
            found[columns] += weight * (apart * apart + below[after])
        return found

    def _landed(self, landings: dict[Key, Landings]) -> Iterator[tuple[Indices, Indices, Floats, Floats]]:
        """All ways these turns end: the columns that do, the sheets that follow, the points, how often."""
        model, ends = self._model, self.ends()
        late = ends.late if model.throw_matters else ends.late + ends.first
        for key, parts in self._parts.items():
            joined = _join(model, parts, self._left)
            columns = joined.columns
            chances, choice = (ends.first, self._first_choice) if key.first else (late, self._late_choice)
            taken = np.where(choice[:, columns] == self._numbers[key], chances[:, columns], 0.0)
            if key not in landings:
                landings[key] = _landings(model, key, parts[0][2])
            groups = landings[key]
            weights = np.add.reduceat(taken[groups.order], groups.starts, axis=0)
            for group, weight in enumerate(weights):
                some = np.flatnonzero(weight)
                if len(some):
                    kind = groups.kind[group]
                    points = groups.points[group] + joined.bonus[kind, some]
                    if groups.further[group]:
                        points = points + joined.paid[some]
                    yield columns[some], joined.after[kind, some], points, weight[some]


def _side_by_side(parts: list[tuple[Floats, Numbers]]) -> tuple[Floats, Numbers]:
    """The arrays of several masks as those of one."""
    return np.hstack([value for value, _ in parts]), np.hstack([choice for _, choice in parts])


def _choose(
    model: Model,
    actions: list[Action],
    numbers: list[int],
    values: Floats,
    paid: Floats | None,
    *,
    first: bool,
    saved: int,
) -> tuple[Floats, Numbers]:
    """(rolls, columns) the best value of stopping, and the number of the action that has it."""
    best = worth(actions[0], values, first=first, saved=saved)
    choice = np.full(best.shape, numbers[0], dtype=np.int16)
    for number, action in zip(numbers[1:], actions[1:], strict=True):
        value = worth(action, values, first=first, saved=saved)
        np.copyto(choice, np.int16(number), where=value > best)
        np.maximum(best, value, out=best)
    if paid is not None:
        best[model.yachts] += paid
    return best, choice


def _landings(model: Model, key: Key, action: Action) -> Landings:
    """The rolls of an action in groups; those a forced joker keeps away are never taken anyway."""
    points = model.natural_points(key.boxes, wild=key.wild, first=key.first).astype(np.intp)
    kind_of = action.scored(first=key.first, left=0)[1]
    kinds = np.zeros(len(points), dtype=np.intp) if kind_of is None else kind_of
    further = np.zeros(len(points), dtype=np.intp)
    if key.wild:
        further[model.yachts] = 1
    keys, number = np.unique(np.stack((points, kinds, further), axis=1), axis=0, return_inverse=True)
    order = np.argsort(number, kind="stable")
    starts = np.concatenate(([0], np.flatnonzero(np.diff(number[order])) + 1))
    return Landings(order, starts, keys[:, 0], keys[:, 1], keys[:, 2])


class _Joined(NamedTuple):
    """One action from the sheets of several masks, side by side.

    `columns` (n,) are their columns among the turns; `after` and `bonus` (kinds, n) and `paid` (n,) as in
    station.strategy.model.model; `kind` (rolls,) or None.
    """

    columns: Indices
    after: Indices
    bonus: Indices
    paid: Indices
    kind: Indices | None
    first_kind: Indices | None


def _kinds(joined: _Joined, key: Key, rolls: Indices) -> Indices:
    """Which sheet follows, by roll."""
    kind = joined.first_kind if key.first else joined.kind
    return np.zeros(len(rolls), dtype=np.intp) if kind is None else kind[rolls]


def _join(model: Model, parts: list[tuple[int, int, Action]], left: int) -> _Joined:
    """One action from the sheets of several masks."""
    bonus, paid = [], []
    for _, mask, action in parts:
        bonus.append(np.zeros(action.after.shape) if action.bonus is None else action.bonus)
        pays = model.paid_for_yacht(mask)
        paid.append(np.zeros(action.after.shape[1]) if pays is None else pays)
    return _Joined(
        np.concatenate([begin + np.arange(action.after.shape[1]) for begin, _, action in parts]),
        np.hstack([action.after for _, _, action in parts]),
        np.hstack(bonus),
        np.concatenate(paid),
        parts[0][2].scored(first=False, left=left)[1],
        parts[0][2].first_kind,
    )


def _move(mixed: Floats, follow: Floats, columns: Indices, points: Indices) -> None:
    """Add weighted distributions (columns, points), each moved by its points."""
    span = follow.shape[1]
    if (points == points[0]).all():
        mixed[columns, points[0] : points[0] + span] += follow
        return
    for step in np.unique(points):
        some = np.flatnonzero(points == step)
        mixed[columns[some], step : step + span] += follow[some]
