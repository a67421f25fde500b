"""Asks the networks about the likeliest candidates, and adds bodies on which no lattice was found.

Three kinds of evidence leave here: a lattice that was read, a lone pip, and a body on which no lattice could
be read, so that only the network says what it shows. Each kind is judged by a model of its own.
"""

from dataclasses import dataclass, fields
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from vision import finder, lattice, network
from vision.candidates import Candidates
from vision.pips import Floats, Picture

Matrix = NDArray[np.float64]


class Kind(IntEnum):
    """Where a candidate comes from."""

    ONE = 0
    LATTICE = 1
    BODY = 2


LEAST_CHANCE = 0.01
"""Candidates the classical witnesses think less likely than this are not shown to the network."""
ASKED_MAX = 28
"""Patches of each kind shown to the network, likeliest first."""
FINDER_PIXELS = 1_000_000
"""The finder looks at a small picture anyway; it need not be made from a larger one than this."""
_LOGIT_MAX = 8.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """What all witnesses say, each array with n entries.

    kind: Kind. face: 1-6. x, y, edge: px of level 0; angle: degrees in [0, 90). body: (n, 3) float32 BGR.
    features: (n, k) float64, the same k for every kind. says: (n, 7) float32, the network's probabilities.
    r, contrast, oval: of the pips, as in Pips; zero where no pip is known.
    """

    kind: NDArray[np.intp]
    face: NDArray[np.intp]
    x: Floats
    y: Floats
    edge: Floats
    angle: Floats
    body: Floats
    features: Matrix
    says: Floats
    r: Floats
    contrast: Floats
    oval: Floats

    def __len__(self) -> int:
        return len(self.x)

    def take(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> "Evidence":
        """Those of the index or mask."""
        return Evidence(*(getattr(self, field.name)[chosen] for field in fields(self)))


def consult(
    levels: tuple[Picture, ...], found: Candidates, odds: Matrix, *, thorough: bool = True
) -> Evidence:
    """Everything worth a final judgement.

    levels: the picture and its halvings; found: the classical candidates with their log-odds. thorough: also
    ask the finder where dice may lie, and look for faces on bodies that hold none yet.
    """
    image_bgr = levels[0]
    chance = 1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0)))
    likely = np.argsort(-chance, kind="stable")
    likely = likely[chance[likely] > LEAST_CHANCE]
    lattices = likely[found.face[likely] > 1][:ASKED_MAX]
    says = _ask(image_bgr, found.x[lattices], found.y[lattices], found.edge[lattices])
    agreed = says[np.arange(len(lattices)), found.face[lattices]] * chance[lattices]
    usual = _usual_edge(found.edge[lattices], agreed)
    settled = lattices[agreed > 0.8]

    ones = likely[found.face[likely] == 1]
    ones = ones[~_inside(found.x[ones], found.y[ones], found, settled)][:ASKED_MAX]
    one_says, one_edge = _best_edge(image_bgr, found, ones, usual)
    if usual is None:
        usual = _usual_edge(found.edge[ones], one_says[:, 1] * chance[ones])
    parts = [
        _from_found(Kind.LATTICE, found, lattices, found.edge[lattices], says, odds, usual),
        _from_found(Kind.ONE, found, ones, one_edge, one_says, odds, usual),
    ]
    if thorough:
        proposals = _proposals(levels)
        one_sure = ones[(one_says[:, 1] * chance[ones]) > 0.8]
        taken = np.concatenate([settled, one_sure])
        open_ = ~_inside(proposals[:, 0], proposals[:, 1], found, taken)
        parts.append(_bodies(levels, proposals[open_][: ASKED_MAX // 2], usual))
    return Evidence(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(Evidence)))


def _proposals(levels: tuple[Picture, ...]) -> Floats:
    """(n, 4) float32 x, y, edge, score in px of level 0: where the finder thinks dice may lie, best first."""
    number = next((k for k, one in enumerate(levels) if one.shape[0] * one.shape[1] <= FINDER_PIXELS), 0)
    proposals = finder.propose(levels[number])
    scale = 2.0**number
    proposals[:, :2] = (proposals[:, :2] + 0.5) * scale - 0.5
    proposals[:, 2] *= scale
    return proposals.astype(np.float32)


def _ask(image_bgr: Picture, x: Floats, y: Floats, edge: Floats) -> Floats:
    """(n, 7) what the network says to the patch round each place."""
    if len(x) == 0:
        return np.zeros((0, 7), np.float32)
    patches = [
        network.face_patch(image_bgr, (float(a), float(b)), float(e))
        for a, b, e in zip(x, y, edge, strict=True)
    ]
    return network.classify(np.stack(patches))


def _usual_edge(edge: Floats, weight: Floats) -> float | None:
    """The edge most dice of this picture have, px; None when too little is sure."""
    if len(edge) == 0 or weight.sum() < 0.7:
        return None
    order = np.argsort(edge)
    running = np.cumsum(weight[order])
    return float(edge[order][np.searchsorted(running, running[-1] / 2)])


def _inside(x: Floats, y: Floats, found: Candidates, settled: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether each place lies in a die that is settled already."""
    gap = np.hypot(x[:, None] - found.x[settled], y[:, None] - found.y[settled])
    within: NDArray[np.bool_] = (gap < 0.5 * found.edge[settled]).any(1)
    return within


def _best_edge(
    image_bgr: Picture, found: Candidates, ones: NDArray[np.intp], usual: float | None
) -> tuple[Floats, Floats]:
    """What the network says to each lone pip, at its own edge or the usual one, whichever convinces more."""
    edge = np.clip(found.edge[ones], 5.0 * found.r[ones], 13.0 * found.r[ones])
    says = _ask(image_bgr, found.x[ones], found.y[ones], edge)
    other = np.full(len(ones), usual, np.float32) if usual is not None else 9.5 * found.r[ones]
    again = _ask(image_bgr, found.x[ones], found.y[ones], other)
    better = again[:, 1] > says[:, 1]
    return np.where(better[:, None], again, says), np.where(better, other, edge).astype(np.float32)


def _bodies(levels: tuple[Picture, ...], proposals: Floats, usual: float | None) -> Evidence:
    """Proposed places that hold no die yet: what lattice fits them best and what the network says."""
    x, y, edge = proposals[:, 0], proposals[:, 1], proposals[:, 2]
    lattices, clearer = lattice.sought(levels, x, y, edge * np.float32(0.58))
    unit = np.sqrt(np.abs(np.linalg.det(lattices.axes)))
    # asked at the proposed place, a little nearer, and, often better centred, at the lattice's
    asked = [(x, y, edge), (x, y, edge * np.float32(0.85)), (lattices.x, lattices.y, 4.1 * unit)]
    told = np.stack([_ask(levels[0], *place) for place in asked], 1)
    best = told[:, :, 1:].max(2).argmax(1)
    rows = np.arange(len(x))
    says = told[rows, best]
    face = says[:, 1:].argmax(1) + 1
    edge = np.stack([place[2] for place in asked], 1)[rows, best].astype(np.float32)
    agrees = told[rows][:, :, 1:].min(1)[rows, face - 1] if len(x) else np.zeros(0)
    same = lattices.face == face
    norm = np.log(np.sqrt((lattices.contrast**2).sum(1)) + 1e-3)
    extra = np.stack(
        [
            proposals[:, 3],
            np.where(same, lattices.margin, 0.0),
            np.where(same, lattices.margin * lattices.homogeneous, 0.0),
            np.where(same, clearer, -clearer),
            agrees,
            norm,
        ],
        1,
    )
    return Evidence(
        kind=np.full(len(x), Kind.BODY, np.intp),
        face=face,
        x=np.where(same, lattices.x, x).astype(np.float32),
        y=np.where(same, lattices.y, y).astype(np.float32),
        edge=edge,
        angle=np.degrees(np.arctan2(lattices.axes[:, 0, 1], lattices.axes[:, 0, 0])).astype(np.float32)
        % 90.0,
        body=lattices.body,
        features=_features(np.zeros(len(x)), says, face, edge, usual, extra),
        says=says,
        r=np.zeros(len(x), np.float32),
        contrast=np.zeros((len(x), 3), np.float32),
        oval=np.zeros((len(x), 2), np.float32),
    )


def _from_found(
    kind: Kind,
    found: Candidates,
    chosen: NDArray[np.intp],
    edge: Floats,
    says: Floats,
    odds: Matrix,
    usual: float | None,
) -> Evidence:
    face = found.face[chosen]
    return Evidence(
        kind=np.full(len(chosen), kind, np.intp),
        face=face,
        x=found.x[chosen],
        y=found.y[chosen],
        edge=edge,
        angle=found.angle[chosen],
        body=found.body[chosen],
        features=_features(odds[chosen], says, face, edge, usual, np.zeros((len(chosen), 6))),
        says=says,
        r=found.r[chosen],
        contrast=found.contrast[chosen],
        oval=found.oval[chosen],
    )


def _features(
    odds: Matrix, says: Floats, face: NDArray[np.intp], edge: Floats, usual: float | None, extra: Matrix
) -> Matrix:
    """(n, k) what the last model looks at."""
    told = says.astype(np.float64)
    rows = np.arange(len(face))
    mine = told[rows, face] if len(face) else np.zeros(0)
    others = told.copy()
    if len(face):
        others[rows, face] = 0.0
    rival = others[:, 1:].max(1, initial=1e-6)
    deviates = np.zeros(len(face)) if usual is None else np.clip(np.abs(np.log(edge / usual)), 0.0, 1.5)
    clipped = np.clip(odds, -_LOGIT_MAX, _LOGIT_MAX)
    return np.column_stack(
        [
            clipped,
            _logit(mine),
            _logit(told[:, 0]) if len(face) else mine,
            np.clip(np.log((mine + 1e-6) / (rival + 1e-6)), -_LOGIT_MAX, _LOGIT_MAX),
            np.minimum(clipped, _logit(mine)),
            deviates,
            deviates**2,
            np.full(len(face), float(usual is None)),
            extra,
        ]
    )


def _logit(p: Matrix) -> Matrix:
    logit: Matrix = np.clip(np.log((p + 1e-6) / (1.0 - p + 1e-6)), -_LOGIT_MAX, _LOGIT_MAX)
    return logit
