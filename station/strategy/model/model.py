"""A rule set as arrays: what a roll scores where, and which sheet follows."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from station.rules import Box, Joker, Order, RuleSet
from station.rules.dice import Dice, is_yacht
from station.rules.scoring.choice import Choice
from station.rules.scoring.number import Number
from station.rules.scoring.yacht import Yacht
from station.strategy.model.cameroon import pair_points
from station.strategy.model.layout import SheetLayout, layout, most_saved, ordered, trackers_of
from station.strategy.model.multisets import Floats, Indices, Multisets, multisets
from station.strategy.model.trackers import FlagTracker, SumTracker

FORMAT = 2
"""Of the tables; a change of layout changes it, so that no old file is taken for a new one."""
CHOICE = Choice()
NO_WEIGHTS: Mapping[str, float] = MappingProxyType({})
IMPOSSIBLE = -1e9
"""Points that keep a box from ever being chosen; far below what any game can lose."""


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """Filling one box, or two at once, from the sheets of one mask.

    `points` (rolls,) after a later throw and `first` (rolls,) after the first; IMPOSSIBLE where a forced
    joker must go elsewhere, or the box was not announced. `kind` and `first_kind` (rolls,) tell rolls apart
    that lead to different sheets; None if all lead to the same. `after` (kinds, columns) are the places of
    the sheets that follow, `bonus` (kinds, columns) what is paid on the way; None for nothing. `stride` is
    how far apart the sheets that follow are for each saved throw. `blocked` (columns,) are those in which
    the box brings nothing yet, which `bonus` has taken off; None where that cannot be. `nothing`: the kind of
    rolls that bring nothing there. `by_left`: where later throws differ, points and kinds with 0, 1, … throws
    left, the first throw's last.
    """

    boxes: tuple[int, ...]
    points: Floats
    first: Floats
    kind: Indices | None
    after: Indices
    bonus: Floats | None
    first_kind: Indices | None = None
    stride: int = 0
    blocked: npt.NDArray[np.bool_] | None = None
    nothing: int = 0
    by_left: tuple[tuple[Floats, Indices | None], ...] = ()

    def scored(self, *, first: bool, left: int) -> tuple[Floats, Indices | None]:
        """The points of each roll, and its kind, after the first throw or with that many throws left."""
        if first:
            return self.first, self.first_kind
        return self.by_left[min(left, len(self.by_left) - 1)] if self.by_left else (self.points, self.kind)


class Model:
    """All that the solver and the hints need to know of a rule set. Reusable; never changes.

    weights: by category, how much of a box's points counts where that is not all (see
    station.strategy.values.parts).
    """

    def __init__(self, rules: RuleSet, weights: Mapping[str, float] = NO_WEIGHTS) -> None:
        self.rules = rules
        self.boxes = ordered(rules)
        self.page = rules.categories
        self._weights = {**dict.fromkeys(rules.categories, 0.0 if rules.bonus_only else 1.0), **weights}
        self.weight = next(iter(weights.values()), None)
        """How much of each point counts, where not all of it does."""
        self.dice: Multisets = multisets(rules.dice)
        self._places = {hold: index for held in self.dice.held for index, hold in enumerate(held)}
        groups = self.dice.rolls if rules.boxes_per_turn == 1 else multisets(rules.group).rolls
        yachts = np.array([is_yacht(group) for group in groups])
        self._points = _points(rules, self.boxes, groups, yachts)
        self.announces = any(box.announced for box in rules.boxes)
        """Whether any box has to be announced after the first throw."""
        self.throw_matters = self.announces or bool((self._points[:, :, :1] != self._points).any())
        """Whether any box pays more in a turn's first throw, or can be filled in it alone."""
        self._throws_differ = self._points.shape[2] > 2  # noqa: PLR2004 - the first and the later ones
        self.yachts: Indices = np.flatnonzero(yachts)[: len(yachts) if rules.boxes_per_turn == 1 else 0]
        """The places of the rolls that are yachts; none of ten dice are."""
        self.further_yacht = rules.further_yacht_in(rules.yacht.column) if rules.yacht else 0
        """Points on top for a further yacht; games of several columns are solved column by column."""
        self._yacht_box = 0 if rules.yacht is None else 1 << self.boxes.index(rules.yacht)
        self._pairs: dict[tuple[int, int], Floats] = {}
        self._kinds: dict[tuple[int, int], tuple[tuple[Indices | None, ...], tuple[int, ...]]] = {}
        if rules.boxes_per_turn > 1:
            self._pairs = pair_points(self.dice.rolls, groups, self._points[:, 0, -1])

    @cached_property
    def layout(self) -> SheetLayout:
        """The sheets of the game. Raises OverflowError where there are too many to list."""
        return layout(self.rules)

    @property
    def lefts(self) -> int:
        """How many counts of throws left at a turn's end are distinguished: saved, or by points."""
        return self.rules.throws - 1 if self._throws_differ else most_saved(self.rules)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all that the values of a game depend on; labels and page order do not matter."""
        rules = self.rules
        parts = [
            FORMAT, [(each.scoring.name, each.scoring.settings()) for each in self.boxes],
            rules.dice, rules.throws,
            rules.boxes_per_turn, rules.joker, rules.extra_yacht, rules.first_throw_yacht_wins,
            [sorted(self.boxes.index(box) for box in rules.members(each)) for each in rules.bonuses],
            [replace(each, boxes=()) for each in rules.bonuses],
            [replace(box.worth, scoring=CHOICE) for box in self.boxes], rules.bonus_only, rules.saved_throws,
            [(box.optional, bool(box.after)) for box in self.boxes], [each.order for each in rules.columns],
            sorted(self._weights.values()),
        ]  # fmt: skip
        if self.announces and (rules.extra_yacht or rules.joker is Joker.FORCED):
            parts.append("further yachts count in announced turns")  # values kept before left that out
        if rules.yacht and self.further_yacht != rules.extra_yacht * rules.yacht.factor:
            parts.append(("a further yacht brings", self.further_yacht))  # once it counted as the yacht box
        if _played_otherwise(rules, self.boxes, self._points):
            parts.append("as the table plays it")  # values kept before were of another game
        if rules.saved_throws:
            parts.append("nothing is saved in the last turn")  # games played before, to measure, saved then
        if any(box.after for box in self.boxes):  # once only that a box waits was included, not for which
            waits = [box.after and self.boxes.index(rules.box(box.after)) for box in self.boxes]
            parts.append(("a box waits for", waits))
        if any(
            not each.steps and len({box.worth for box in rules.members(each)}) > 1 for each in rules.bonuses
        ):
            parts.append("parts have their share of it")  # once it was left out where it spanned parts
        if self._left_open():
            parts.append("what may stay open need not bring anything")  # once it was taken to be filled
        if self._spread_otherwise():
            parts.append("scores are spread as they are")  # what was kept before was not
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]

    def _left_open(self) -> bool:
        """Whether a box of a bonus may stay open that, once it is filled, never brings nothing."""
        return any(
            tracker.optional >> bit & 1 and not min(points) <= 0 <= max(points)
            for tracker in trackers_of(self.rules, self.boxes)
            if isinstance(tracker, SumTracker)
            for bit, points in tracker.points.items()
        )

    def _spread_otherwise(self) -> bool:
        """Whether the spread of scores once was taken for another.

        Sheets after a first throw were taken for those after a later one, and of a bonus the first step alone
        was looked at.
        """
        apart = (self._points[:, :, 0] != self._points[:, :, -1]).any(axis=(1, 2))
        tracked = [tracker.bits for tracker in trackers_of(self.rules, self.boxes)] if apart.any() else []
        of_faces = self.rules.bonus
        return bool(
            any(differs and bits >> bit & 1 for bit, differs in enumerate(apart) for bits in tracked)
            or (of_faces and len(of_faces.steps) > 1)
        )

    @cached_property
    def first_chance(self) -> Floats:
        """(rolls,) the probability of each first throw, given that it does not end the game."""
        if not self.rules.first_throw_yacht_wins:
            return self.dice.chance
        chance = self.dice.chance.copy()
        chance[self.yachts] = 0
        chance /= chance.sum()
        return chance

    def place(self, hold: tuple[int, ...]) -> int:
        """The index of a sorted hold, or of a whole roll, among those of its size."""
        return self._places[hold]

    def most_points(self) -> Floats:
        """(boxes,) the most points each box can hold."""
        most: Floats = self._points.max(axis=(1, 2, 3))
        return most

    def masks(self, count: int) -> Indices:
        """The masks with that many boxes open."""
        every = self.layout.masks
        bits = sum((every >> bit) & 1 for bit in range(len(self.boxes)))
        found: Indices = every[bits == count]
        return found

    def actions(self, mask: int) -> list[Action]:
        """All ways to fill a box (two, in Double Cameroon) from the sheets with these boxes open."""
        bits = self.layout.next_bits(mask)
        if self.rules.boxes_per_turn == 1:
            wild = int(self.yachts_are_further(mask))
            forced = self.forced_out(bits) if wild and self.rules.joker is Joker.FORCED else None
            return [self._fill(mask, bit, wild, None if forced is None else forced[bit]) for bit in bits]
        return [
            Action(
                (one, two),
                self._pairs[one, two],
                self._pairs[one, two],
                None,
                self._after(mask, (one, two)),
                None,
            )
            for one, two in combinations(bits, 2)
        ]

    def announced(self, mask: int) -> list[Action]:
        """The ways to fill the boxes that may be announced, in turns in which they were.

        `actions` has them too, with IMPOSSIBLE points after a later throw.
        """
        bits = [bit for bit in self.layout.next_bits(mask) if self.boxes[bit].announced]
        wild = int(self.yachts_are_further(mask))
        return [self._fill(mask, bit, wild, None, named=True) for bit in bits]

    def yachts_are_further(self, mask: int) -> bool:
        """Whether a yacht now comes after the yacht box was filled."""
        return bool(self._yacht_box and not mask & self._yacht_box)

    def natural_points(self, boxes: tuple[int, ...], *, wild: bool, first: bool, left: int = 0) -> Floats:
        """(rolls,) the points of one box or two, whatever may be forbidden."""
        if len(boxes) > 1:
            return self._pairs[boxes[0], boxes[1]]
        last = self._points.shape[2] - 1
        throw = 0 if first else last - left if self._throws_differ else last
        points: Floats = self._points[boxes[0], int(wild), throw]
        return points

    def paid_for_yacht(self, mask: int) -> Floats | None:
        """(columns,) what a further yacht brings on top from each sheet of the mask; None if nothing."""
        if not self.further_yacht or not self.yachts_are_further(mask):
            return None
        half = self.layout.base(mask) // 2  # the flag of the yacht box is the last tracker
        return np.repeat([0.0, self.further_yacht], half)

    def _after(self, mask: int, bits: tuple[int, ...]) -> Indices:
        """(1, columns) the sheets that follow when only the mask changes."""
        for bit in bits:
            mask &= ~(1 << bit)
        columns: Indices = self.layout.offset[mask] + np.arange(self.layout.base(mask))
        return columns[np.newaxis]

    def _fill(
        self, mask: int, bit: int, wild: int, forbidden: Indices | None, *, named: bool = False
    ) -> Action:
        """Filling one box; `named`: it was announced."""
        first, *_, points = self._points[bit, wild]
        kinds, outcomes = self._told_apart(bit, wild)
        kind, first_kind = kinds[-1], kinds[0]
        left = mask & ~(1 << bit)
        steps = self.layout.steps(mask, bit, outcomes)
        after = self.layout.offset[left] + steps.after
        bonus = steps.bonus
        uncounted, box = self._uncounted(bit), self.boxes[bit]
        if uncounted is not None:
            bonus = bonus + uncounted(np.array(outcomes, dtype=np.float64))[:, np.newaxis]
        blocked, nothing = None, 0
        if box.after:
            blocked = ~self._holds_points(mask, box.after)
            nothing = outcomes.index(0)
            after = np.where(blocked, after[nothing], after)
            free = bonus[nothing] - np.array(outcomes, dtype=np.float64)[:, np.newaxis]
            bonus = np.where(blocked, free, bonus)
        if forbidden is not None and len(forbidden):
            first, points = first.copy(), points.copy()
            first[forbidden] = points[forbidden] = IMPOSSIBLE
        if box.announced and not named:
            points = np.full_like(points, IMPOSSIBLE)
        by_left: tuple[tuple[Floats, Indices | None], ...] = ()
        if self._throws_differ:
            every = self._points[bit, wild].copy()
            every[:, () if forbidden is None else forbidden] = IMPOSSIBLE
            by_left = tuple(zip(every[::-1], kinds[::-1], strict=True))
        if len(outcomes) == 1:
            kind = first_kind = None
            by_left = tuple((points_left, None) for points_left, _ in by_left)
        stride = self.layout.base(left) if self.layout.saved else 0
        paid = bonus if bonus.any() else None
        return Action((bit,), points, first, kind, after, paid, first_kind, stride, blocked, nothing, by_left)

    def _told_apart(self, bit: int, wild: int) -> tuple[tuple[Indices | None, ...], tuple[int, ...]]:
        """By throw, which rolls lead to different sheets when a box is filled: by what it then matters to."""
        found = self._kinds.get((bit, wild))
        if found is None:
            points = self._points[bit, wild]
            trackers = [each for each in self.layout.trackers if each.bits >> bit & 1]
            by_points = self._uncounted(bit) is not None or self.boxes[bit].after
            if by_points or any(isinstance(each, SumTracker) for each in trackers):
                nothing = [0.0] if self.boxes[bit].after else []
                values = np.unique(np.concatenate((points.ravel(), nothing)))
                kinds = np.searchsorted(values, points)
            elif trackers:
                values = np.unique(np.concatenate((np.sign(points).ravel(), [0.0, 1.0])))
                kinds = np.searchsorted(values, np.sign(points))
            else:
                values, kinds = np.zeros(1), np.zeros(points.shape, dtype=np.intp)
            found = self._kinds[bit, wild] = (tuple(kinds), tuple(int(each) for each in values))
        return found

    def _uncounted(self, bit: int) -> Callable[[Floats], Floats] | None:
        """Payments besides a box's points: weights, pars, bonuses of boxes."""
        box, weight, par, each_box = self.boxes[bit], self._weights[self.boxes[bit].category], 0, 0
        for bonus in self.rules.bonuses:
            if box not in (members := self.rules.members(bonus)):
                continue
            each_box += bonus.each_box
            if bonus.par:
                weight, par = weight + bonus.each, par + bonus.each * bonus.par[members.index(box)]
        if weight == 1 and not par and not each_box:
            return None
        return lambda points: points * (weight - 1) - par + each_box * (points > 0)

    def _holds_points(self, mask: int, category: str) -> npt.NDArray[np.bool_]:
        """(columns,) whether that box holds points, in every sheet of the mask."""
        columns = np.arange(self.layout.base(mask))
        bit = next(bit for bit, box in enumerate(self.boxes) if box.category == category)
        stride = 1
        for tracker in self.layout.trackers:
            classes = tracker.classes(mask)
            if isinstance(tracker, FlagTracker) and tracker.bit == bit:
                found: npt.NDArray[np.bool_] = columns // stride % classes == 1
                return found
            stride *= classes
        raise KeyError(category)

    @cached_property
    def _upper(self) -> dict[int, int]:
        """The bits of the boxes of each face."""
        found: dict[int, int] = {}
        for bit, box in enumerate(self.boxes):
            if isinstance(box.scoring, Number):
                found[box.scoring.face] = found.get(box.scoring.face, 0) | 1 << bit
        return found

    def forced_out(self, bits: Sequence[int]) -> dict[int, Indices]:
        """For every box that may be filled the yachts that must go elsewhere (Yahtzee's forced joker).

        As `station.rules.jokers.legal_boxes` has it: boxes that are announced are outside of it.
        """
        named = sum(1 << bit for bit, box in enumerate(self.boxes) if box.announced)
        uppers, next_ = sum(self._upper.values()), sum(1 << bit for bit in bits)
        any_lower = any(not (uppers | named) >> bit & 1 for bit in bits)
        forbidden: dict[int, Indices] = {}
        for bit in bits:
            no = []
            for roll in self.yachts:
                face = self.dice.rolls[int(roll)][0]
                own = self._upper.get(face, 0) & ~named & next_
                if named >> bit & 1:
                    continue
                if (own and not own >> bit & 1) or (not own and any_lower and uppers >> bit & 1):
                    no.append(int(roll))
            forbidden[bit] = np.array(no, dtype=np.intp)
        return forbidden


def _played_otherwise(rules: RuleSet, boxes: tuple[Box, ...], points: Floats) -> bool:
    """Whether values once were of other rules than those that are played.

    They took all yacht boxes for the one after which a yacht is a further one, one box of each face for its
    only one, also where it is not its turn in a column with an order, and points below 0 for none.
    """
    waited = {box.after for box in boxes} | (
        {rules.yacht.category} if rules.extra_yacht and rules.yacht else set()
    )
    below = any(points[bit].min() < 0 for bit, box in enumerate(boxes) if box.category in waited)
    kinds = [box.scoring for box in boxes if isinstance(box.scoring, Number)]
    yachts = sum(isinstance(box.scoring, Yacht) for box in boxes)
    further = rules.extra_yacht or rules.joker is not Joker.NONE
    return (
        below
        or bool(further and yachts > 1)
        or bool(rules.joker is Joker.FORCED and len({*kinds}) < len(kinds))
        or (rules.joker is Joker.FORCED and any(column.order is not Order.FREE for column in rules.columns))
    )


def _points(
    rules: RuleSet, boxes: tuple[Box, ...], groups: tuple[Dice, ...], yachts: npt.NDArray[np.bool_]
) -> Floats:
    """(boxes, natural or wild, first or later throw, groups) the points; only yachts are ever wild.

    Where later throws differ in any box, the third axis has all throws of a turn.
    """
    throws = max((box.throws_told_apart(rules.throws) for box in boxes), key=len)
    points = np.zeros((len(boxes), 2, len(throws), len(groups)))
    for (index, box), (when, throw) in product(enumerate(boxes), enumerate(throws)):
        points[index, :, when] = [box.score(group, throw).points for group in groups]
        for place in np.flatnonzero(yachts) if rules.joker is not Joker.NONE else ():
            points[index, 1, when, place] = box.score(groups[place], throw, wild=True).points
    return points
