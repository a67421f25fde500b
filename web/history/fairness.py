"""Are the dice fair? Counts of faces, how rarely a fair die does as badly, how often a face really comes.

The test is Pearson's chi-square against six equal chances. Its p-value is exact up to EXACT_MAX throws: every
way in which they could have fallen is counted, as two groups of three faces. Beyond that it is estimated from
throws of a fair die by chance, with its error. The intervals are those of the posterior that a uniform
Dirichlet prior leaves for each face.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import lgamma, log, sqrt
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from station.game.thrown_dice import ThrownDie
from station.rules.dice import FACES

ENOUGH = 60
"""Dice thrown before there is a verdict: ten of each face, if they are fair."""
EXACT_MAX = 150
TRIES = 100_000
"""Throws of a fair die by chance, where counting all would take too long."""
ODD, UNFAIR = 0.05, 0.001
"""p-values below which a die is called so, divided by the number of dice that are looked at together."""
TINY = 0.0001
"""No p-value below is shown as a number."""
CREDIBLE = 0.95
GRID = 40_001
SMALL_SHARE = 0.02
"""Of all dice thrown: a set thrown less often is listed with the others (a colour may be misread)."""

Verdict = Literal["few", "fair", "odd", "unfair"]


@dataclass(frozen=True, slots=True)
class FaceShare:
    """How often one face came, and between which shares of all throws it really comes, by 95 per cent."""

    face: Annotated[int, Field(ge=1, le=6)]
    count: int
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Tested:
    """What throws say about a die, or about several of one colour."""

    colour: Annotated[str, Field(description="Of its body; empty for all dice together.")]
    dice: Annotated[int, Field(description="How many of that colour there are in the set.")]
    thrown: int
    faces: tuple[FaceShare, ...]
    p: Annotated[float | None, Field(description="Null while there are too few throws.")]
    p_error: Annotated[float, Field(description="Twice the standard error of p; 0 where it is exact.")]
    verdict: Annotated[Verdict, Field(description="few: not enough throws to say anything.")]

    @property
    def furthest(self) -> FaceShare:
        """The face that is furthest from one throw in six."""
        return max(self.faces, key=lambda each: abs(each.count * len(FACES) - self.thrown))


@dataclass(frozen=True, slots=True)
class DiceSet:
    """Dice that lay on the table together, told by their colours, and when: first and last day, ISO 8601."""

    colours: tuple[str, ...]
    since: str
    until: str
    thrown: int
    dice: tuple[Tested, ...]


@dataclass(frozen=True, slots=True)
class Fairness:
    """All dice together, and each set, the most thrown first. others: dice of sets too rare to tell."""

    every: Tested
    sets: tuple[DiceSet, ...]
    others: int


def fairness(games: Sequence[tuple[str, Mapping[ThrownDie, int]]]) -> Fairness:
    """What all games say. games: the day of each, and how often each of its dice fell how."""
    sets: dict[tuple[str, ...], Counter[tuple[str, int]]] = {}
    days: dict[tuple[str, ...], list[str]] = {}
    every: Counter[int] = Counter()
    for day, thrown in games:
        for die, count in thrown.items():
            every[die.face] += count
            if die.dice:
                sets.setdefault(die.dice, Counter())[die.colour, die.face] += count
                days.setdefault(die.dice, []).append(day)
    least = SMALL_SHARE * every.total()
    listed = sorted(
        (each for each in sets if sets[each].total() >= least), key=lambda each: -sets[each].total()
    )
    together = sum(len(set(each)) for each in listed) + 1
    return Fairness(
        verdict_on("", 0, every, together),
        tuple(_set(each, sets[each], days[each], together) for each in listed),
        sum(counts.total() for each, counts in sets.items() if each not in listed),
    )


def _set(
    colours: tuple[str, ...], counts: Counter[tuple[str, int]], days: list[str], together: int
) -> DiceSet:
    dice = []
    for colour, number in Counter(colours).items():
        faces = Counter({face: counts[colour, face] for face in FACES})
        dice.append(verdict_on(colour, number, faces, together))
    return DiceSet(colours, min(days), max(days), counts.total(), tuple(dice))


def verdict_on(colour: str, dice: int, counts: Mapping[int, int], together: int = 1) -> Tested:
    """What these counts of faces say. together: how many dice are looked at; one may be odd by chance."""
    counted = tuple(counts.get(face, 0) for face in FACES)
    thrown = sum(counted)
    faces = tuple(
        FaceShare(face, count, *interval(count, thrown)) for face, count in zip(FACES, counted, strict=True)
    )
    if thrown < ENOUGH:
        return Tested(colour, dice, thrown, faces, None, 0.0, "few")
    p, error = p_value(counted)
    verdict: Verdict = "unfair" if p * together < UNFAIR else "odd" if p * together < ODD else "fair"
    return Tested(colour, dice, thrown, faces, p, error, verdict)


def interval(count: int, thrown: int) -> tuple[float, float]:
    """Between which shares a face really comes, by 95 per cent: Beta(1 + count, 5 + thrown - count)."""
    share = np.linspace(0, 1, GRID)[1:-1]
    logs = count * np.log(share) + (len(FACES) - 2 + thrown - count) * np.log1p(-share)
    below = np.cumsum(np.exp(logs - logs.max()))
    below /= below[-1]
    least, most = np.interp(((1 - CREDIBLE) / 2, (1 + CREDIBLE) / 2), below, share)
    return float(least), float(most)


def p_value(counts: Sequence[int]) -> tuple[float, float]:
    """How likely a fair die does as badly or worse, and twice the standard error of that; 0 where exact."""
    if sum(counts) <= EXACT_MAX:
        return exact_p(counts), 0.0
    return estimated_p(counts)


def estimated_p(counts: Sequence[int]) -> tuple[float, float]:
    """The same from throws by chance; the same counts give the same answer."""
    random = np.random.default_rng(list(counts))
    tries = random.multinomial(sum(counts), [1 / len(FACES)] * len(FACES), size=TRIES)
    worse = int(((tries**2).sum(axis=1) >= sum(count**2 for count in counts)).sum())
    p = (worse + 1) / (TRIES + 1)
    return p, 2 * sqrt(p * (1 - p) / TRIES)


def exact_p(counts: Sequence[int]) -> float:
    """The sum over every way in which the throws could have fallen that is as uneven or worse.

    Chi-square grows with the sum of the squares of the counts, a whole number: no rounding decides.
    """
    thrown, wanted = sum(counts), sum(count**2 for count in counts)
    total = 0.0
    for first in range(thrown + 1):
        split = lgamma(thrown + 1) - lgamma(first + 1) - lgamma(thrown - first + 1) - thrown * log(2)
        squares, chances = _three_faces(first)
        others, others_chances = _three_faces(thrown - first)
        from_the_top = np.append(np.cumsum(others_chances[::-1])[::-1], 0.0)
        tail = from_the_top[np.searchsorted(others, wanted - squares, side="left")]
        total += float(np.exp(split) * (chances * tail).sum())
    return min(total, 1.0)


@cache
def _three_faces(thrown: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Sums of squares of three equally likely faces' counts, ascending, and the chance of each."""
    one, two = np.meshgrid(np.arange(thrown + 1), np.arange(thrown + 1), indexing="ij")
    there = one + two <= thrown
    one, two = one[there], two[there]
    three = thrown - one - two
    logs = np.array([lgamma(n + 1) for n in range(thrown + 1)])
    chances = np.exp(logs[thrown] - logs[one] - logs[two] - logs[three] - thrown * log(3))
    squares, place = np.unique(one**2 + two**2 + three**2, return_inverse=True)
    return squares, np.bincount(place, weights=chances).astype(np.float64)
