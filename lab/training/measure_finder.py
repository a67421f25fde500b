"""How good the finder is, source by source: dice found, and proposals where no die lies."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lab.training.dense_data import Picture

NEAR = 0.45  # a die is found when a proposal's middle is nearer than this share of its edge
SIZES = (0.6, 1.7)  # and its edge is within these times the true one
HEAD = f"{'source':46s} pictures  dice   found  false a picture"


@dataclass(frozen=True, slots=True)
class Found:
    """Of one source: pictures, dice that must be found, those found, proposals that lie on no die."""

    source: str
    pictures: int = 0
    dice: int = 0
    found: int = 0
    false: int = 0

    def line(self) -> str:
        """One row of the table."""
        share = f"{self.found / self.dice:7.2%}" if self.dice else " " * 7
        return (
            f"{self.source:46s} {self.pictures:8d} {self.dice:5d} {share} {self.false / self.pictures:8.2f}"
        )


def counted(before: Found, picture: Picture, proposals: NDArray[np.floating]) -> Found:
    """The counts with one more picture; proposals (n, 4) x, y, edge, score."""
    x, y, edge, must = picture.dice.T.reshape(4, -1, 1)
    away = np.hypot(proposals[:, 0] - x, proposals[:, 1] - y)
    ratio = proposals[:, 2] / edge
    hit = (away < NEAR * edge) & (ratio > SIZES[0]) & (ratio < SIZES[1])
    return replace(
        before,
        pictures=before.pictures + 1,
        dice=before.dice + int(must.sum()),
        found=before.found + int((hit.any(1) & (must[:, 0] > 0)).sum()),
        false=before.false + int((~(away < 0.8 * edge).any(0)).sum()),
    )


def found_table(
    pictures: Iterable[Picture], propose: Callable[[NDArray[np.uint8]], NDArray[np.floating]]
) -> list[Found]:
    """One row a source (photographs) or stratum (renders)."""
    rows: dict[str, Found] = {}
    for picture in pictures:
        source = "/".join(picture.group.split("/")[:2])
        rows[source] = counted(rows.get(source, Found(source)), picture, propose(picture.image))
    return [rows[source] for source in sorted(rows)]
