"""How often a sure reading may be wrong: what pictures that taught nothing promise of others like them.

Two bounds. Clopper and Pearson's ("The use of confidence or fiducial limits illustrated in the case of the
binomial", Biometrika 1934): with 95 % certainty no more than that many of all pictures are read surely but
wrongly. And that of conformal risk control (Angelopoulos et al., ICLR 2024): were readings called sure only
from a confidence on, then, over such sets of pictures, at most that many are expected wrong. The least
confidence that keeps a wanted rate is the one to choose.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

CERTAINTY = 0.95
LEVELS = (0.6, 0.75, 0.9, 0.95, 0.97)
"""Confidences of the least sure die of a reading; the first is what the reader demands anyway."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A reading: confidence of its least sure die, 0 where it was refused; whether it was ready and wrong."""

    confidence: float
    wrong: bool


def most_wrong(wrong: int, pictures: int, certainty: float = CERTAINTY) -> float:
    """The largest rate, 0-1, at which so few wrong ones of so many would still be seen once in twenty times.

    >>> round(most_wrong(0, 300), 4), round(most_wrong(1, 300), 4), most_wrong(0, 0)
    (0.0099, 0.0157, 1.0)
    """
    if wrong >= pictures:
        return 1.0
    low, high = 0.0, 1.0
    while high - low > 1e-9:
        rate = (low + high) / 2
        seen = sum(math.comb(pictures, k) * rate**k * (1 - rate) ** (pictures - k) for k in range(wrong + 1))
        low, high = (rate, high) if seen > 1 - certainty else (low, rate)
    return high


def expected_wrong(verdicts: Sequence[Verdict], confidence: float) -> float:
    """The rate of sure but wrong readings, 0-1, to expect if none below that confidence is called sure.

    >>> verdicts = [Verdict(0.7, True)] + [Verdict(0.99, False)] * 98
    >>> expected_wrong(verdicts, 0.6), expected_wrong(verdicts, 0.9)
    (0.02, 0.01)
    """
    wrong = sum(one.wrong and one.confidence >= confidence for one in verdicts)
    return (wrong + 1) / (len(verdicts) + 1)


def least_confidence(verdicts: Sequence[Verdict], rate: float) -> float:
    """The least confidence from which on no higher rate of sure but wrong readings is to be expected.

    Infinite where there are too few readings to promise so much.

    >>> verdicts = [Verdict(0.7, True)] + [Verdict(0.99, False)] * 198
    >>> [round(least_confidence(verdicts, rate), 2) for rate in (0.01, 0.005, 0.001)]
    [0.0, 0.7, inf]
    """
    may_pass = math.floor(rate * (len(verdicts) + 1)) - 1
    if may_pass < 0:
        return math.inf
    wrong = sorted((one.confidence for one in verdicts if one.wrong), reverse=True)
    return math.nextafter(wrong[may_pass], math.inf) if len(wrong) > may_pass else 0.0


def table(sets: Iterable[tuple[str, Sequence[Verdict]]], levels: Sequence[float] = LEVELS) -> str:
    """For each set and confidence what is called sure, what of it is wrong, and both bounds; in Markdown."""
    head = "| set | sure from | pictures | sure | wrong | at most (95 %) | to expect at most |"
    lines = [head, "|---" * 7 + "|"]
    for name, verdicts in sets:
        for level in levels if verdicts else ():
            sure = [one for one in verdicts if one.confidence >= level]
            wrong, n = sum(one.wrong for one in sure), len(verdicts)
            bounds = f"{most_wrong(wrong, n):.2%} | {expected_wrong(verdicts, level):.2%}"
            lines.append(f"| {name} | {level:.2f} | {n} | {len(sure)} | {wrong} | {bounds} |")
    return "\n".join(lines)
