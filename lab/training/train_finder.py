"""Train the finder (run by training/__main__.py)."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from lab.training.course import Batch, Habits, Plan, chances, kind, made_beside, taught
from lab.training.dense_data import Picture, target, view
from lab.training.dense_model import FinderNet
from lab.training.model import unfolded
from vision.inference.finder import blob

KINDS = ("drawn", "beside", "above", "tray", "render", "photo")
FINDER = Plan(steps=2500, batch=16, rate=3e-3, shares=(0.24, 0.1, 0.16, 0.1, 0.2, 0.2))
ONWARD = replace(FINDER, steps=12000, rate=1.5e-3)
"""Of a network that has learnt before."""
SAMPLES = 16
"""So many batches show the norms of such a network what they have to do."""


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


class _Maker:
    """Makes batches of pictures by their number."""

    def __init__(self, pictures: Sequence[Picture], plan: Plan) -> None:
        self.plan = plan
        self.shelves = [[one for one in pictures if kind(one.group) == each] for each in KINDS]
        self.shares = chances(plan.shares, map(bool, self.shelves))

    def batch(self, number: int) -> Batch:
        """The batch of that number: pieces (n, 3, h, w) and what the finder should say of them."""
        rng, pieces, wanted = np.random.default_rng([self.plan.seed, number]), [], []
        for _ in range(self.plan.batch):
            shelf = self.shelves[rng.choice(len(KINDS), p=self.shares)]
            piece, dice = view(rng, shelf[rng.integers(len(shelf))])
            pieces.append(blob(piece)[0])
            wanted.append(target(dice))
        return np.array(pieces), np.array(wanted)


def train_finder(
    pictures: Sequence[Picture], plan: Plan, *, onward: Path | None = None, keep: Path | None = None
) -> FinderNet:
    """A finder taught by `pictures`; deterministic for a seed on one thread.

    onward: the model to begin with, else it is a new one.
    """
    maker = _Maker(pictures, plan)

    def begun() -> FinderNet:
        if onward is None:
            return FinderNet()
        shown = [maker.batch(plan.steps + number)[0] for number in range(SAMPLES)]
        return unfolded(FinderNet(), onward, torch.from_numpy(np.concatenate(shown)))

    return taught(begun, made_beside(maker, plan.steps), finder_loss, plan, Habits(log_every=250), keep=keep)
