"""Which score sheets are distinguished, and the place of each in a table of values.

For the rest of a game only this of a sheet matters: which boxes are open, what its trackers say (how far a
sum is from its bonus, whether a box holds points: station.strategy.model.trackers), how many throws are
saved. Of boxes that score alike the first ones are filled first, and of a column with an order one box is
next: what cannot be has no place. That leaves 102,000 sheets of world-51 where open boxes times totals
would be 262,000.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np

from station.rules import Bonus, Box, Joker, Order, RuleSet
from station.rules.reach import all_points
from station.rules.scoring.number import Number
from station.rules.scoring.yacht import Yacht
from station.strategy.model.multisets import Floats, Indices
from station.strategy.model.trackers import CompleteTracker, FlagTracker, SumTracker, Tracker

SAVED_MAX = 8
"""Saved throws beyond this are as good as so many: more are hardly ever used in one game."""
REMEMBERED_BITS = 8
"""Boxes that trackers follow up to which the ways to fill them are remembered: few, and looked up often."""
MASKS_MAX = 400_000
"""Masks of open boxes that are listed at all; a game with more is taken apart first."""


def ordered(rules: RuleSet) -> tuple[Box, ...]:
    """The boxes in the order of the tables, whatever order their page has: upper by face, then the others.

    Where columns have an order, the order of the page is kept.
    """
    if any(column.order is not Order.FREE for column in rules.columns):
        return rules.boxes
    upper = sorted((box for box in rules.boxes if isinstance(box.scoring, Number)), key=_face)
    others = (box for box in rules.boxes if not isinstance(box.scoring, Number))
    lower = sorted(others, key=lambda box: repr(box.scoring))
    return (*upper, *lower)


def _face(box: Box) -> int:
    """The face of an upper box."""
    assert isinstance(box.scoring, Number)  # noqa: S101 - for the type checker; only called on upper boxes
    return box.scoring.face


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """Filling one box: `after` (outcomes, columns) the sheets that follow, from their first, `bonus` alike.

    Columns are those without saved throws.
    """

    after: Indices
    bonus: Floats


class Offsets(Mapping[int, int]):
    """Where the sheets of each mask begin; 16 bytes a mask, a dict of numbers takes a hundred.

    masks: (n,) ascending. starts: (n,) where the sheets of each begin.

    >>> found = Offsets(np.array([0, 1, 4]), np.array([0, 3, 9]))
    >>> found[4], 2 in found, 5 in found, list(found)
    (9, False, False, [0, 1, 4])
    """

    def __init__(self, masks: Indices, starts: Indices) -> None:
        self.masks, self.starts = masks, starts
        self._all = len(masks) == int(masks[-1]) + 1

    def __getitem__(self, mask: int) -> int:
        at = mask if self._all else int(np.searchsorted(self.masks, mask))
        if not 0 <= at < len(self.masks) or self.masks[at] != mask:
            raise KeyError(mask)
        return int(self.starts[at])

    def __iter__(self) -> Iterator[int]:
        return iter(self.masks.tolist())

    def __len__(self) -> int:
        return len(self.masks)


@dataclass(frozen=True, eq=False)
class SheetLayout:
    """The sheets of a rule set in a row.

    A sheet is a mask of open boxes (bit i for `boxes[i]`), the class of each tracker (the first changes
    fastest), and the saved throws, up to `saved`. `offset[mask]` is where the sheets of a mask begin.
    """

    rules: RuleSet
    boxes: tuple[Box, ...]
    trackers: tuple[Tracker, ...]
    saved: int
    offset: Offsets
    size: int
    kinds: tuple[int, ...]
    """For every bit the lowest bit of a box that is just like it."""
    _steps: dict[tuple[int, int, tuple[int, ...]], Steps] = field(default_factory=dict)

    @property
    def full(self) -> int:
        """The mask with all boxes open."""
        return (1 << len(self.boxes)) - 1

    @property
    def masks(self) -> Indices:
        """All masks, ascending."""
        return self.offset.masks

    @property
    def starts(self) -> Indices:
        """(masks,) where the sheets of each mask begin."""
        return self.offset.starts

    def mask_of(self, sheet: int) -> int:
        """The mask of a sheet from its number."""
        return int(self.masks[np.searchsorted(self.starts, sheet, side="right") - 1])

    def base(self, mask: int) -> int:
        """How many sheets have these boxes open, apart from saved throws."""
        return _base(self.trackers, mask)

    def columns(self, mask: int) -> int:
        """How many sheets have these boxes open."""
        return self.base(mask) * (self.saved + 1)

    @cached_property
    def widest(self) -> int:
        """The most sheets that have the same boxes open, apart from saved throws."""
        return max(self.base(mask) for mask in self.offset)

    def column(self, mask: int, marks: tuple[int, ...], saved: int = 0) -> int:
        """The index of a sheet among those of the mask; -1 if no dice lead to these marks."""
        found, stride = 0, 1
        for tracker, mark in zip(self.trackers, marks, strict=True):
            one = tracker.class_of(mask, mark)
            if one < 0:
                return -1
            found += one * stride
            stride *= tracker.classes(mask)
        return found + min(saved, self.saved) * stride

    def canonical(self, mask: int) -> int:
        """The mask that stands for one with these boxes open: of like boxes the last ones are."""
        found = 0
        for kind in set(self.kinds):
            bits = [bit for bit, its in enumerate(self.kinds) if its == kind]
            count = sum(mask >> bit & 1 for bit in bits)
            found |= sum(1 << bit for bit in bits[len(bits) - count :])
        return found

    def next_bits(self, mask: int) -> list[int]:
        """The boxes that may be filled from a mask: of like ones the first, in an order the next."""
        return _next_bits(self.rules, self.boxes, self.kinds, mask)

    def ends(self, mask: int) -> bool:
        """Whether nothing has to be filled any more."""
        return all(self.boxes[bit].optional for bit in range(len(self.boxes)) if mask >> bit & 1)

    def steps(self, mask: int, bit: int, outcomes: tuple[int, ...]) -> Steps:
        """Filling a box from the sheets of a mask, for points it may bring."""
        relevant = 0
        for tracker in self.trackers:
            relevant |= tracker.bits
        if relevant.bit_count() > REMEMBERED_BITS:
            return self._worked_out(mask, bit, outcomes)
        key = (mask & relevant, bit, outcomes)
        found = self._steps.get(key)
        if found is None:
            found = self._steps[key] = self._worked_out(mask, bit, outcomes)
        return found

    def _worked_out(self, mask: int, bit: int, outcomes: tuple[int, ...]) -> Steps:
        left = mask & ~(1 << bit)
        columns = np.arange(self.base(mask))
        after = np.zeros((len(outcomes), len(columns)), dtype=np.intp)
        bonus = np.zeros((len(outcomes), len(columns)))
        stride, step = 1, 1
        for tracker in self.trackers:
            classes = tracker.classes(mask)
            here = columns // stride % classes
            for row, points in enumerate(outcomes):
                if tracker.bits >> bit & 1:
                    to, paid = tracker.step(mask, bit, points)
                    after[row] += to[here] * step
                    bonus[row] += paid[here]
                else:
                    after[row] += here * step
            stride, step = stride * classes, step * tracker.classes(left)
        return Steps(after, bonus)


def _base(trackers: tuple[Tracker, ...], mask: int) -> int:
    found = 1
    for tracker in trackers:
        found *= tracker.classes(mask)
    return found


def _next_bits(rules: RuleSet, boxes: tuple[Box, ...], kinds: tuple[int, ...], mask: int) -> list[int]:
    bits = [bit for bit in range(len(boxes)) if mask >> bit & 1]
    if any(column.order is not Order.FREE for column in rules.columns):
        following = set(rules.next_boxes(boxes[bit].category for bit in bits))
        bits = [bit for bit in bits if boxes[bit].category in following]
    seen: set[int] = set()
    return [bit for bit in bits if not (kinds[bit] in seen or seen.add(kinds[bit]))]  # type: ignore[func-returns-value]


def trackers_of(rules: RuleSet, boxes: tuple[Box, ...]) -> tuple[Tracker, ...]:
    """The facts about filled boxes that the model tracks."""
    bit_of = {box.category: bit for bit, box in enumerate(boxes)}
    found: list[Tracker] = []
    for bonus in rules.bonuses:
        members = [bit_of[box.category] for box in rules.members(bonus)]
        if bonus.complete:
            found.append(CompleteTracker(bonus, sum(1 << bit for bit in members)))
        elif bonus.steps and members:
            points = {bit: points_of(rules, boxes[bit]) for bit in sorted(members)}
            found.append(SumTracker(bonus, points, sum(1 << bit for bit in points if boxes[bit].optional)))
    found += [
        FlagTracker(bit_of[category]) for category in dict.fromkeys(box.after for box in boxes) if category
    ]
    if rules.extra_yacht and rules.yacht is not None:
        found.append(FlagTracker(bit_of[rules.yacht.category]))
    return tuple(found)


@lru_cache(maxsize=64)
def _points(box: Box, dice: int, turns: int, *, wild: bool) -> tuple[int, ...]:
    found = set(all_points(box, dice, turns))
    if wild:
        found |= {box.score((face,) * dice, turns, wild=True).points for face in range(1, 7)}
    return tuple(sorted(found))


def points_of(rules: RuleSet, box: Box) -> tuple[int, ...]:
    """All points a throw may bring in a box, ascending."""
    found = _points(box.worth, rules.group, rules.throws, wild=rules.joker is not Joker.NONE)
    return tuple(sorted({0, *found})) if box.after else found


def like(rules: RuleSet, boxes: tuple[Box, ...]) -> tuple[int, ...]:
    """For every box the first one that is just like it, in the same column and the same bonuses."""
    if any(column.order is not Order.FREE for column in rules.columns) or rules.boxes_per_turn > 1:
        return tuple(range(len(boxes)))
    waited = {box.after for box in boxes}
    further = rules.extra_yacht or rules.joker is not Joker.NONE
    seen: dict[object, int] = {}
    found = []
    for bit, box in enumerate(boxes):
        bonuses = tuple(number for number, each in enumerate(rules.bonuses) if box in rules.members(each))
        pars = tuple(_par(rules, each, box) for each in rules.bonuses)
        alone = bit if box.category in waited or (isinstance(box.scoring, Yacht) and further) else None
        found.append(
            seen.setdefault((box.worth, box.column, box.after, box.optional, bonuses, pars, alone), bit)
        )
    return tuple(found)


def _par(rules: RuleSet, bonus: Bonus, box: Box) -> int:
    """What a bonus by par expects of a box; 0 where it expects nothing."""
    if not bonus.par:
        return 0
    return dict(zip((each.category for each in rules.members(bonus)), bonus.par, strict=True)).get(
        box.category, 0
    )


def most_saved(rules: RuleSet) -> int:
    """How many counts of saved throws are distinguished."""
    return min(SAVED_MAX, (rules.throws - 1) * len(rules.boxes)) if rules.saved_throws else 0


def masks_of(rules: RuleSet, boxes: tuple[Box, ...], kinds: tuple[int, ...]) -> Iterator[int]:
    """All masks of open boxes that can come about."""
    full = (1 << len(boxes)) - 1
    if rules.boxes_per_turn > 1 or (len(set(kinds)) == len(kinds) and not rules.columns):
        yield from range(full + 1)
        return
    seen, layer = {full}, [full]
    while layer:
        yield from layer
        following = {mask & ~(1 << bit) for mask in layer for bit in _next_bits(rules, boxes, kinds, mask)}
        layer = [mask for mask in following if mask not in seen]
        seen |= following
        if len(seen) > MASKS_MAX:
            raise OverflowError


def layout(rules: RuleSet) -> SheetLayout:
    """The sheets of a rule set. Raises OverflowError for more masks than can be listed."""
    boxes = ordered(rules)
    kinds = like(rules, boxes)
    if len(set(kinds)) == len(boxes) and not rules.columns and 1 << len(boxes) > MASKS_MAX:
        raise OverflowError
    trackers = trackers_of(rules, boxes)
    saved = most_saved(rules)
    masks = np.sort(np.fromiter(masks_of(rules, boxes, kinds), dtype=np.intp))
    columns = np.fromiter((_base(trackers, int(mask)) for mask in masks), dtype=np.intp, count=len(masks))
    ends = np.cumsum(columns * (saved + 1))
    offset = Offsets(masks, np.concatenate(([0], ends[:-1])))
    return SheetLayout(rules, boxes, trackers, saved, offset, int(ends[-1]), kinds)
