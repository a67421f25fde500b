"""Train the finder (run by training/__main__.py)."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional

from training.dense_data import Picture, target, view
from training.dense_model import FinderNet
from vision.finder import blob

log = logging.getLogger(__name__)
KINDS = ("drawn", "render", "photo")


@dataclass(frozen=True, slots=True)
class FinderPlan:
    """shares: of drawn, rendered and photographed pictures in a batch."""

    steps: int = 2500
    batch: int = 16
    rate: float = 3e-3
    seed: int = 1
    shares: tuple[float, float, float] = (0.55, 0.25, 0.2)


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


def train_finder(pictures: Sequence[Picture], plan: FinderPlan, keep: Path | None = None) -> FinderNet:
    """A finder taught by `pictures`; deterministic for a seed on one thread."""
    torch.manual_seed(plan.seed)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(plan.seed)
    shelves = [[p for p in pictures if p.group.split("/")[0] == kind] for kind in KINDS]
    shares = np.array([s if shelf else 0.0 for s, shelf in zip(plan.shares, shelves, strict=True)])
    shares /= shares.sum()
    network = FinderNet().to(memory_format=torch.channels_last)
    averaged = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    optimiser = torch.optim.AdamW(network.parameters(), plan.rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, plan.rate, plan.steps, pct_start=0.1)
    running = 0.0
    for step in range(1, plan.steps + 1):
        pieces, wanted = [], []
        for _ in range(plan.batch):
            shelf = shelves[rng.choice(len(shelves), p=shares)]
            piece, dice = view(rng, shelf[rng.integers(len(shelf))])
            pieces.append(blob(piece)[0])
            wanted.append(target(dice))
        network.train()
        batch = torch.from_numpy(np.array(pieces)).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            maps = network(batch)
        loss = finder_loss(maps.float(), torch.from_numpy(np.array(wanted)))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        averaged.update_parameters(network)
        running += 0.01 * (loss.item() - running) if step > 100 else (loss.item() - running) / step
        if step % 250 == 0:
            log.info("step %d loss %.4f", step, running)
            if keep:
                torch.save(averaged.module.state_dict(), keep)
    return averaged.module
