"""Which score sheets there are to tell apart, and where each stands in a table of values.

For the rest of a game only three things of a sheet matter: which boxes are open, how far the upper section is
from its bonus, and whether further yachts bring points. Upper totals that come to the same are one class:
all from the threshold on, all from which the bonus is out of reach, and totals that cannot occur have none.
That leaves 102,000 sheets of world-51 where open boxes times totals would be 262,000.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from station.rules import Box, RuleSet
from station.rules.dice import GROUP
from station.rules.scoring.number import Number
from station.rules.scoring.yacht import Yacht
from station.strategy.multisets import Floats, Indices

Classes = npt.NDArray[np.intp]


def ordered(rules: RuleSet) -> tuple[Box, ...]:
    """The boxes in the order of the tables, whatever order their page has: upper by face, then the others."""
    upper = sorted((box for box in rules.boxes if isinstance(box.scoring, Number)), key=_face)
    lower = sorted((box for box in rules.boxes if not isinstance(box.scoring, Number)), key=_name)
    return (*upper, *lower)


def _face(box: Box) -> int:
    """The face of an upper box."""
    assert isinstance(box.scoring, Number)  # noqa: S101 - for the type checker; only called on upper boxes
    return box.scoring.face


def _name(box: Box) -> str:
    """What a lower box is sorted by: how it scores."""
    return repr(box.scoring)


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """Filling one upper box by 0..5 dice of its face.

    `to` (6, classes) are the classes of the upper total afterwards, `bonus` (6, classes) the bonus reached.
    """

    to: Classes
    bonus: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The sheets of a rule set in a row.

    A sheet is a mask of open boxes (bit i for `boxes[i]`; the `faces` come first), the class of its upper
    total, and a flag: 1 when the yacht box holds points that make further yachts pay. `offset[mask]` is where
    the sheets of a mask begin, class by class, first all with flag 0. `class_of[upper mask][total]` is -1 for
    a total that cannot be; totals above the threshold count as the threshold.
    """

    boxes: tuple[Box, ...]
    faces: tuple[int, ...]
    threshold: int
    yacht_bit: int
    """Bit of the yacht box where further yachts pay, else 0: the flag never matters."""
    class_of: tuple[Classes, ...]
    classes: Indices
    """(upper masks,) how many classes each has."""
    steps: tuple[tuple[Step | None, ...], ...]
    """By upper mask and place of the face."""
    offset: Indices
    """(masks,)"""
    size: int

    @property
    def full(self) -> int:
        """The mask with all boxes open."""
        return (1 << len(self.boxes)) - 1

    def upper(self, mask: int) -> int:
        """The part of a mask that stands for the faces."""
        return mask & ((1 << len(self.faces)) - 1)

    def flags(self, mask: int) -> int:
        """2 where it matters whether the yacht box holds points, else 1."""
        return 2 if self.yacht_bit and not mask & self.yacht_bit else 1

    def columns(self, mask: int) -> int:
        """How many sheets have these boxes open."""
        return self.flags(mask) * int(self.classes[self.upper(mask)])

    def column(self, mask: int, total: int, *, pays: bool) -> int:
        """Where among the sheets of the mask one stands; -1 if no dice lead to that upper total."""
        upper = self.upper(mask)
        place = int(self.class_of[upper][min(total, self.threshold)])
        if place < 0:
            return -1
        return place + (int(self.classes[upper]) if pays and self.flags(mask) > 1 else 0)


def layout(rules: RuleSet) -> Layout:
    """The sheets of a rule set."""
    boxes = ordered(rules)
    faces = tuple(box.scoring.face for box in boxes if isinstance(box.scoring, Number))
    threshold = rules.bonus.threshold if rules.bonus else 0
    masks = range(1 << len(faces))
    class_of = tuple(_classes(faces, mask, threshold) for mask in masks)
    classes = np.array([int(of.max()) + 1 for of in class_of], dtype=np.intp)
    points = rules.bonus.points if rules.bonus else 0
    steps = tuple(
        tuple(
            _step(face, class_of[mask], class_of[mask ^ (1 << place)], points) if mask >> place & 1 else None
            for place, face in enumerate(faces)
        )
        for mask in masks
    )
    yacht_bit = 0
    if rules.extra_yacht:
        yacht_bit = next(1 << bit for bit, box in enumerate(boxes) if isinstance(box.scoring, Yacht))
    every = np.arange(1 << len(boxes))
    columns = classes[every & ((1 << len(faces)) - 1)]
    if yacht_bit:
        columns = np.where(every & yacht_bit, columns, 2 * columns)
    offset = np.concatenate(([0], np.cumsum(columns)))
    return Layout(
        boxes,
        faces,
        threshold,
        yacht_bit,
        class_of,
        classes,
        steps,
        offset[:-1].astype(np.intp),
        int(offset[-1]),
    )


def _classes(faces: tuple[int, ...], mask: int, threshold: int) -> Classes:
    """The class of every upper total 0..threshold when the boxes of the mask are open; -1 if it cannot be."""
    filled = [face for place, face in enumerate(faces) if not mask >> place & 1]
    still = GROUP * sum(face for place, face in enumerate(faces) if mask >> place & 1)
    can_be = np.zeros(threshold + 1, dtype=np.bool_)
    can_be[0] = True
    for face in filled:
        before = np.flatnonzero(can_be)
        for count in range(1, GROUP + 1):
            can_be[np.minimum(before + count * face, threshold)] = True
    totals = np.flatnonzero(can_be)
    hopeless = totals + still < threshold
    place = np.full(threshold + 1, -1, dtype=np.intp)
    first = int(hopeless.any())
    place[totals[hopeless]] = 0
    place[totals[~hopeless]] = first + np.arange(int((~hopeless).sum()))
    return place


def _step(face: int, here: Classes, there: Classes, bonus: int) -> Step:
    """Filling the box of a face, from the classes `here` to those `there`."""
    threshold = len(here) - 1
    _, totals = np.unique(np.where(here < 0, len(here), here), return_index=True)
    totals = totals[here[totals] >= 0]  # one total for each class
    to = np.zeros((GROUP + 1, len(totals)), dtype=np.intp)
    paid = np.zeros((GROUP + 1, len(totals)), dtype=np.float64)
    for count, (place, total) in product(range(GROUP + 1), enumerate(totals)):
        after = min(int(total) + count * face, threshold)
        to[count, place] = there[after]
        paid[count, place] = bonus if total < threshold <= after else 0
    return Step(to, paid)
