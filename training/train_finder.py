"""Train the finder (run by training/__main__.py)."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from training.course import Batch, Habits, Plan, chances, kind, taught
from training.dense_data import Picture, target, view
from training.dense_model import FinderNet
from vision.inference.finder import blob

KINDS = ("drawn", "render", "photo")
FINDER = Plan(steps=2500, batch=16, rate=3e-3, shares=(0.55, 0.25, 0.2))


def finder_loss(maps: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    """Focal loss of the heat (Law and Deng, "CornerNet", ECCV 2018) and the distances of size and place."""
    heat, weight = wanted[:, 0], wanted[:, 5]
    odds = torch.sigmoid(maps[:, 0]).clamp(1e-5, 1 - 1e-5)
    middle = (heat > 0.999).float()
    hit = -middle * (1 - odds) ** 2 * odds.log()
    miss = -(1 - middle) * (1 - heat) ** 4 * odds**2 * (1 - odds).log()
    count = middle.sum().clamp(min=1)
    known = wanted[:, 4:5]
    size = functional.smooth_l1_loss(maps[:, 1:2] * known, wanted[:, 1:2] * known, reduction="sum", beta=0.1)
    place = functional.smooth_l1_loss(maps[:, 2:4] * known, wanted[:, 2:4] * known, reduction="sum", beta=0.3)
    return ((hit + miss) * weight).sum() / count + (size + 0.5 * place) / known.sum().clamp(min=1)


def train_finder(pictures: Sequence[Picture], plan: Plan, keep: Path | None = None) -> FinderNet:
    """A finder taught by `pictures`; deterministic for a seed on one thread."""
    return taught(FinderNet, _batches(pictures, plan), finder_loss, plan, Habits(told=250), keep=keep)


def _batches(pictures: Sequence[Picture], plan: Plan) -> Iterator[Batch]:
    """Pictures (n, 3, h, w) and what the finder should say of them (`target`)."""
    rng = np.random.default_rng(plan.seed)
    shelves = [[picture for picture in pictures if kind(picture.group) == each] for each in KINDS]
    odds = chances(plan.shares, map(bool, shelves))
    for _ in range(plan.steps):
        pieces, wanted = [], []
        for _ in range(plan.batch):
            shelf = shelves[rng.choice(len(shelves), p=odds)]
            piece, dice = view(rng, shelf[rng.integers(len(shelf))])
            pieces.append(blob(piece)[0])
            wanted.append(target(dice))
        yield np.array(pieces), np.array(wanted)
