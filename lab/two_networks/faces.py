"""What shows at a place: patches of the full picture, cut at several widths and turned, for one network."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.two_networks.engine import Network, normalised
from lab.two_networks.places import GREY, Place

SIDE = 80  # pixels of a patch
WINDOWS = (1.25, 1.45, 1.65)  # a patch is so many sizes wide
HEAT_OF_A_DIE = 0.6
"""From here on the detector does not doubt that something is a die. Grain of wood is given 0.1 to 0.4 and no
clear face; chosen for each maker of photographs by those of the others, it is 0.6 for ten of eleven."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A place and what the face network says of it: chances of no die and of the six faces."""

    place: Place
    odds: tuple[float, ...]

    @property
    def face(self) -> int:
        """The likeliest face, 1 to 6."""
        return 1 + int(np.argmax(self.odds[1:]))

    @property
    def die(self) -> float:
        """How likely a die is there, 0 to 1."""
        return (1 - self.odds[0]) * min(1.0, self.place.heat / HEAT_OF_A_DIE)

    @property
    def sure(self) -> float:
        """How likely a die is there that shows this face."""
        return max(self.odds[1:]) * min(1.0, self.place.heat / HEAT_OF_A_DIE)


def faces_at(network: Network, image: NDArray[np.uint8], places: Sequence[Place]) -> tuple[Seen, ...]:
    """What shows at these places of a picture (h, w, 3) BGR: all patches in one batch, averaged by place."""
    if not places:
        return ()
    patches = np.array([one for place in places for one in _ways(image, place)], np.uint8)
    logits = network(normalised(patches))
    odds = np.exp(logits - logits.max(1, keepdims=True))
    odds = (odds / odds.sum(1, keepdims=True)).reshape(len(places), -1, logits.shape[1]).mean(1)
    return tuple(Seen(place, tuple(row)) for place, row in zip(places, odds.tolist(), strict=True))


def _ways(image: NDArray[np.uint8], place: Place) -> Iterator[NDArray[np.uint8]]:
    for window in WINDOWS:
        patch = cut_square(image, (place.x, place.y), window * place.size, SIDE)
        for turns in range(4):
            yield np.rot90(patch, turns)


def cut_square(
    image: NDArray[np.uint8], middle: tuple[float, float], wide: float, side: int
) -> NDArray[np.uint8]:
    """A square `wide` pixels wide round `middle` as (side, side, 3); grey outside the picture."""
    half = wide / 2
    left, top = int(np.floor(middle[0] - half)) - 1, int(np.floor(middle[1] - half)) - 1
    right, bottom = int(np.ceil(middle[0] + half)) + 2, int(np.ceil(middle[1] + half)) + 2
    height, width = image.shape[:2]
    inner = image[max(0, top) : max(0, min(bottom, height)), max(0, left) : max(0, min(right, width))]
    if not inner.size:
        return np.full((side, side, 3), GREY, np.uint8)
    rims = (max(0, -top), max(0, bottom - height), max(0, -left), max(0, right - width))
    cut = cv2.copyMakeBorder(inner, *rims, cv2.BORDER_CONSTANT, value=GREY)
    scale = side / wide
    x, y = middle[0] - half - left, middle[1] - half - top
    if scale < 0.7:
        shrink = scale * 1.0
        cut = cv2.resize(cut, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        x, y, scale = x * shrink, y * shrink, 1.0
    shift = 0.5 * scale - 0.5 - scale * np.array([x, y])
    matrix = np.array([[scale, 0, shift[0]], [0, scale, shift[1]]])
    return np.asarray(
        cv2.warpAffine(cut, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        np.uint8,
    )
