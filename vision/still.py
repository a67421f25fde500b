"""The whole way from one picture to a reading."""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from vision import candidates, colour, evidence, judge, pips, quality
from vision.evidence import Evidence
from vision.reading import DieReading, Reading, Reason, Status

SEEN = 0.5
"""A candidate at least this likely is believed to be a die."""
SURE = 0.75
"""Every die of a ready reading is at least this likely."""
SUSPECT = 0.25
"""A candidate at least this likely that is not counted makes the count doubtful."""
COARSE_PIXELS = 1_500_000
"""Pictures larger than this are first searched at half their size."""


class Reader:
    """Reads stills: pure, reusable, one thread at a time.

    dice: how many dice are expected, 1-10. profile: what is known of camera and tray, if anything.
    clock: seconds, only for `Reading.ms`.
    """

    def __init__(
        self, dice: int = 5, profile: Profile | None = None, *, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self.dice = dice
        self.profile = profile
        self._clock = clock

    def expecting(self, dice: int) -> "Reader":
        """A reader with the same settings that expects another number of dice."""
        return Reader(dice, self.profile, clock=self._clock)

    def now(self) -> float:
        """Seconds on the reader's clock."""
        return self._clock()

    def read(self, image_bgr: NDArray[np.uint8]) -> Reading:
        """What one picture shows. image_bgr: (height, width, 3) uint8, BGR, 0-255."""
        began = self._clock()
        levels = pips.pyramid(image_bgr)
        first = 0
        while levels[first].shape[0] * levels[first].shape[1] > COARSE_PIXELS and first + 1 < len(levels):
            first += 1
        # a quick look mostly does; a textured ground or small dice need a longer one
        tries = [(first, pips.FEW), (first, pips.MANY)] + ([(first - 1, pips.MANY)] if first else [])
        reading = Reading(Status.EMPTY)
        for start, most in tries:
            longer = self._at(image_bgr, levels, start, most)
            if longer.status is Status.READY or len(longer.dice) >= len(reading.dice):
                reading = longer
            if reading.status is Status.READY:
                break
        return replace(reading, ms=(self._clock() - began) * 1000.0)

    def _at(
        self, image_bgr: NDArray[np.uint8], levels: tuple[NDArray[np.uint8], ...], first: int, most: int
    ) -> Reading:
        spots = pips.find(levels, first, most=most)
        classical = candidates.gather(levels, spots)
        found = evidence.consult(image_bgr, spots, classical, judge.judge(classical))
        chance = judge.conclude(found)
        chosen, doubtful = _choose(found, chance)
        dice = tuple(sorted(_dice(found, chance, chosen), key=lambda die: die.center))
        reasons = self._reasons(dice, doubtful=doubtful)
        if not dice and not doubtful:
            return Reading(Status.EMPTY)
        if not reasons:
            return Reading(Status.READY, dice)
        return Reading(Status.UNSURE, dice, (*reasons, *quality.faults(levels[-1])))

    def _reasons(self, dice: tuple[DieReading, ...], *, doubtful: bool) -> tuple[Reason, ...]:
        reasons = []
        if len(dice) < self.dice:
            reasons.append(Reason.TOO_FEW)
        if len(dice) > self.dice:
            reasons.append(Reason.TOO_MANY)
        if doubtful or any(die.confidence < SURE for die in dice):
            reasons.append(Reason.LOW_CONFIDENCE)
        return tuple(reasons)


def _choose(found: Evidence, chance: NDArray[np.float64]) -> tuple[list[int], bool]:
    """The likeliest candidates that do not overlap, and whether another might be a die as well."""
    near = judge.overlaps(found.x, found.y, found.edge)
    near |= near.T
    chosen: list[int] = []
    doubtful = False
    for i in np.argsort(-chance).tolist():
        if chance[i] < SUSPECT or near[i, chosen].any():
            continue
        if chance[i] < SEEN:
            doubtful = True
        else:
            chosen.append(i)
    return chosen, doubtful


def _dice(found: Evidence, chance: NDArray[np.float64], chosen: list[int]) -> list[DieReading]:
    return [
        DieReading(
            face=int(found.face[i]),
            confidence=float(chance[i]),
            center=(float(found.x[i]), float(found.y[i])),
            size=float(found.edge[i]),
            angle=float(found.angle[i]),
            colour=colour.name(found.body[i]),
        )
        for i in chosen
    ]
