"""Teach the network that sees hands (run by training/__main__.py)."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from lab.training.course import Batch, Habits, Plan, chances, kind, made_beside, taught
from lab.training.hand_data import Background, Overlays, seen_anew
from lab.training.hand_drawing import HAND, SLEEVE
from lab.training.model import block
from vision.inference.finder import blob
from vision.inference.hand_network import STRIDE

KINDS = ("drawn", "render", "photo")
HANDS = Plan(steps=16_000, batch=16, rate=3e-3, shares=(0.4, 0.3, 0.3))


class HandNet(nn.Module):
    """Pictures (n, 3, h, w), h and w multiples of 16, to logits (n, 1, h/4, w/4) of "a hand is here"."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(block(3, 16, 2), block(16, 24, 2), block(24, 24))
        self.middle = nn.Sequential(block(24, 56, 2), block(56, 56))
        self.coarse = nn.Sequential(block(56, 96, 2), block(96, 96), block(96, 96))
        self.to_middle = nn.Sequential(nn.Conv2d(96, 56, 1, bias=False), nn.BatchNorm2d(56))
        self.joined = block(56, 56)
        self.to_fine = nn.Sequential(nn.Conv2d(56, 24, 1, bias=False), nn.BatchNorm2d(24))
        self.last = nn.Sequential(block(24, 24), nn.Conv2d(24, 1, 1))

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        """Logits (n, 1, h/4, w/4)."""
        fine = self.fine(pictures)
        middle = self.middle(fine)
        far = functional.interpolate(self.to_middle(self.coarse(middle)), scale_factor=2.0, mode="nearest")
        middle = self.joined(functional.relu(middle + far))
        near = functional.interpolate(self.to_fine(middle), scale_factor=2.0, mode="nearest")
        return self.last(functional.relu(fine + near))


class _Maker:
    """Makes batches by their number, in a process beside the one that learns."""

    def __init__(self, backgrounds: Sequence[Background], over: Overlays, plan: Plan) -> None:
        self.over, self.plan = over, plan
        self.shelves = [[each for each in backgrounds if kind(each.group) == wanted] for wanted in KINDS]
        self.shares = chances(plan.shares, map(bool, self.shelves))

    def batch(self, number: int) -> Batch:
        """The batch of that number: pictures (n, 3, h, w) and what they show, (n, 1, h/4, w/4)."""
        rng, hard = np.random.default_rng([self.plan.seed, number]), min(1.0, 2 * number / self.plan.steps)
        pieces, wanted = [], []
        for _ in range(self.plan.batch):
            shelf = self.shelves[rng.choice(len(KINDS), p=self.shares)]
            piece, shows = seen_anew(rng, shelf[rng.integers(len(shelf))].image, self.over, hard)
            pieces.append(blob(piece)[0])
            wanted.append(shows[None, STRIDE // 2 :: STRIDE, STRIDE // 2 :: STRIDE])
        return np.array(pieces), np.array(wanted, np.float32)


def train_hands(
    backgrounds: Sequence[Background],
    over: Overlays,
    plan: Plan,
    keep: Path | None = None,
) -> HandNet:
    """A network taught with `backgrounds` and what is laid over them; deterministic for a seed."""
    batches = made_beside(_Maker(backgrounds, over, plan), plan.steps)
    return taught(HandNet, batches, _loss, plan, Habits(), keep=keep)


def _loss(logits: torch.Tensor, shows: torch.Tensor) -> torch.Tensor:
    """Of places that show a sleeve nothing is asked."""
    return functional.binary_cross_entropy_with_logits(
        logits, (shows == HAND).float(), (shows != SLEEVE).float()
    )
