"""Teach the network that sees hands (run by training/__main__.py)."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from training.hand_data import Background, Overlays, seen_anew
from training.hand_drawing import HAND, SLEEVE
from training.model import block
from training.train_faces import made_beside
from vision.finder import blob
from vision.hand_network import STRIDE

Floats = NDArray[np.float32]

log = logging.getLogger(__name__)
KINDS = ("drawn", "render", "photo")


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


@dataclass(frozen=True, slots=True)
class HandPlan:
    """shares: of drawn, rendered and photographed backgrounds in a batch."""

    steps: int = 16_000
    batch: int = 16
    rate: float = 3e-3
    seed: int = 1
    shares: tuple[float, float, float] = (0.4, 0.3, 0.3)


class _Maker:
    """Makes batches by their number, in a process beside the one that learns."""

    def __init__(self, backgrounds: Sequence[Background], over: Overlays, plan: HandPlan) -> None:
        self.over, self.plan = over, plan
        self.shelves = [[b for b in backgrounds if b.group.split("/")[0] == kind] for kind in KINDS]
        there = np.array(plan.shares) * [bool(shelf) for shelf in self.shelves]
        self.shares = there / there.sum()

    def batch(self, number: int) -> tuple[Floats, Floats]:
        """The batch of that number: pictures (n, 3, h, w) and what they show, (n, 1, h/4, w/4)."""
        rng, hard = np.random.default_rng([self.plan.seed, number]), min(1.0, 2 * number / self.plan.steps)
        pieces, wanted = [], []
        for _ in range(self.plan.batch):
            shelf = self.shelves[rng.choice(len(KINDS), p=self.shares)]
            piece, shows = seen_anew(rng, shelf[rng.integers(len(shelf))].image, self.over, hard)
            pieces.append(blob(piece)[0])
            wanted.append(shows[None, STRIDE // 2 :: STRIDE, STRIDE // 2 :: STRIDE])
        return np.array(pieces), np.array(wanted, np.float32)


_at_work: list[_Maker] = []


def _start(backgrounds: Sequence[Background], over: Overlays, plan: HandPlan) -> None:
    cv2.setNumThreads(1)
    _at_work[:] = [_Maker(backgrounds, over, plan)]


def _make(number: int) -> tuple[Floats, Floats]:
    return _at_work[0].batch(number)


def train_hands(
    backgrounds: Sequence[Background],
    over: Overlays,
    plan: HandPlan,
    keep: Path | None = None,
) -> HandNet:
    """A network taught with `backgrounds` and what is laid over them; deterministic for a seed."""
    torch.manual_seed(plan.seed)
    network = HandNet().to(memory_format=torch.channels_last)
    averaged = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    optimiser = torch.optim.AdamW(network.parameters(), plan.rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, plan.rate, plan.steps, pct_start=0.1)
    running = 0.0
    batches = made_beside(_make, plan.steps, (_start, (backgrounds, over, plan)))
    for step, (pictures, wanted) in enumerate(batches, 1):
        network.train()
        batch = torch.from_numpy(pictures).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            told = network(batch)
        shows = torch.from_numpy(wanted)
        loss = functional.binary_cross_entropy_with_logits(
            told.float(), (shows == HAND).float(), (shows != SLEEVE).float()
        )
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        averaged.update_parameters(network)
        running += max(0.01, 1 / step) * (loss.item() - running)
        if step % 200 == 0:
            log.info("step %d loss %.4f", step, running)
            if keep:
                torch.save(averaged.module.state_dict(), keep)
    return averaged.module
