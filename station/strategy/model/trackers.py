"""What of the filled boxes still matters: sums that bonuses look at, boxes that others wait for.

A tracker follows one such thing. Whatever comes to the same for the rest of the game is one class of it.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from station.rules import Bonus
from station.strategy.model.multisets import Indices


class Tracker(Protocol):
    """Follows some boxes, `bits` of a mask; `classes` of a mask of open boxes are numbered from 0."""

    @property
    def bits(self) -> int:
        """The boxes that matter to it."""

    def classes(self, mask: int) -> int:
        """How many classes there are with these boxes open."""

    def step(self, mask: int, bit: int, points: int) -> tuple[Indices, Indices]:
        """(classes,) which class follows each when a box is filled so, and what is paid for it."""

    def class_of(self, mask: int, mark: int) -> int:
        """The class of a mark (see `marks` of station.strategy.model.position), -1 if it cannot be."""


@dataclass(frozen=True)
class SumTracker:
    """The sum of the boxes of a bonus. `points` are those each of its boxes, by bit, may bring.

    Sums that come to the same are one class: all from which nothing more can be reached, or only one thing.
    `optional` are the bits of boxes that may stay open at the end.
    """

    bonus: Bonus
    points: dict[int, tuple[int, ...]]
    optional: int = 0
    _cache: dict[int, "_Classes"] = field(default_factory=dict)

    @cached_property
    def bits(self) -> int:
        """As Tracker.bits."""
        return sum(1 << bit for bit in self.points)

    @cached_property
    def _most(self) -> int | None:
        """Sums above the last step are as good as it, unless points can be lost again."""
        rises = all(min(points) >= 0 for points in self.points.values())
        return self.bonus.steps[-1][0] if rises else None

    @cached_property
    def _steps(self) -> tuple[Indices, Indices]:
        """(steps + 1,) what each sum has to reach, below the first one anything; and what is then paid."""
        least, paid = np.array(self.bonus.steps, dtype=np.intp).T
        return least, np.concatenate(([0], paid))

    def clipped(self, total: int) -> int:
        """The sum, or the last step where it is higher."""
        return total if self._most is None else min(total, self._most)

    def classes(self, mask: int) -> int:
        """As Tracker.classes."""
        return len(self._classes(mask).one)

    def step(self, mask: int, bit: int, points: int) -> tuple[Indices, Indices]:
        """As Tracker.step."""
        here, there = self._classes(mask), self._classes(mask & ~(1 << bit))
        after = here.one + points if self._most is None else np.minimum(here.one + points, self._most)
        least, paid = self._steps
        gained = paid[least.searchsorted(after, "right")] - paid[least.searchsorted(here.one, "right")]
        place = there.sums.searchsorted(after)
        if (there.sums[place] != after).any():
            raise KeyError(points)  # no box of the bonus brings that many
        return there.of[place], gained

    def class_of(self, mask: int, mark: int) -> int:
        """As Tracker.class_of; the mark is the sum."""
        here, total = self._classes(mask), self.clipped(mark)
        place = int(here.sums.searchsorted(total))
        return int(here.of[place]) if place < len(here.sums) and here.sums[place] == total else -1

    def _classes(self, mask: int) -> "_Classes":
        """The class of every sum that can be, and one sum of every class."""
        open_ = mask & self.bits
        found = self._cache.get(open_)
        if found is None:
            found = self._cache[open_] = self._work_out(open_)
        return found

    def _work_out(self, open_: int) -> "_Classes":
        sums = {0}
        low = high = 0
        for bit, points in self.points.items():
            if open_ >> bit & 1:
                may_bring = (0, *points) if self.optional >> bit & 1 else points
                low, high = low + min(may_bring), high + max(may_bring)
            else:
                sums = {self.clipped(total + more) for total in sums for more in points}
        classes: dict[tuple[int, ...], int] = {}
        of: list[int] = []
        one: list[int] = []
        for total in sorted(sums):
            now, least, best = (self.bonus.paid(total + more) for more in (0, low, high))
            crossed = any(total + low < step <= total + high for step, _ in self.bonus.steps)
            key = (total,) if crossed or least != best else (now, least, 0)
            if key not in classes:
                classes[key] = len(one)
                one.append(total)
            of.append(classes[key])
        return _Classes(*(np.array(each, dtype=np.intp) for each in (sorted(sums), of, one)))


class _Classes(NamedTuple):
    """(sums,) every sum that can be, rising, and the class of each; (classes,) one sum of every class."""

    sums: Indices
    of: Indices
    one: Indices


@dataclass(frozen=True)
class FlagTracker:
    """Whether one box holds points, be they below 0: class 1, once it is filled."""

    bit: int

    @property
    def bits(self) -> int:
        """As Tracker.bits."""
        return 1 << self.bit

    def classes(self, mask: int) -> int:
        """As Tracker.classes."""
        return 1 if mask >> self.bit & 1 else 2

    def step(self, mask: int, bit: int, points: int) -> tuple[Indices, Indices]:
        """As Tracker.step."""
        found = np.arange(self.classes(mask))
        return (np.full_like(found, points != 0) if bit == self.bit else found), np.zeros_like(found)

    def class_of(self, mask: int, mark: int) -> int:
        """As Tracker.class_of; the mark is 1 for a box that holds points."""
        return 0 if mask >> self.bit & 1 else int(mark > 0)


@dataclass(frozen=True)
class CompleteTracker:
    """Whether all boxes of a bonus that are filled hold points: class 1, once one is filled."""

    bonus: Bonus
    bits: int

    def classes(self, mask: int) -> int:
        """As Tracker.classes."""
        return 1 if mask & self.bits == self.bits else 2

    def step(self, mask: int, bit: int, points: int) -> tuple[Indices, Indices]:
        """As Tracker.step."""
        found = np.arange(self.classes(mask))
        if not self.bits >> bit & 1:
            return found, np.zeros_like(found)
        whole = (found if len(found) > 1 else found + 1) * int(points > 0)
        last = mask & self.bits == 1 << bit
        return whole, whole * (self.bonus.points if last else 0)

    def class_of(self, mask: int, mark: int) -> int:
        """As Tracker.class_of; the mark is 1 while no box of it holds 0."""
        return 0 if self.classes(mask) == 1 else int(mark > 0)
