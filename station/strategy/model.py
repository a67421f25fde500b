"""A rule set as arrays: what a roll scores where, and which sheet follows."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from station.rules import Box, Joker, RuleSet
from station.rules.dice import GROUP, Dice, is_yacht
from station.rules.scoring.yacht import Yacht
from station.strategy.cameroon import pair_points
from station.strategy.layout import Layout, layout, ordered
from station.strategy.multisets import Floats, Indices, Multisets, multisets

FORMAT = 1
"""Of the tables; a change of layout changes it, so that no old file is taken for a new one."""
IMPOSSIBLE = -1e9
"""Points that keep a box from ever being chosen; far below what any game can lose."""


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """Filling one box, or two at once, from the sheets of one mask.

    `points` (rolls,) after a later throw and `first` (rolls,) after the first; IMPOSSIBLE where a forced
    joker must go elsewhere. `kind` (rolls,) tells rolls apart that lead to different sheets; None if all lead
    to the same. `after` (kinds, columns) are the places of the sheets that follow, `bonus` (kinds, columns)
    what is paid on the way; None for nothing.
    """

    boxes: tuple[int, ...]
    points: Floats
    first: Floats
    kind: Indices | None
    after: Indices
    bonus: Floats | None


class Model:
    """All that the solver and the hints need to know of a rule set. Reusable; never changes."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.layout: Layout = layout(rules)
        self.page = rules.categories
        self.dice: Multisets = multisets(rules.dice)
        self._places = {hold: index for held in self.dice.held for index, hold in enumerate(held)}
        groups = self.dice.rolls if rules.dice == GROUP else multisets(GROUP).rolls
        yachts = np.array([is_yacht(group) for group in groups])
        self._points = _points(rules, self.layout.boxes, groups, yachts)
        self.throw_matters = bool((self._points[:, :, 0] != self._points[:, :, 1]).any())
        """Whether any box pays more in a turn's first throw."""
        counts = [[group.count(face) for group in groups] for face in self.layout.faces]
        self._counts: Indices = np.array(counts, dtype=np.intp).reshape(-1, len(groups))
        self.yachts: Indices = np.flatnonzero(yachts)[: len(yachts) if rules.dice == GROUP else 0]
        """The places of the rolls that are yachts; none of ten dice are."""
        is_yacht_box = [isinstance(box.scoring, Yacht) for box in self.layout.boxes]
        self._yacht_box = sum(1 << bit for bit, is_one in enumerate(is_yacht_box) if is_one)
        self._pays = int(self.layout.yacht_bit).bit_length() - 1
        self._pairs: dict[tuple[int, int], Floats] = {}
        if rules.boxes_per_turn > 1:
            self._pairs = pair_points(self.dice.rolls, groups, self._points[:, 0, 1])

    @cached_property
    def fingerprint(self) -> str:
        """What tells this game from others that have other values; labels and page order do not matter."""
        rules = self.rules
        said = (
            FORMAT, [repr(box.scoring) for box in ordered(rules)], rules.bonus, rules.dice, rules.throws,
            rules.boxes_per_turn, rules.joker, rules.extra_yacht, rules.first_throw_yacht_wins,
        )  # fmt: skip
        return hashlib.sha256(repr(said).encode()).hexdigest()[:16]

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
        """Where a sorted hold, or a whole roll, stands among those of its size."""
        return self._places[hold]

    def most_points(self) -> Floats:
        """(boxes,) the most points each box can hold."""
        most: Floats = self._points.max(axis=(1, 2, 3))
        return most

    def masks(self, count: int) -> Indices:
        """The masks with that many boxes open."""
        every = np.arange(self.layout.full + 1)
        bits = sum((every >> bit) & 1 for bit in range(len(self.layout.boxes)))
        return np.flatnonzero(bits == count)

    def actions(self, mask: int) -> list[Action]:
        """All ways to fill a box (two, in Double Cameroon) from the sheets with these boxes open."""
        bits = [bit for bit in range(len(self.layout.boxes)) if mask >> bit & 1]
        if self.rules.boxes_per_turn == 1:
            wild = int(self.yachts_are_further(mask))
            forced = self._forced(mask, bits) if wild and self.rules.joker is Joker.FORCED else None
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

    def yachts_are_further(self, mask: int) -> bool:
        """Whether a yacht now comes after the yacht box was filled."""
        return bool(self._yacht_box and not mask & self._yacht_box)

    def natural_points(self, boxes: tuple[int, ...], *, wild: bool, first: bool) -> Floats:
        """(rolls,) the points of one box or two, whatever may be forbidden."""
        if len(boxes) > 1:
            return self._pairs[boxes[0], boxes[1]]
        points: Floats = self._points[boxes[0], int(wild), int(not first)]
        return points

    def paid_for_yacht(self, mask: int) -> Floats | None:
        """(columns,) what a further yacht brings on top from each sheet of the mask; None if nothing."""
        if self.layout.flags(mask) == 1:
            return None
        half = self.layout.columns(mask) // 2
        return np.repeat([0.0, float(self.rules.extra_yacht)], half)

    def _after(self, mask: int, bits: tuple[int, ...]) -> Indices:
        """(1, columns) the sheets that follow when only the mask changes."""
        for bit in bits:
            mask &= ~(1 << bit)
        columns: Indices = self.layout.offset[mask] + np.arange(self.layout.columns(mask))
        return columns[np.newaxis]

    def _fill(self, mask: int, bit: int, wild: int, forbidden: Indices | None) -> Action:
        """Filling one box."""
        first, points = self._points[bit, wild]
        if forbidden is not None and len(forbidden):
            first, points = first.copy(), points.copy()
            first[forbidden] = points[forbidden] = IMPOSSIBLE
        if bit < len(self.layout.faces):
            return self._fill_upper(mask, bit, points, first)
        if bit != self._pays:
            return Action((bit,), points, first, None, self._after(mask, (bit,)), None)
        after = self._after(mask, (bit,)).reshape(2, -1)  # flag 0, flag 1
        return Action((bit,), points, first, (points > 0).astype(np.intp), after, None)

    def _fill_upper(self, mask: int, bit: int, points: Floats, first: Floats) -> Action:
        """Filling the box of a face, which may bring the bonus."""
        step = self.layout.steps[self.layout.upper(mask)][bit]
        assert step is not None  # noqa: S101 - the bit is set
        after = mask & ~(1 << bit)
        to, bonus = step.to, step.bonus
        if self.layout.flags(mask) > 1:
            classes = int(self.layout.classes[self.layout.upper(after)])
            to, bonus = np.hstack((to, to + classes)), np.hstack((bonus, bonus))
        return Action((bit,), points, first, self._counts[bit], self.layout.offset[after] + to, bonus)

    def _forced(self, mask: int, bits: list[int]) -> dict[int, Indices]:
        """For every open box the yachts that must go elsewhere (Yahtzee's forced joker)."""
        upper = len(self.layout.faces)
        any_lower = any(bit >= upper for bit in bits)
        forbidden: dict[int, Indices] = {}
        for bit in bits:
            no = []
            for roll in self.yachts:
                face = self.dice.rolls[int(roll)][0]
                own = self.layout.faces.index(face) if face in self.layout.faces else -1
                own_open = own >= 0 and bool(mask >> own & 1)
                if (own_open and bit != own) or (not own_open and any_lower and bit < upper):
                    no.append(int(roll))
            forbidden[bit] = np.array(no, dtype=np.intp)
        return forbidden


def _points(
    rules: RuleSet, boxes: tuple[Box, ...], groups: tuple[Dice, ...], yachts: npt.NDArray[np.bool_]
) -> Floats:
    """(boxes, natural or wild, first or later throw, groups) the points; only yachts are ever wild."""
    wilds, throws = (False, rules.joker is not Joker.NONE), (1, rules.throws)
    points = np.zeros((len(boxes), len(wilds), len(throws), len(groups)))
    for index, box in enumerate(boxes):
        for (way, wild), (when, throw) in product(enumerate(wilds), enumerate(throws)):
            points[index, way, when] = [box.scoring.score(group, throw, wild=wild).points for group in groups]
    points[:, 1] = np.where(yachts, points[:, 1], points[:, 0])
    return points
