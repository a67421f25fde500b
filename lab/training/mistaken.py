"""What a reader might take for a die: places that its other witnesses point at, though no die lies there.

A network that was never shown a button, a domino's half or a numbered die says with conviction which face it
shows. The reader as it ships points at the places, so that each go of training mends what the last one left.
Trays of the simulated camera with such things teach their dice as well.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lab.training.pools import Cut, Labelled
from simulator.cases import CASES, Example, example
from vision import pips
from vision.detection import candidates, pip_search
from vision.inference.face_looks import NOT_A_FACE
from vision.judgement import evidence, fusion

FIRST_SEED = 500_000
"""Far from the seeds of the golden frames, the tests and the benchmark."""
HARDER = ("beside", "things", "row", "heap", "oblique", "clear dice")
"""How the cases end of which there are more."""
DOMINO = "domino"
"""Its halves are no lesson: they look like dice that touch, which must be read; its bar is looked for instead
(`vision.judgement.posture`)."""
ASTRAY, LIKELY, PROPOSED = 2e-4, 0.02, 0.08
"""What all witnesses, the classical ones or the finder think at least this likely counts as such a place. The
first is so small because a lesson is needed most where all witnesses together err."""
ANOTHER_SIZE = 0.3
"""Cuts round one place are different lessons where the logs of their edges differ by more."""
AWAY = 1.25
"""Farther than this many edges from the middle of every die, a place is no part of one."""
MOST = 8
"""Places of one picture, likeliest first."""


def mistaken(image_bgr: NDArray[np.uint8], dice: Sequence[tuple[float, float, float]]) -> Iterator[Cut]:
    """Places in a picture (h, w, 3) uint8 that look like dice and are none.

    dice: x, y and edge (px) of every die in it, legible or not.
    """
    x, y, edge, promise = _suspects(image_bgr)
    kept: list[Cut] = []
    for k in np.argsort(-promise, kind="stable").tolist():
        cut = Cut(float(x[k]), float(y[k]), float(edge[k]), NOT_A_FACE)
        alike = (
            abs(one.x - cut.x) + abs(one.y - cut.y) < 0.3 * cut.edge_px
            and abs(np.log(one.edge_px / cut.edge_px)) < ANOTHER_SIZE
            for one in kept
        )
        part = (np.hypot(cut.x - a, cut.y - b) < AWAY * max(c, cut.edge_px) for a, b, c in dice)
        if promise[k] < 1 or len(kept) == MOST:
            break
        if cut.edge_px > 8 and not any(part) and not any(alike):
            kept.append(cut)
    yield from kept


def _suspects(image_bgr: NDArray[np.uint8]) -> NDArray[np.float64]:
    """(4, n) x, y, edge (px) and promise of all that any witness sees; a lesson is worth 1 or more."""
    levels = pips.pyramid(image_bgr)
    first = next(k for k, one in enumerate(levels) if one.shape[0] * one.shape[1] <= evidence.FINDER_PIXELS)
    found = candidates.gather(levels, pip_search.Search(levels).find(first))
    odds = fusion.classical_log_odds(found)
    proposed = evidence.proposals(levels)
    gathered = evidence.gather_evidence(levels, found, odds, proposed)
    chance = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
    parts = (
        (gathered.x, gathered.y, gathered.edge, fusion.fused_probability(gathered) / ASTRAY),
        (found.x, found.y, found.edge, chance / LIKELY),
        (*proposed.T[:3], proposed[:, 3] / PROPOSED),
    )
    return np.concatenate([np.stack(part).astype(np.float64) for part in parts], axis=1)


def added(pictures: Iterable[Labelled]) -> Iterator[Labelled]:
    """The pictures, each with the places in it that might be taken for a die as further cuts."""
    for one in pictures:
        more = () if one.dice is None else tuple(mistaken(one.image, one.dice))
        yield replace(one, cuts=(*one.cuts, *more))


def trays(seeds: int) -> Iterator[Labelled]:
    """Every case of the simulated tray so many times, the harder ones thrice as often; its dice."""
    for seed in range(FIRST_SEED, FIRST_SEED + 3 * seeds):
        for name in CASES:
            if seed < FIRST_SEED + seeds or name.endswith(HARDER):
                yield _tray(example(name, seed))


def _tray(made: Example) -> Labelled:
    cuts = tuple(
        Cut(float(die.center[0]), float(die.center[1]), die.size, die.face)
        for die in made.dice
        if die.legible
    )
    places = [(float(die.center[0]), float(die.center[1]), die.size) for die in made.dice]
    for thing in made.scene.things:
        if thing.kind == DOMINO:
            x, y = made.scene.view.project([(*thing.at_mm, 0.0)])[0]
            places.append(
                (float(x), float(y), thing.size_mm * made.scene.view.px_per_mm((*thing.at_mm, 0.0)))
            )
    return Labelled(made.image, cuts, "drawn", tuple(places))
