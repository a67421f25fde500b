"""From what the networks see, at one size of a picture after the other, to dice and one number: how sure."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lab.two_networks.faces import Seen
from vision.inference.networks import ModelError

ENOUGH = 0.9
"""So sure, a picture is not looked at in a further size."""
LIKELY = 0.5
"""Where nobody knows how many dice there are, what is likelier than that to be a die is one."""
LOOKS = 3
"""So many looks have to agree on a verdict that is sure."""
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
    """The verdict on which looks at several sizes of a picture agree, taken one by one until they surely do.

    As sure as the three surest looks that see the same faces are on average: one look may miss a die, take a
    side for one or read a face wrongly. Where fewer looks see these faces, the missing ones count as unsure.
    """
    agreed: dict[tuple[int, ...], list[Verdict]] = {}
    best, likeliest = Verdict(), 0.0
    for look in looks:
        one = verdict(look, expected)
        likeliest = max(likeliest, one.likeliest)
        alike = sorted([one, *agreed.get(one.faces, ())], key=lambda each: -each.sure)[:LOOKS]
        agreed[one.faces] = alike
        mean = replace(alike[0], sure=sum(each.sure for each in alike) / LOOKS)
        best = max(best, mean, key=lambda each: (each.sure, len(each.dice)))
        if best.sure >= ENOUGH:
            break
    return replace(best, likeliest=likeliest)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """ready: least sureness of a reading that is; empty: no place of an empty picture is so likely a die."""

    ready: float
    empty: float


def thresholds(folder: Path) -> Thresholds:
    """Those that stand beside the networks. Raises ModelError where they do not."""
    path = folder / THRESHOLDS
    try:
        limits = json.loads(path.read_text(encoding="utf-8"))
        return Thresholds(float(limits["ready"]), float(limits["empty"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError("vision/network/description", file=str(path)) from error
