"""The whole way from one picture to a reading, by two networks and one threshold."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lab.two_networks.engine import Network, with_opencv
from lab.two_networks.faces import Seen, faces_at
from lab.two_networks.places import LONG_SIDES, places
from lab.two_networks.verdict import LIKELY, Thresholds, Verdict, settled
from vision.inference import body_colour
from vision.pips import pyramid
from vision.reading import Colour, DieReading, Reading, Reason, Status

EDGE = 0.8
"""Edge of a die's top face over its size, the longer side of an upright box round a die turned any way."""


class TwoNetworks:
    """The detector and the face network: what they see in a picture."""

    def __init__(self, detector: Network, faces: Network) -> None:
        self.detector, self.faces = detector, faces

    @classmethod
    def of_folder(cls, folder: Path, run: Callable[[str, Path], Network] = with_opencv) -> "TwoNetworks":
        """Those of a folder. Raises ModelError where one is missing or damaged."""
        return cls(run("detector", folder), run("faces", folder))

    def look(self, image: NDArray[np.uint8], long_side: int) -> tuple[Seen, ...]:
        """What the picture (h, w, 3) BGR shows, its longer side made so long for the detector."""
        return faces_at(self.faces, image, places(self.detector, image, long_side))

    def looks(self, image: NDArray[np.uint8]) -> Iterator[tuple[Seen, ...]]:
        """One look after the other, each taken when it is asked for."""
        return (self.look(image, side) for side in LONG_SIDES)


class NetworkReader:
    """Reads stills, as `vision.reader.Reader` does. The angle of a die is not known: it is always 0."""

    def __init__(
        self,
        dice: int | None,
        networks: TwoNetworks,
        limits: Thresholds,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.dice, self.networks, self.limits, self._clock = dice, networks, limits, clock

    def read(self, image_bgr: NDArray[np.uint8]) -> Reading:
        """What one picture shows. image_bgr: (height, width, 3) uint8, BGR, 0-255."""
        began = self._clock()
        reading = self._reading(settled(self.networks.looks(image_bgr), self.dice))
        dice = body_colour.coloured(reading.dice, pyramid(image_bgr)) if reading.dice else ()
        return replace(reading, dice=dice, ms=(self._clock() - began) * 1000.0)

    def _reading(self, verdict: Verdict) -> Reading:
        """The verdict as a reading."""
        if verdict.likeliest < self.limits.empty:
            return Reading(Status.EMPTY)
        ready = verdict.sure >= self.limits.ready
        dice = tuple(_die(one) for one in verdict.dice if ready or one.die > LIKELY)
        dice = tuple(sorted(dice, key=lambda die: die.center))
        if ready:
            return Reading(Status.READY, dice)
        reason = Reason.LOW_CONFIDENCE
        if len(dice) < (self.dice or 1):
            reason = Reason.TOO_FEW
        elif self.dice is not None and verdict.another > LIKELY:
            reason = Reason.TOO_MANY
        return Reading(Status.UNSURE, dice, (reason,))


def _die(one: Seen) -> DieReading:
    place = one.place
    return DieReading(one.face, one.sure, (place.x, place.y), EDGE * place.size, 0.0, Colour.WHITE)
