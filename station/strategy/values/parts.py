"""Games that are too large to solve as a whole: their parts are solved, and put together.

The columns of a sheet, or groups of boxes that belong together by a bonus, are games of their own with as
many turns as they have boxes. The points still to come are taken for the sum of theirs, and a box is chosen
by what it adds to that of its part. What this ignores, that a throw may go to whichever part it suits, is why
the sum is too low, and less so at the end of a game. A bonus over all parts is taken for what it pays on
average for each point. How far such advice comes is found by playing it (station.strategy.forward.trials).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import comb

import numpy as np

from station.rules import Bonus, Box, Joker, RuleSet, Section, Sheet, sheet_totals
from station.strategy.model.layout import SheetLayout, layout, like, ordered
from station.strategy.model.model import Model
from station.strategy.model.position import Position
from station.strategy.values.decisions import Decision
from station.strategy.values.further_yachts import in_whole_game
from station.strategy.values.solver import Solution

EXACT_SHEETS = 4_000_000
EXACT_S = 300.0
"""A game of more sheets, or that takes longer on a slow core, is not solved as a whole."""
EXACT_MB = 500.0
"""Nor one that takes more memory at once."""
PARTS_S = 3600.0
"""What takes longer, or more memory than that even in parts, is not solved at all."""
PART_SHEETS = 400_000
"""Groups are put together again into parts of up to this many sheets,"""
PART_WIDE = 2_000
"""of which no more have the same boxes open: these are worked on at a time."""
SUM_S = 1.1e-8
"""Seconds for one sum of a column, with all that goes with it: measured over the games that ship."""
BASE_MB = 45
"""What a process takes that has numpy and the multisets of five dice."""


@dataclass(frozen=True, slots=True)
class GamePart:
    """One part of a game: its rules, and by category how much of a point counts, where not all does."""

    rules: RuleSet
    weights: tuple[tuple[str, float], ...] = ()

    def model(self) -> Model:
        """As arrays."""
        return Model(self.rules, dict(self.weights))


@dataclass(frozen=True, slots=True)
class Plan:
    """How a game is solved: `sheets` of the whole game, in which `parts`, and what that takes.

    exact: whether the one part is the whole game. sheets may be a lower bound where there are very many.
    """

    sheets: float
    parts: tuple[GamePart, ...]
    seconds: float
    megabytes: float

    @property
    def exact(self) -> bool:
        """Whether advice is exact."""
        return len(self.parts) == 1 and not self.parts[0].weights

    @property
    def can_be_done(self) -> bool:
        """Whether there is advice at all."""
        return self.seconds <= PARTS_S and self.megabytes <= EXACT_MB


def plan(rules: RuleSet, *, sheets_max: int = EXACT_SHEETS) -> Plan:
    """How a game is to be solved, and what that takes; nothing is worked out yet."""
    sheets = _sheets(rules)
    apart = len(rules.columns) > 1 and (rules.extra_yacht or rules.joker is not Joker.NONE)
    seconds = _seconds(rules, sheets)
    parts: tuple[GamePart, ...] = (GamePart(rules),)
    if apart or sheets > sheets_max or seconds > EXACT_S or _megabytes(rules, sheets) > EXACT_MB:
        parts = _parts(rules)
    each = [_sheets(part.rules) for part in parts]
    seconds = sum(_seconds(part.rules, size) for part, size in zip(parts, each, strict=True))
    megabytes = max(_megabytes(part.rules, size) for part, size in zip(parts, each, strict=True))
    return Plan(sheets, parts, seconds, megabytes)


def _megabytes(rules: RuleSet, sheets: float) -> float:
    """About how much memory it takes at most, known before it begins."""
    rolls = comb(rules.dice + 5, 5)
    wide = 1.0
    for group in _groups(rules):
        wide *= _wide(_only(rules, group))
    at_a_time = (wide + 200 * 252 / rolls) * rolls * 8 * (14 if rules.saved_throws else 5)
    return BASE_MB + rolls * 0.02 + sheets * 24 / 1e6 + at_a_time / 1e6


def _wide(rules: RuleSet) -> float:
    """How many sheets of one group have the same boxes open, at most."""
    try:
        return float(_layout(replace(rules, saved_throws=False)).widest)
    except OverflowError:
        return float(2 ** len(rules.boxes))


def _seconds(rules: RuleSet, sheets: float) -> float:
    """About how long it takes on one core, known before it begins."""
    sums = sum((6 + size) * comb(size + 5, 5) for size in range(rules.dice + 1))
    turns = rules.throws - 1 + (8 if rules.saved_throws else 0)
    columns = sheets / 9 if rules.saved_throws else sheets
    fills = comb(rules.dice + 5, 5) * len(rules.boxes) * (9 if rules.saved_throws else 1)
    return columns * (sums * turns + fills) * SUM_S / 4 + 0.5


def _sheets(rules: RuleSet) -> float:
    """The number of different sheets: the product over independent parts."""
    found = 1.0
    for group in _groups(rules):
        found *= _sheets_of(_only(rules, group))
    if rules.saved_throws:
        found *= min(8, (rules.throws - 1) * len(rules.boxes)) + 1
    return found


def _sheets_of(rules: RuleSet) -> float:
    """How many sheets the boxes of one group have, without saved throws."""
    plain = replace(rules, saved_throws=False)
    try:
        return float(_layout(plain).size)
    except OverflowError:
        return float(2 ** len(rules.boxes))


def _layout(rules: RuleSet) -> SheetLayout:
    boxes = ordered(rules)
    kinds = like(rules, boxes)
    counted = 1.0
    for kind in set(kinds):
        counted *= kinds.count(kind) + 1
    if not rules.columns and counted > 70_000:  # noqa: PLR2004 - two seconds; no group that ships comes near
        raise OverflowError
    return layout(rules)


def _groups(rules: RuleSet, *, besides: Sequence[Bonus] = ()) -> list[tuple[Box, ...]]:
    """The boxes in groups that have to do with each other; `besides` are bonuses that tie none together."""
    sets: list[set[str]] = [{box.category} for box in rules.boxes]

    def tie(categories: set[str]) -> None:
        tied = [each for each in sets if each & categories]
        sets[:] = [each for each in sets if not each & categories] + [set().union(*tied)]

    for bonus in rules.bonuses:
        tracked = bonus.steps and bonus not in besides
        if tracked and len(members := {box.category for box in rules.members(bonus)}) > 1:
            tie(members)
    for box in rules.boxes:
        if box.after:
            tie({box.category, box.after})
    for column in rules.columns:
        if column.order != "free":
            tie({box.category for box in rules.boxes if box.column == column.id})
    kinds = like(rules, ordered(rules))
    for kind in set(kinds):
        if kinds.count(kind) > 1:
            tie({box.category for box, its in zip(ordered(rules), kinds, strict=True) if its == kind})
    return [tuple(box for box in rules.boxes if box.category in each) for each in sets]


def _only(rules: RuleSet, boxes: Sequence[Box]) -> RuleSet:
    """The rules with these boxes alone, and the bonuses that are for them alone, or their share of one."""
    categories = {box.category for box in boxes}
    bonuses = tuple(share for bonus in rules.bonuses if (share := _share(rules, bonus, categories)))
    columns = tuple(each for each in rules.columns if any(box.column == each.id for box in boxes))
    has_yacht = any(rules.yacht_of(box.column) in boxes for box in boxes)
    return replace(
        rules,
        boxes=tuple(box for box in rules.boxes if box.category in categories),
        bonuses=bonuses,
        columns=columns,
        joker=rules.joker if has_yacht else Joker.NONE,
        extra_yacht=rules.extra_yacht if has_yacht else 0,
    )


def _share(rules: RuleSet, bonus: Bonus, categories: set[str]) -> Bonus | None:
    """What a bonus is to these boxes; None where it is not for them, or looks at others too.

    What every box of it brings by itself, whatever the others hold, falls into shares.
    """
    members = rules.members(bonus)
    mine = [number for number, box in enumerate(members) if box.category in categories]
    if not mine or (bonus.steps and len(mine) < len(members)):
        return None
    par = tuple(bonus.par[number] for number in mine) if bonus.par else ()
    return replace(bonus, boxes=tuple(members[number].category for number in mine), par=par)


def _parts(rules: RuleSet) -> tuple[GamePart, ...]:
    """The parts that a large game is solved in: its columns, else groups, as large as they may be."""
    spanning = [bonus for bonus in rules.bonuses if len(rules.members(bonus)) == len(rules.boxes)]
    if len(rules.columns) > 1:
        groups = [tuple(box for box in rules.boxes if box.column == each.id) for each in rules.columns]
    else:
        groups = _merged(rules, _groups(rules, besides=spanning))
    rate = sum(_rate(bonus) for bonus in spanning)
    parts = []
    for group in groups:
        alone = _only(rules, group)
        own = tuple(
            bonus
            for bonus in alone.bonuses
            if not bonus.steps or len(rules.members(bonus)) < len(rules.boxes)
        )
        weight = (0.0 if rules.bonus_only else 1.0) + rate
        counted = tuple((box.category, weight) for box in group) if rate else ()
        parts.append(GamePart(replace(alone, bonuses=own), counted))
    return tuple(parts)


def _rate(bonus: Bonus) -> float:
    """What a bonus over all boxes pays for a point, on average between its first and its last step."""
    if not bonus.steps:
        return 0.0  # what a box of it brings depends on the box alone
    (first, low), (last, high) = bonus.steps[min(1, len(bonus.steps) - 1)], bonus.steps[-1]
    return (high - low) / (last - first) if last > first else 0.0


def _merged(rules: RuleSet, groups: list[tuple[Box, ...]]) -> list[tuple[Box, ...]]:
    """Groups put together again, as long as a part has no more sheets than it may have."""
    saved = 9 if rules.saved_throws else 1
    sizes = {group: _sheets_of(_only(rules, group)) for group in groups}
    wide = {group: _wide(_only(rules, group)) for group in groups}
    parts: list[tuple[tuple[Box, ...], float, float]] = []
    for group in sorted(groups, key=lambda each: -sizes[each]):
        for place, (boxes, size, across) in enumerate(parts):
            if size * sizes[group] * saved <= PART_SHEETS and across * wide[group] <= PART_WIDE:
                parts[place] = ((*boxes, *group), size * sizes[group], across * wide[group])
                break
        else:
            parts.append((group, sizes[group], wide[group]))
    return [boxes for boxes, *_ in parts]


class InParts:
    """The values of a game from its parts; the interface of `Solution`, approximately."""

    def __init__(self, rules: RuleSet | Model, solutions: Sequence[Solution]) -> None:
        self.model = rules if isinstance(rules, Model) else Model(rules)
        self.solutions = tuple(solutions)

    @cached_property
    def start(self) -> float:
        """The expected final score, too low by what parts cannot know of each other."""
        return self.to_come(Position(self.model.rules.categories, filled=())) + (
            sheet_totals(self.model.rules, Sheet()).total
        )

    def positions(self, where: Position) -> list[Position | None]:
        """The position of each part; None for one that is full."""
        found: list[Position | None] = []
        faces = {box.category for box in self.model.boxes if box.section is Section.UPPER}
        for solution in self.solutions:
            mine = solution.model.rules.categories
            open_ = tuple(category for category in where.open if category in mine)
            filled = None
            if where.filled is not None:
                filled = tuple((category, points) for category, points in where.filled if category in mine)
            upper = where.upper if faces <= {*mine} else 0
            called = where.called if where.called in mine else ""
            here = Position(open_, upper, where.yachts, filled, where.saved, called)
            found.append(here if open_ else None)
        return found

    def to_come(self, where: Position) -> float:
        """As Values.to_come; of throws that are saved each part gets its share."""
        there = [
            (each, here) for each, here in zip(self.solutions, self.positions(where), strict=True) if here
        ]
        return sum(_value(each, here, 0) for each, here in there) + self._of_saved(there, where.saved)

    def _of_saved(self, there: Sequence[tuple[Solution, Position]], saved: int) -> float:
        """What saved throws are worth: what they are to each part, by the turns it has left."""
        turns = sum(len(here.open) for _, here in there)
        return sum(
            len(here.open) / turns * (_value(each, here, saved) - _value(each, here, 0))
            for each, here in (there if saved else ())
        )

    def decision(self, where: Position) -> Decision:
        """As Values.decision."""
        there = [
            (each, here) for each, here in zip(self.solutions, self.positions(where), strict=True) if here
        ]
        rest = sum(_value(each, here, 0) for each, here in there)
        last = sum(len(here.open) for _, here in there) == 1  # nothing is saved for a later turn then
        saving = tuple(0.0 if last else self._of_saved(there, left) for left in range(self._most_saved + 1))
        throws = self.model.rules.throws + where.saved
        parts = [
            (self._of_part(each, here, where), rest - _value(each, here, 0))
            for each, here in there
            if here.called or not where.called
        ]
        named = {
            category: self._together([(mode, gained)], saving, throws)
            for found, gained in parts
            for category, mode in found.named.items()
        }
        return replace(self._together(parts, saving, throws), named=named)

    def _of_part(self, solution: Solution, here: Position, where: Position) -> Decision:
        """The decision of one part, in this position, in the whole game."""
        bit_of = {box.category: bit for bit, box in enumerate(self.model.boxes)}
        bits = {bit: bit_of[box.category] for bit, box in enumerate(solution.model.boxes)}
        found = solution.decision(replace(here, saved=0)).in_boxes(bits, self.model)
        return in_whole_game(self.model, solution.model, found, where)

    @cached_property
    def _most_saved(self) -> int:
        """How many counts of saved throws are distinguished; -1 where none are saved."""
        saves = self.model.rules.saved_throws
        return max(each.model.layout.saved for each in self.solutions) if saves else -1

    def _together(
        self, parts: Sequence[tuple[Decision, float]], saving: Sequence[float], throws: int
    ) -> Decision:
        """The decisions of some parts as one: each with what the other parts are worth."""
        actions = tuple(action for found, _ in parts for action in found.actions)
        late = np.vstack([found.late + gained for found, gained in parts])
        first = np.vstack([found.first + gained for found, gained in parts])
        by_left = tuple(late + kept for kept in saving)
        if any(found.saving for found, _ in parts) and not saving:
            by_left = tuple(
                np.vstack([found.at(left) + gained for found, gained in parts]) for left in range(throws)
            )
        return Decision(actions, late, first, throws, by_left)


def _value(solution: Solution, where: Position, saved: int) -> float:
    return solution.to_come(replace(where, saved=saved))
