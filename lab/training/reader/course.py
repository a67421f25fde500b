"""A course that can be interrupted: the running mean of a network's weights over numbered batches."""

import logging
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import torch
from torch import nn

from lab.training.course import Maker, made_beside
from lab.training.reader.plan import Batch, Plan

log = logging.getLogger(__name__)
SAVED_EVERY_S = 240.0
LOGGED_EVERY = 50
Loss = Callable[..., torch.Tensor]


class _Later:
    """The batches of a maker from a number on."""

    def __init__(self, maker: Maker[Batch], first: int) -> None:
        self.maker, self.first = maker, first

    def batch(self, number: int) -> Batch:
        return self.maker.batch(self.first + number)


def _nearer(least: float) -> Callable[..., torch.Tensor]:
    """The running mean takes `least` of the newest weights; at first more, for those are soon outdated."""

    def mean(averaged: torch.Tensor, newest: torch.Tensor, steps: torch.Tensor) -> torch.Tensor:
        return averaged + (newest - averaged) * max(least, 10 / (10 + float(steps)))

    return mean


class _Course:
    """All it takes to go on with a course: networks, optimiser, steps done, the loss of late, hours spent."""

    def __init__(self, network: nn.Module, plan: Plan) -> None:
        self.network = network.to(memory_format=torch.channels_last)
        self.plan = plan
        self.averaged = torch.optim.swa_utils.AveragedModel(
            self.network, avg_fn=_nearer(plan.newest), use_buffers=True
        )
        self.optimiser = torch.optim.AdamW(self.network.parameters(), plan.rate, weight_decay=plan.decay)
        self.done, self.loss, self.spent_s = 0, 0.0, 0.0
        self.parts = {
            "network": self.network,
            "averaged": self.averaged,
            "optimiser": self.optimiser,
        }

    def load(self, path: Path) -> None:
        """Where a course before this one was interrupted."""
        kept = torch.load(path, weights_only=True)
        for name, part in self.parts.items():
            part.load_state_dict(kept[name])
        self.done, self.loss, self.spent_s = kept["done"], kept["loss"], kept["spent_s"]
        log.info("goes on after step %d", self.done)

    def save(self, path: Path) -> None:
        """Whole or not at all."""
        parts = {name: part.state_dict() for name, part in self.parts.items()}
        facts = {"done": self.done, "loss": self.loss, "spent_s": self.spent_s}
        unfinished = path.with_suffix(".part")
        torch.save({**parts, **facts}, unfinished)
        unfinished.replace(path)

    def step(self, batch: Batch, loss_of: Loss) -> None:
        """Learn from one batch."""
        self.network.train()
        for group in self.optimiser.param_groups:
            group["lr"] = self.plan.rate_at(self.done)
        shown, *wanted = map(torch.from_numpy, batch)
        with torch.autocast("cpu", torch.bfloat16):  # the weights stay float32
            output = self.network(shown.contiguous(memory_format=torch.channels_last))
        loss = loss_of(output.float(), *wanted)
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), self.plan.longest)
        self.optimiser.step()
        self.averaged.update_parameters(self.network)
        self.done += 1
        self.loss += max(0.01, 1 / self.done) * (loss.item() - self.loss)


def teach(
    network: nn.Module,
    maker: Maker[Batch],
    loss_of: Loss,
    plan: Plan,
    keep: Path,
    *,
    clock: Callable[[], float] = time.monotonic,
) -> nn.Module:
    """The network's running mean after the course; goes on from `keep` where that is there.

    keep: the file from which an interrupted course goes on, written every few minutes. A process beside this
    one makes the batches; each takes one thread.
    """
    torch.manual_seed(plan.seed)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    course = _Course(network, plan)
    if keep.exists():
        course.load(keep)
    before = saved = clock()
    for batch in made_beside(_Later(maker, course.done), plan.steps - course.done):
        course.step(batch, loss_of)
        now = clock()
        course.spent_s, before = course.spent_s + now - before, now
        if course.done % LOGGED_EVERY == 0:
            progress = (course.done, plan.steps, course.loss, course.spent_s / 3600)
            log.info("step %d of %d loss %.4f hours %.2f", *progress)
        if now - saved > SAVED_EVERY_S:
            course.save(keep)
            saved = now
    course.save(keep)
    return course.averaged.module
