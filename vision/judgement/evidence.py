"""Asks the networks about the likeliest candidates, and adds bodies on which no lattice was found.

Three kinds of evidence leave here: a lattice that was read, a lone pip, and a body on which no lattice could
be read, so that only the network says what it shows. Each kind is judged by a model of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from vision.columns import Columns
from vision.detection import lattice
from vision.detection.candidates import Candidates
from vision.inference import face_looks, finder
from vision.inference.face_looks import FaceAnswers
from vision.pips import Floats, Matrix, Picture


class EvidenceKind(IntEnum):
    """Where a candidate comes from."""

    ONE = 0
    LATTICE = 1
    BODY = 2


LEAST_CHANCE = 0.01
"""Candidates the classical witnesses think less likely than this are not shown to the network."""
ASKED_MAX = 28
"""Patches of each kind shown to the network, likeliest first; more where more dice are expected."""
FINDER_PIXELS = 1_000_000
"""The finder looks at a small picture anyway; it need not be made from a larger one than this."""
SMALLEST_BODY = 16.0
"""Edge in px of level 0 below which the networks alone make no die: a knot in the wood looks like a 1."""
PROMISE = 0.1
"""A proposed place is looked at again where the network sees some face with at least this probability."""
ASIDE = 0.1
"""A face seen farther from the middle of its pips than this share of the edge is believed to be there."""
OTHER_EDGE = 0.12
"""An edge whose log differs from the usual edge's by more is measured once more."""
WIDER, WIDEST_FACE, CONVINCED = (1.4, 2.0), 3, 0.75
"""Larger edges tried, for faces up to this one, where the network is less convinced than this."""
NOWHERE = np.zeros((0, 4), np.float32)
"""No proposals."""
_LOGIT_MAX = 8.0


@dataclass(frozen=True, slots=True)
class Evidence(Columns):
    """What all witnesses say, each array with n entries.

    kind: Kind. face: 1-6. x, y, edge: px of level 0, the edge as it was judged by; size: the same, measured
    again. angle: degrees in [0, 90). body: (n, 3) float32 BGR.
    features: (n, k) float64, the same k for every kind. says: (n, 7) float32, the network's probabilities.
    r, contrast: of the pips, as in Pips; zero where no pip is known.
    """

    kind: NDArray[np.intp]
    face: NDArray[np.intp]
    x: Floats
    y: Floats
    edge: Floats
    size: Floats
    angle: Floats
    body: Floats
    features: Matrix
    says: Floats
    r: Floats
    contrast: Floats


def gather_evidence(
    levels: tuple[Picture, ...],
    found: Candidates,
    odds: Matrix,
    proposed: Floats | None = None,
    *,
    most: int = ASKED_MAX,
) -> Evidence:
    """Everything worth a final judgement.

    levels: the picture and its halvings; found: the classical candidates with their log-odds. proposed: the
    `proposals` of the picture, to look for faces also on bodies that hold none yet. most: patches of each
    kind shown to the network.
    """
    chance = chance_of(odds)
    likely = np.argsort(-chance, kind="stable")
    likely = likely[chance[likely] > LEAST_CHANCE]
    lattices = likely[found.face[likely] > 1][:most]
    edge = found.edge[lattices].copy()
    answers = face_looks.ask(levels, found.x[lattices], found.y[lattices], edge)
    agreed = answers.says[np.arange(len(lattices)), found.face[lattices]] * chance[lattices]
    usual = _usual_edge(edge, agreed)
    agreed = _widened(levels, found.take(lattices), edge, answers, usual) * chance[lattices]
    settled = lattices[agreed > 0.8]

    ones = likely[found.face[likely] == 1]
    ones = ones[~_inside(found.x[ones], found.y[ones], found, settled)][:most]
    one_edge, one_answers = _best_edge(levels, found.take(ones), usual)
    agreed = one_answers.says[:, 1] * chance[ones]
    if usual is None:
        usual = _usual_edge(found.edge[ones], agreed)
    parts = [
        _from_found(levels, EvidenceKind.LATTICE, found.take(lattices), odds[lattices], edge, answers, usual),
        _from_found(levels, EvidenceKind.ONE, found.take(ones), odds[ones], one_edge, one_answers, usual),
    ]
    if proposed is not None:
        one_sure = ones[agreed > 0.8]
        taken = np.concatenate([settled, one_sure])
        open_ = ~_inside(proposed[:, 0], proposed[:, 1], found, taken)
        open_ &= proposed[:, 2] >= SMALLEST_BODY
        parts.append(bodies(levels, proposed[open_][: most // 2], usual))
    return Evidence.joined(parts)


def proposals(levels: tuple[Picture, ...], *, quick: bool = False) -> Floats:
    """(n, 4) float32 x, y, edge, score in px of level 0: where the finder thinks dice may lie, best first.

    quick: from one look at a small copy.
    """
    number = next((k for k, one in enumerate(levels) if one.shape[0] * one.shape[1] <= FINDER_PIXELS), 0)
    while number + 1 < len(levels) and finder.halves(levels[number], quick=quick):
        number += 1
    found = finder.propose(levels[number], quick=quick)
    scale = 2.0**number
    found[:, :2] = (found[:, :2] + 0.5) * scale - 0.5
    found[:, 2] *= scale
    return found.astype(np.float32)


def _usual_edge(edge: Floats, weight: Floats) -> float | None:
    """The edge most dice of this picture have, px; None when too little is sure."""
    if len(edge) == 0 or weight.sum() < 0.7:
        return None
    order = np.argsort(edge)
    running = np.cumsum(weight[order])
    return float(edge[order][np.searchsorted(running, running[-1] / 2)])


def _widened(
    levels: tuple[Picture, ...], found: Candidates, edge: Floats, answers: FaceAnswers, usual: float | None
) -> Floats:
    """(n,) the network's output for the faces of lattices; 2 and 3 are tried at larger edges as well.

    The distance of their pips is the maker's choice; of a 4, 5 or 6 it gives the edge. edge, answers: from
    the first run; changed in place where a larger edge fits better.
    """
    says, place = answers
    rows = np.arange(len(found))
    for factor in WIDER:
        wide = found.edge * factor if usual is None else np.full(len(found), usual, np.float32)
        open_ = np.flatnonzero(
            (found.face <= WIDEST_FACE) & (says[rows, found.face] < CONVINCED) & (wide > 1.15 * edge)
        )
        new_says, new_place = face_looks.ask(levels, found.x[open_], found.y[open_], wide[open_])
        better = new_says[np.arange(len(open_)), found.face[open_]] > says[open_, found.face[open_]]
        chosen = open_[better]
        edge[chosen], says[chosen], place[chosen] = wide[chosen], new_says[better], new_place[better]
        if usual is not None:
            break
    mine: Floats = says[rows, found.face]
    return mine


def _inside(x: Floats, y: Floats, found: Candidates, settled: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether each place lies in a die that is settled already."""
    gap = np.hypot(x[:, None] - found.x[settled], y[:, None] - found.y[settled])
    within: NDArray[np.bool_] = (gap < 0.5 * found.edge[settled]).any(1)
    return within


def _best_edge(
    levels: tuple[Picture, ...], ones: Candidates, usual: float | None
) -> tuple[Floats, FaceAnswers]:
    """The edge of each lone pip, its own or the usual one, and what the network says to the likelier."""
    x, y, r = ones.x, ones.y, ones.r
    edge = np.clip(ones.edge, 5.0 * r, 13.0 * r).astype(np.float32)
    says, place = face_looks.ask(levels, x, y, edge)
    open_ = np.flatnonzero(says[:, 1] < CONVINCED)
    other = np.full(len(open_), usual, np.float32) if usual is not None else np.float32(9.5) * r[open_]
    new_says, new_place = face_looks.ask(levels, x[open_], y[open_], other)
    better = new_says[:, 1] > says[open_, 1]
    chosen = open_[better]
    edge[chosen], says[chosen], place[chosen] = other[better], new_says[better], new_place[better]
    return edge, FaceAnswers(says, place)


def bodies(levels: tuple[Picture, ...], proposed: Floats, usual: float | None) -> Evidence:
    """Proposed places without a die so far: the best lattice and the network's output there.

    The network runs at the proposed place and at a smaller size and, if that is promising, twice more where
    it locates the face.
    """
    edges = np.concatenate([proposed[:, 2], proposed[:, 2] * np.float32(0.85)])
    says, place = face_looks.ask(levels, np.tile(proposed[:, 0], 2), np.tile(proposed[:, 1], 2), edges)
    n = len(proposed)
    says, place, edges = says.reshape(2, n, 7), place.reshape(2, n, 3), edges.reshape(2, n)
    likely = says[:, :, 1:].max(2)
    rows = np.flatnonzero(likely.max(0) >= PROMISE)
    nearer = likely.argmax(0)[rows]
    x, y, edge = proposed[rows, 0], proposed[rows, 1], edges[nearer, rows]
    score = proposed[rows, 3]
    looks, place = [says[nearer, rows]], place[nearer, rows]
    n = len(rows)
    for mirrored in (False, True):
        x, y, edge = face_looks.moved(x, y, edge, place)
        says, place = face_looks.ask(levels, x, y, edge, mirrored=mirrored)
        looks.append(says)
    says = (0.5 * (looks[1] + looks[2])).astype(np.float32)
    face = says[:, 1:].argmax(1) + 1
    agrees = np.stack(looks)[:, np.arange(n), face].min(0)
    lattices, clearer = lattice.sought(levels, x, y, edge)
    same = lattices.face == face
    norm = np.log(np.sqrt((lattices.contrast**2).sum(1)) + 1e-3)
    extra = np.stack(
        [
            score,
            np.where(same, lattices.margin, 0.0),
            np.where(same, lattices.margin * lattices.homogeneous, 0.0),
            np.where(same, clearer, -clearer),
            agrees,
            norm,
        ],
        1,
    )
    return Evidence(
        kind=np.full(n, EvidenceKind.BODY, np.intp),
        face=face,
        x=x.astype(np.float32),
        y=y.astype(np.float32),
        edge=edge.astype(np.float32),
        size=edge.astype(np.float32),
        angle=lattice.edge_angles(lattices),
        body=lattices.body,
        features=_features(np.zeros(n), says, face, edge, usual, extra),
        says=says,
        r=np.zeros(n, np.float32),
        contrast=np.where(same[:, None], lattices.contrast, np.float32(0.0)),
    )


def centred(levels: tuple[Picture, ...], found: Evidence, chosen: Sequence[int]) -> Evidence:
    """The same evidence, with the chosen bodies moved exactly to where the network sees their faces.

    The place of a face decides whether its die leans; where pips were found, they give it.
    """
    rows = np.array([k for k in chosen if found.kind[k] == EvidenceKind.BODY], np.intp)
    if len(rows) == 0:
        return found
    x, y, edge, size = (values.copy() for values in (found.x, found.y, found.edge, found.size))
    x[rows], y[rows], edge[rows] = face_looks.centred(levels, x[rows], y[rows], edge[rows])
    size[rows] = edge[rows]
    return replace(found, x=x, y=y, edge=edge, size=size)


def _from_found(
    levels: tuple[Picture, ...],
    kind: EvidenceKind,
    found: Candidates,
    odds: Matrix,
    edge: Floats,
    answers: FaceAnswers,
    usual: float | None,
) -> Evidence:
    """Of faces that pips tell, with their log-odds; edge: at which the network was asked for its answers."""
    says, place = answers
    off = np.minimum(np.hypot(place[:, 0], place[:, 1]), 1.0)
    grown = np.clip(place[:, 2], -1.0, 1.0)
    x, y, size = _measured(levels, found, edge, answers, usual)
    extra = np.zeros((len(found), 6))
    extra[:, 0], extra[:, 1], extra[:, 2], extra[:, 3] = off, off**2, grown, grown**2
    return Evidence(
        kind=np.full(len(found), kind, np.intp),
        face=found.face,
        x=x,
        y=y,
        edge=edge,
        size=size,
        angle=found.angle,
        body=found.body,
        features=_features(odds, says, found.face, edge, usual, extra),
        says=says,
        r=found.r,
        contrast=found.contrast,
    )


def _measured(
    levels: tuple[Picture, ...],
    found: Candidates,
    edge: Floats,
    answers: FaceAnswers,
    usual: float | None,
) -> tuple[Floats, Floats, Floats]:
    """x, y and edge as the network measures them, where it sees that face.

    The pips of a 1, 2 or 3 say little about the edge, and far from the true edge the network errs; so it also
    runs at the usual edge. The pips give the exact place, unless the network sees the face clearly beside
    them: then a blot was taken for a pip.
    """
    says, place = answers
    mine = says[np.arange(len(found)), found.face]
    if usual is not None:
        other = (found.face <= WIDEST_FACE) & (np.abs(np.log(edge / usual)) > OTHER_EDGE)
        open_ = np.flatnonzero(other & (mine >= CONVINCED))
        wide = np.full(len(open_), usual, np.float32)
        new_says, new_place = face_looks.ask(levels, found.x[open_], found.y[open_], wide)
        better = new_says[np.arange(len(open_)), found.face[open_]] >= mine[open_]
        edge, place = edge.copy(), place.copy()
        edge[open_[better]], place[open_[better]] = wide[better], new_place[better]
    x, y, size = face_looks.moved(found.x, found.y, edge, place)
    convinced = mine >= CONVINCED
    aside = convinced & (np.hypot(place[:, 0], place[:, 1]) > ASIDE)
    return (
        np.where(aside, x, found.x).astype(np.float32),
        np.where(aside, y, found.y).astype(np.float32),
        np.where(convinced, size, edge).astype(np.float32),
    )


def _features(
    odds: Matrix, says: Floats, face: NDArray[np.intp], edge: Floats, usual: float | None, extra: Matrix
) -> Matrix:
    """(n, k) what the last model looks at."""
    log_odds = says.astype(np.float64)
    rows = np.arange(len(face))
    mine, others = log_odds[rows, face], log_odds.copy()
    others[rows, face] = 0.0
    rival = others[:, 1:].max(1, initial=1e-6)
    deviates = np.zeros(len(face)) if usual is None else np.clip(np.abs(np.log(edge / usual)), 0.0, 1.5)
    clipped = np.clip(odds, -_LOGIT_MAX, _LOGIT_MAX)
    return np.column_stack(
        [
            clipped,
            _logit(mine),
            _logit(log_odds[:, 0]),
            np.clip(np.log((mine + 1e-6) / (rival + 1e-6)), -_LOGIT_MAX, _LOGIT_MAX),
            np.minimum(clipped, _logit(mine)),
            deviates,
            deviates**2,
            np.full(len(face), float(usual is None)),
            extra,
        ]
    )


def chance_of(log_odds: Matrix) -> Matrix:
    """(n,) 0-1, how likely what has such log-odds is."""
    chance: Matrix = 1.0 / (1.0 + np.exp(-np.clip(log_odds, -30.0, 30.0)))
    return chance


def _logit(p: Matrix) -> Matrix:
    logit: Matrix = np.clip(np.log((p + 1e-6) / (1.0 - p + 1e-6)), -_LOGIT_MAX, _LOGIT_MAX)
    return logit
