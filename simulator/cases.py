"""Every hard case by name: scenes that a reader must read, or must refuse with the right reason.

>>> example("touching row", seed=1).expected.statuses
frozenset({<Status.READY: 'ready'>})
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from messages.errors import BadInputError
from simulator import readable, refused
from simulator.compose import Image
from simulator.draw import draw
from simulator.scene import Scene
from simulator.truth import DieTruth
from vision.reading import Reading, Reason, Status

TRIES = 60
ILLEGIBLE = 5.0
"""Grey levels by which pips must differ less from the body for nobody to count them."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a reading may say. faces: sorted, when it is to be ready. reasons: one of them must be given."""

    statuses: frozenset[Status]
    faces: tuple[int, ...] | None = None
    reasons: frozenset[Reason] = frozenset()

    def accepts(self, reading: Reading) -> bool:
        """Whether that reading is right in all it says."""
        if reading.status not in self.statuses:
            return False
        if reading.status is Status.READY:
            return reading.faces == self.faces
        return not self.reasons or bool(self.reasons & set(reading.reasons))


@dataclass(frozen=True, slots=True)
class Case:
    """A kind of picture. make: one scene of it, or None when chance did not manage (try again).

    dice_more: how many more dice the reader expects than there are. illegible: a die's pips must
    not be distinguishable from its body.
    """

    name: str
    make: Callable[[random.Random], Scene | None]
    statuses: frozenset[Status]
    reasons: frozenset[Reason] = frozenset()
    dice_more: int = 0
    illegible: bool = False

    @property
    def to_be_read(self) -> bool:
        """Whether the reader is to be sure of it."""
        return self.statuses == {Status.READY}


class Example(NamedTuple):
    """A picture of a case. dice: the truth, left to right. expected_dice: for the reader, how many."""

    case: str
    seed: int
    scene: Scene
    image: Image
    dice: tuple[DieTruth, ...]
    expected_dice: int
    expected: Expected


def _read(name: str, make: Callable[[random.Random], Scene | None]) -> Case:
    return Case(name, make, frozenset({Status.READY}))


def _refuse(
    name: str, make: Callable[[random.Random], Scene | None], *reasons: Reason, more: int = 0
) -> Case:
    return Case(name, make, frozenset({Status.UNSURE}), frozenset(reasons), more)


def _cases() -> tuple[Case, ...]:
    read = [_read(name, make) for name, make in readable.MAKERS.items()]
    refuse = [
        _refuse("cocked on the rim", refused.cocked_at_rim, Reason.COCKED),
        _refuse("cocked on a die", refused.cocked_on_die, Reason.COCKED),
        _refuse("cocked on a pencil", refused.cocked_on_pencil, Reason.COCKED),
        _refuse("stacked", refused.stacked, Reason.STACKED, Reason.TOO_FEW),
        _refuse("blurred", refused.blurred, Reason.BLURRED),
        _refuse("shaken", refused.shaken, Reason.BLURRED),
        _refuse("too dark", refused.too_dark, Reason.DARK),
        _refuse("burnt out", refused.burnt_out, Reason.OVEREXPOSED, Reason.GLARE),
        Case("glare", refused.glare, frozenset({Status.UNSURE}), frozenset({Reason.GLARE}), illegible=True),
        _refuse("cut off by the edge", refused.cut_off, Reason.CUT_OFF),
        _refuse("from the side", refused.from_the_side, Reason.OBLIQUE),
        _refuse("row from the side", refused.row_from_the_side, Reason.OBLIQUE),
        _refuse("too few", readable.plain, Reason.TOO_FEW, more=1),
        _refuse("too many", readable.plain, Reason.TOO_MANY, more=-1),
        _refuse("spare die", refused.spare_die, Reason.TOO_MANY, more=-1),
    ]
    covered = Case("hand over the dice", refused.hand_over, frozenset({Status.COVERED}))
    nothing = [
        Case("empty tray", refused.empty, frozenset({Status.EMPTY})),
        Case("only things", refused.only_things, frozenset({Status.EMPTY})),
    ]
    return (*read, *refuse, covered, *nothing)


CASES: dict[str, Case] = {case.name: case for case in _cases()}
"""Name -> case, in the order a report should have."""


def example(name: str, seed: int) -> Example:
    """One picture of the case; the same seed gives the same picture.

    Raises BadInputError when there is no such case.
    """
    if name not in CASES:
        raise BadInputError("simulated/no_case", name=name, cases=tuple(CASES))
    case = CASES[name]
    rng = random.Random(f"{name}/{seed}")  # noqa: S311 - pictures, no secrets
    for _ in range(TRIES):
        scene = case.make(rng)
        if scene is None:
            continue
        picture = draw(scene)
        if case.to_be_read and not all(die.legible for die in picture.dice):
            continue
        if case.illegible and min(die.contrast for die in picture.dice) > ILLEGIBLE:
            continue
        faces = tuple(sorted(die.face for die in picture.dice)) if case.to_be_read else None
        expected_dice = max(1, len(scene.dice) + case.dice_more) if scene.dice else 5
        expected = Expected(case.statuses, faces, case.reasons)
        return Example(name, seed, scene, picture.image, picture.dice, expected_dice, expected)
    raise BadInputError("simulated/no_example", name=name, seed=seed)
