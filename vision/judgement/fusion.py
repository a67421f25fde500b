"""How likely each candidate is a die that shows that face: measured evidence in, a chance out.

Two small logistic models, each fitted apart for lone pips and for lattices (lab/training/train_fusion.py fits
them on the openly licensed photographs and on the renders). The first knows only the candidate; the second
also knows the rest of the picture: dice of one throw mostly share their size, their pips' size and often
their colour.
"""

from dataclasses import dataclass, fields
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.detection.candidates import Candidates
from vision.inference.networks import MODELS
from vision.judgement.evidence import Evidence, EvidenceKind, chance_of
from vision.pips import Floats, Matrix

WEIGHTS = MODELS / "fusion.npz"
_OVERLAP = 0.72
NONE_WEIGHT = 0.9
"""The network's "no face here" weighs a little less than another face: it was taught to be wary."""


@dataclass(frozen=True, slots=True)
class Logistic:
    """A fitted logistic model: log-odds = ((x - mean) / scale) . weights + bias."""

    mean: Matrix
    scale: Matrix
    weights: Matrix
    bias: NDArray[np.float64]

    def log_odds(self, x: Matrix) -> Matrix:
        """(n,) for x (n, features)."""
        odds: Matrix = ((x - self.mean) / self.scale) @ self.weights + self.bias
        return odds


@cache
def fitted(name: str) -> Logistic:
    """One of the models that ship with the product.

    alone and company: of pips, without and with the rest of the picture, for lone ones (`alone_one`) and for
    lattices (`alone_rest`). last: of each kind of evidence, `last_one`, `last_lattice`, `last_body`; view:
    the same for views from above, where pips are seldom round and the finder, which knows whole bodies, says
    little of tops.
    """
    with np.load(WEIGHTS) as stored:
        return Logistic(*(stored[f"{name}_{field.name}"] for field in fields(Logistic)))


def candidate_features(candidates: Candidates) -> Matrix:
    """(n, features) float64: what the first model looks at."""
    x = candidates.features.astype(np.float64)
    shows = candidates.face[:, None] == np.arange(2, 7)
    return np.concatenate([x, x * x, shows], axis=1)


def overlaps(x: Floats, y: Floats, edge: Floats) -> NDArray[np.bool_]:
    """(n, n): whether two candidates cannot both be dice, because one's middle lies in the other."""
    gap = np.hypot(x[:, None] - x[None], y[:, None] - y[None])
    near: NDArray[np.bool_] = (gap < _OVERLAP * np.minimum(edge[:, None], edge[None])) | (
        gap < 0.5 * edge[None]
    )
    np.fill_diagonal(near, val=False)
    return near


def context_features(candidates: Candidates, odds: Matrix) -> Matrix:
    """(n, features) float64: what the second model looks at, given the first one's log-odds."""
    chance = chance_of(odds)
    pip, edge = np.log(np.maximum(candidates.r, 0.5)), np.log(np.clip(candidates.edge, 1.0, 1e5))
    near = overlaps(candidates.x, candidates.y, candidates.edge)
    others = ~near
    np.fill_diagonal(others, val=False)
    weight = others * (chance**2)[None]
    total = weight.sum(1)
    sure = np.minimum(total, 1.0) * (total > 0.05)
    deviates = [np.clip(v - _weighted_medians(v, weight), -1.5, 1.5) * sure for v in (pip, edge)]
    fuller = near & (candidates.face[None] > candidates.face[:, None])
    colour = np.sqrt(((candidates.body[:, None] - candidates.body[None]) ** 2).sum(2)) / 40.0
    like_pip = np.exp(-(((pip[:, None] - pip[None]) / 0.15) ** 2))
    like_edge = np.exp(-(((edge[:, None] - edge[None]) / 0.15) ** 2))
    backed = others * chance[None]
    context = np.stack(
        [
            *deviates,
            np.minimum(total, 3.0),
            (near * chance[None]).max(1, initial=0.0),
            (fuller * chance[None]).max(1, initial=0.0),
            (backed * like_pip * np.exp(-colour)).max(1, initial=0.0),
            (backed * like_edge).max(1, initial=0.0),
            (backed * like_pip).max(1, initial=0.0),
        ],
        axis=1,
    )
    off = np.abs(context[:, :2])
    clipped = np.clip(odds, -15.0, 15.0)[:, None]
    return np.concatenate(
        [clipped, context, off, off**2, (clipped > 0) * off, candidate_features(candidates)], axis=1
    )


def classical_log_odds(candidates: Candidates) -> Matrix:
    """(n,) float64: log-odds of a flat die with that face, before the network runs."""
    if len(candidates) == 0:
        return np.zeros(0)
    one = candidates.face == 1
    x = candidate_features(candidates)
    odds = np.where(one, fitted("alone_one").log_odds(x), fitted("alone_rest").log_odds(x))
    x = context_features(candidates, odds)
    return np.where(one, fitted("company_one").log_odds(x), fitted("company_rest").log_odds(x))


def fused_probability(evidence: Evidence, *, from_above: bool = False) -> Matrix:
    """(n,) float64, 0-1: the probability from all witnesses.

    from_above: the picture is a view from above of one from beside (`vision.judgement.oblique`).
    """
    chance, name = np.zeros(len(evidence)), "view" if from_above else "last"
    # the finder overlooks dice on a busy cloth, so it has no say where pips were read
    for kind in EvidenceKind:
        mine = evidence.kind == kind
        if mine.any():
            chance[mine] = chance_of(fitted(f"{name}_{kind.name.lower()}").log_odds(evidence.features[mine]))
    # what the network takes for another face or for none is hardly likelier than the network leaves open
    others = evidence.says.copy()
    others[:, 0] *= NONE_WEIGHT
    others[np.arange(len(evidence)), evidence.face] = 0.0
    cap: Matrix = np.minimum(chance, 1.0 - others.max(1, initial=0.0))
    return cap


def _weighted_medians(values: Matrix, weight: Matrix) -> Matrix:
    """(n,): for each row of weight (n, n) the weighted median of values (n,)."""
    order = np.argsort(values)
    running = np.cumsum(weight[:, order], axis=1)
    half = running[:, -1:] * 0.5
    place = np.minimum((running < half).sum(1), len(values) - 1)
    medians: Matrix = values[order][place]
    return medians
