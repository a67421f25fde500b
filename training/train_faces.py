"""Train the face network on pools and export it (run by training/__main__.py)."""

import copy
import logging
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from training.augment import STRAIGHT, cut, training_patch
from training.model import FaceNet
from training.pools import Pool
from vision.networks import NOT_A_FACE, normalised
from vision.networks import PATCH_PX as PIXELS

log = logging.getLogger(__name__)
AHEAD = 4
T = TypeVar("T")
KINDS = ("drawn", "render", "photo", "crop")


@dataclass(frozen=True, slots=True)
class Plan:
    """shares: of drawn, rendered, photographed, cropped patches; faces: share of labels 1-6."""

    steps: int = 5000
    batch: int = 128
    rate: float = 1.5e-3
    seed: int = 1
    shares: tuple[float, float, float, float] = (0.55, 0.2, 0.18, 0.07)
    faces: float = 0.65


@dataclass(frozen=True, slots=True)
class Lessons:
    """A batch: patches (n, 48, 48, 3) uint8, labels (n,) int64, places (n, 3) float32."""

    patches: NDArray[np.uint8]
    labels: NDArray[np.int64]
    places: NDArray[np.float32]


class _Maker:
    """Makes batches of a pool; the same batch for the same number."""

    def __init__(self, pool: Pool, plan: Plan) -> None:
        kinds = np.array([KINDS.index(str(g).split("/")[0]) for g in pool.groups])
        self.pool, self.plan = pool, plan
        self.shelves = [
            [np.flatnonzero((kinds == kind) & (pool.labels == label)) for label in range(7)]
            for kind in range(4)
        ]
        shares = np.array(
            [s if any(map(len, shelf)) else 0 for s, shelf in zip(plan.shares, self.shelves, strict=True)]
        )
        self.shares = shares / shares.sum()

    def batch(self, number: int) -> Lessons:
        """The batch of that number."""
        rng = np.random.default_rng([self.plan.seed, number])
        made = [training_patch(rng, *self._one(rng)) for _ in range(self.plan.batch)]
        patches, labels, places = zip(*made, strict=True)
        return Lessons(np.array(patches), np.array(labels, np.int64), np.array(places))

    def _one(self, rng: np.random.Generator) -> tuple[NDArray[np.uint8], int]:
        shelf = self.shelves[rng.choice(4, p=self.shares)]
        faces = rng.random() < self.plan.faces or not len(shelf[0])
        label = int(rng.integers(1, 7)) if faces else NOT_A_FACE
        number = rng.choice(shelf[label]) if len(shelf[label]) else rng.choice(self.shelves[0][label])
        return self.pool.patches[int(number)], label


_at_work: list[_Maker] = []


def _start(pool: Pool, plan: Plan) -> None:
    cv2.setNumThreads(1)
    _at_work[:] = [_Maker(pool, plan)]


def _make(number: int) -> Lessons:
    return _at_work[0].batch(number)


def made_beside(
    make: Callable[[int], T], count: int, start: tuple[Callable[..., None], tuple[object, ...]]
) -> Iterator[T]:
    """What `make` gives for 0 to count - 1, made by a process beside this one, which `start` prepares."""
    with ProcessPoolExecutor(1, get_context("fork"), *start) as beside:
        ahead: deque[Future[T]] = deque()
        for number in range(count):
            while len(ahead) < AHEAD and number + len(ahead) < count:
                ahead.append(beside.submit(make, number + len(ahead)))
            yield ahead.popleft().result()


def straight(pool: Pool) -> NDArray[np.uint8]:
    """The pool as a careful reader would cut it: (n, 48, 48, 3)."""
    return np.array([cut(p, STRAIGHT) for p in pool.patches], np.uint8).reshape(-1, PIXELS, PIXELS, 3)


def logits(network: torch.nn.Module, patches: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(n, 10) for patches (n, 48, 48, 3): seven logits and the place."""
    network.eval()
    with torch.no_grad():
        parts = [
            network(torch.from_numpy(normalised(patches[i : i + 512]))) for i in range(0, len(patches), 512)
        ]
    return torch.cat(parts).numpy() if parts else np.zeros((0, 10), np.float32)


def train(
    pool: Pool,
    plan: Plan,
    *,
    start: FaceNet | None = None,
    check: Pool | None = None,
    keep: Path | None = None,
) -> FaceNet:
    """A network taught by `pool`, from the weights of `start` where given; `check` is only watched.

    Deterministic for a seed on one thread.
    """
    torch.manual_seed(plan.seed)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    network = (copy.deepcopy(start) if start else FaceNet()).to(memory_format=torch.channels_last)
    averaged = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    optimiser = torch.optim.AdamW(network.parameters(), plan.rate, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, plan.rate, plan.steps, pct_start=0.1)
    seen = straight(check) if check else None
    running = 0.0
    for step, lessons in enumerate(made_beside(_make, plan.steps, (_start, (pool, plan))), 1):
        network.train()
        patches, labels = torch.from_numpy(normalised(lessons.patches)), torch.from_numpy(lessons.labels)
        with torch.autocast("cpu", torch.bfloat16):  # twice as quick; the weights stay float32
            seen_as = network(patches.contiguous(memory_format=torch.channels_last))
        seen_as = seen_as.float()
        faces = labels > 0
        loss = functional.cross_entropy(seen_as[:, :7], labels)
        places = torch.from_numpy(lessons.places)[faces]
        loss = loss + functional.smooth_l1_loss(seen_as[faces, 7:], places, beta=0.05)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        averaged.update_parameters(network)
        running += 0.01 * (loss.item() - running) if step > 100 else (loss.item() - running) / step
        if step % 500 == 0:
            right = ""
            if check is not None and seen is not None:
                faces = check.labels > 0
                sure = logits(averaged, seen)[:, :7].argmax(1) == check.labels
                right = f" faces {sure[faces].mean():.4f} others {sure[~faces].mean():.4f}"
            log.info("step %d loss %.4f%s", step, running, right)
            if keep:
                torch.save(averaged.module.state_dict(), keep)
    return averaged.module


def temperature(network: torch.nn.Module, held_out: Pool) -> float:
    """What to divide the logits by so that the odds of patches never learnt from come out right.

    The one number that makes the cross-entropy least (Guo et al., "On Calibration of Modern Neural
    Networks", ICML 2017), at least 1: a network is never made surer than it is.
    """
    seen = torch.from_numpy(logits(network, straight(held_out))[:, :7])
    labels = torch.from_numpy(held_out.labels.astype(np.int64))
    choices = np.exp(np.linspace(0, np.log(5), 81))
    losses = [functional.cross_entropy(seen / float(t), labels).item() for t in choices]
    return float(choices[int(np.argmin(losses))])
