"""From what the networks see, at one size of a picture after the other, to dice and one number: how sure."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from vision.inference.networks import ModelError
from vision.two_networks.faces import Seen

ENOUGH = 0.9
"""So sure, a picture whose dice are counted is not looked at in a further size."""
LIKELY = 0.5
"""Where nobody knows how many dice there are, what is likelier than that to be a die is one."""
ALIKE = 0.6, 1.7
"""Sizes of dice that lie together, over their usual one."""
THRESHOLDS = "thresholds.json"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Dice, and the one number that says how sure their faces and their count are.

    another: how likely there is a die besides. likeliest: how likely there is any at all.
    """

    dice: tuple[Seen, ...] = ()
    sure: float = 0.0
    another: float = 0.0
    likeliest: float = 0.0

    @property
    def faces(self) -> tuple[int, ...]:
        """What the dice show, sorted."""
        return tuple(sorted(one.face for one in self.dice))


def verdict(seen: Sequence[Seen], expected: int | None) -> Verdict:
    """The likeliest dice, as many as expected; not surer than that there is no other one."""
    ranked = sorted(seen, key=lambda one: -one.die)
    count = sum(one.die > LIKELY for one in ranked) if expected is None else expected
    dice = tuple(ranked[:count])
    likeliest = max((one.die for one in ranked), default=0.0)
    if len(dice) < count or not dice:
        return Verdict(dice, likeliest=likeliest)
    another = max((one.die for one in ranked[count:]), default=0.0)
    return Verdict(dice, min([1 - another, *(one.sure for one in dice)]), another, likeliest)


def settled(looks: Iterable[Sequence[Seen]], expected: int | None) -> Verdict:
    """The surest of the verdicts on a picture at several sizes, taken one by one until one is sure enough.

    One look may miss a die that another sees: the more surely another tells the face of something else, of
    about the size of these dice, the less sure is the verdict. Where nobody knows how many dice there are,
    every look is taken, and whatever any of them takes for a die counts so.
    """
    best, every = Verdict(), list[Seen]()
    for look in looks:
        best = max(best, verdict(look, expected), key=lambda told: (told.sure, len(told.dice)))
        every += look
        if expected is not None and best.sure >= ENOUGH:
            break
    best = replace(best, likeliest=max((one.die for one in every), default=0.0))
    others = (one for one in every if not any(_one_die(one, die) for die in best.dice))
    if expected is None:
        another = max((one.die for one in others), default=0.0)
    else:
        usual = float(np.median([die.place.size for die in best.dice] or [0.0]))
        alike = (one for one in others if ALIKE[0] < one.place.size / max(usual, 1.0) < ALIKE[1])
        another = max((one.sure for one in alike), default=0.0)
    return replace(best, another=max(best.another, another), sure=min(best.sure, 1 - another))


def _one_die(one: Seen, other: Seen) -> bool:
    """Whether two looks saw one die, or one of them saw a part of it."""
    a, b = one.place, other.place
    return bool(np.hypot(a.x - b.x, a.y - b.y) < max(a.size, b.size) / 2)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """ready: least sureness of a reading that is; empty: no place of an empty picture is so likely a die."""

    ready: float
    empty: float


def thresholds(folder: Path) -> Thresholds:
    """Those that stand beside the networks. Raises ModelError where they do not."""
    path = folder / THRESHOLDS
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        return Thresholds(float(told["ready"]), float(told["empty"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError("vision/network/description", file=str(path)) from error
