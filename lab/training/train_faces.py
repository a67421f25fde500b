"""Train the face network on pools and export it (run by training/__main__.py)."""

import copy
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from lab.training.augment import STRAIGHT, cut, training_patch
from lab.training.course import Habits, Plan, chances, kind, made_beside, taught
from lab.training.model import FaceNet
from lab.training.pools import Pool
from vision.inference.face_looks import NOT_A_FACE, normalised
from vision.inference.face_looks import PATCH_PX as PIXELS

KINDS = ("drawn", "render", "photo", "crop")


@dataclass(frozen=True, slots=True)
class FacePlan(Plan):
    """shares: of drawn, rendered, photographed, cropped patches; faces: share of labels 1-6."""

    faces: float = 0.65


FACES = FacePlan(steps=5000, batch=128, rate=1.5e-3, shares=(0.55, 0.2, 0.18, 0.07))


@dataclass(frozen=True, slots=True)
class Lessons:
    """A batch: patches (n, 48, 48, 3) uint8, labels (n,) int64, places (n, 3) float32."""

    patches: NDArray[np.uint8]
    labels: NDArray[np.int64]
    places: NDArray[np.float32]


class _Maker:
    """Makes batches of a pool; the same batch for the same number."""

    def __init__(self, pool: Pool, plan: FacePlan) -> None:
        kinds = np.array([KINDS.index(kind(str(g))) for g in pool.groups])
        self.pool, self.plan = pool, plan
        self.shelves = [
            [np.flatnonzero((kinds == each) & (pool.labels == label)) for label in range(7)]
            for each in range(4)
        ]
        self.shares = chances(plan.shares, [any(map(len, shelf)) for shelf in self.shelves])

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
    plan: FacePlan,
    *,
    start: FaceNet | None = None,
    check: Pool | None = None,
    keep: Path | None = None,
) -> FaceNet:
    """A network taught by `pool`, from the weights of `start` where given; `check` is only watched.

    Deterministic for a seed on one thread.
    """
    seen = straight(check) if check else None

    def note(averaged: torch.nn.Module) -> str:
        if check is None or seen is None:
            return ""
        faces = check.labels > 0
        sure = logits(averaged, seen)[:, :7].argmax(1) == check.labels
        return f" faces {sure[faces].mean():.4f} others {sure[~faces].mean():.4f}"

    lessons = made_beside(_Maker(pool, plan), plan.steps)
    batches = ((normalised(each.patches), each.labels, each.places) for each in lessons)
    habits = Habits(decay=0.02, longest=None, log_every=500)
    new = (lambda: copy.deepcopy(start)) if start else FaceNet
    return taught(new, batches, _loss, plan, habits, keep=keep, note=note)


def _loss(output: torch.Tensor, labels: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    """Of the label; where there is a face, of its place too."""
    faces = labels > 0
    loss = functional.cross_entropy(output[:, :7], labels)
    return loss + functional.smooth_l1_loss(output[faces, 7:], places[faces], beta=0.05)


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
