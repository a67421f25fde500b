"""How good a network is, source by source: right faces, and the errors it is sure of."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lab.training.pools import Pool

SURE = 0.99


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one source: counts of patches.

    faces, right, sure, sure_wrong: patches of faces, those read right, those read with p >= 0.99 as some
    face, and of these the wrong ones. refused: faces called no face with p >= 0.99.
    others, kept_out, sure_taken: patches of no face, those called so, those sure to be some face.
    """

    source: str
    faces: int
    right: int
    sure: int
    sure_wrong: int
    refused: int
    others: int
    kept_out: int
    sure_taken: int

    def line(self) -> str:
        """One row of the table."""
        shown = f"{self.source:46s} {self.faces:5d}"
        shown += f" {self.right / self.faces:7.2%} {self.sure / self.faces:7.2%}" if self.faces else " " * 16
        shown += f" {self.sure_wrong:4d} {self.refused:4d} {self.others:6d}"
        return shown + (f" {self.kept_out / self.others:7.2%} {self.sure_taken:4d}" if self.others else "")


HEAD = f"{'source':46s} faces   right    sure s.wr refd others    kept taken"


def figures(pool: Pool, odds: NDArray[np.floating]) -> Iterator[Figures]:
    """One `Figures` a source of the pool, for odds (n, 7)."""
    best, likely = odds.argmax(1), odds.max(1)
    for source in sorted(set(pool.groups.tolist())):
        mine = pool.groups == source
        face, other = mine & (pool.labels > 0), mine & (pool.labels == 0)
        sure = (likely >= SURE) & (best > 0)
        yield Figures(
            source=source,
            faces=int(face.sum()),
            right=int((best == pool.labels)[face].sum()),
            sure=int(sure[face].sum()),
            sure_wrong=int((sure & (best != pool.labels))[face].sum()),
            refused=int(((likely >= SURE) & (best == 0))[face].sum()),
            others=int(other.sum()),
            kept_out=int((best == 0)[other].sum()),
            sure_taken=int(sure[other].sum()),
        )


def reliability(labels: NDArray[np.integer], odds: NDArray[np.floating]) -> list[tuple[float, int, float]]:
    """(lower end of a band of confidence, patches in it, share of them that are right)."""
    best, likely = odds.argmax(1), odds.max(1)
    ends = (0.0, 0.5, 0.7, 0.9, 0.95, 0.99, 0.999, 1.01)
    table = []
    for low, high in pairwise(ends):
        band = (likely >= low) & (likely < high)
        if band.any():
            table.append((low, int(band.sum()), float((best == labels)[band].mean())))
    return table
