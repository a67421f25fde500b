"""What two networks see in a picture: dice, and how sure their faces and their count are."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.inference.networks import MODELS
from vision.pips import Floats
from vision.reading import Colour, DieReading
from vision.two_networks.engine import Network, load_network
from vision.two_networks.faces import Seen, shown_at
from vision.two_networks.places import LOOKS, Look, places
from vision.two_networks.verdict import Verdict, settled

EDGE = 0.8
"""Edge of a die's top face over its size, the longer side of an upright box round a die turned any way."""
Possible = Callable[[Floats, Floats, Floats], NDArray[np.bool_]]
"""Which places (x, y, edge; px) can be dice."""


class TwoNetworks:
    """The detector and the face network: what they see in a picture."""

    def __init__(self, detector: Network, faces: Network) -> None:
        self.detector, self.faces = detector, faces

    @classmethod
    def of_folder(cls, folder: Path) -> "TwoNetworks":
        """Those of a folder. Raises ModelError where one is missing or damaged."""
        return cls(load_network("detector", folder), load_network("faces", folder))

    def look(
        self, image: NDArray[np.uint8], look: Look, possible: Possible = lambda x, _y, _edge: x > -np.inf
    ) -> tuple[Seen, ...]:
        """What one look at the picture (h, w, 3) BGR shows. possible: which places are searched."""
        found = places(self.detector, image, look.long_side)
        x, y, edge = np.array([(one.x, one.y, EDGE * one.size) for one in found], np.float32).reshape(-1, 3).T
        there = [one for one, can_be in zip(found, possible(x, y, edge), strict=True) if can_be]
        return shown_at(self.faces, image, there, look)

    def looks(self, image: NDArray[np.uint8], possible: Possible) -> Iterator[tuple[Seen, ...]]:
        """One look after the other, each taken when it is requested."""
        return (self.look(image, look, possible) for look in LOOKS)


@lru_cache(maxsize=1)
def shared() -> TwoNetworks:
    """Those that ship, loaded at the first call. Raises ModelError where one is missing or damaged."""
    return TwoNetworks.of_folder(MODELS / "second_look")


def verdict_on(
    image: NDArray[np.uint8], expected: int | None, possible: Possible, least: float = 0.0
) -> Verdict:
    """What the networks make of a picture (h, w, 3) BGR in which so many dice are expected, or any number.

    least: see `settled`.
    """
    return settled(shared().looks(image, possible), expected, least)


def dice_of(verdict: Verdict) -> tuple[DieReading, ...]:
    """The dice of a verdict, left to right; their angle is not known and is 0."""
    return tuple(sorted(map(_die, verdict.dice), key=lambda die: die.center))


def _die(one: Seen) -> DieReading:
    place = one.place
    return DieReading(one.face, one.sure, (place.x, place.y), EDGE * place.size, 0.0, Colour.WHITE)
