"""What the networks that learn from batches have in common: plan, choice of pictures, the course itself."""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Protocol, TypeVar

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

log = logging.getLogger(__name__)
AHEAD = 4
Made_co = TypeVar("Made_co", covariant=True)
Network = TypeVar("Network", bound=nn.Module)
Batch = tuple[NDArray[np.generic], ...]
"""What the network is given, and what its loss is worked out from."""


@dataclass(frozen=True, slots=True)
class Plan:
    """steps: batches. rate: the highest rate of learning. shares: of each kind of picture in a batch."""

    steps: int
    batch: int
    rate: float
    shares: tuple[float, ...]
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Habits:
    """How a network learns, whatever the plan.

    decay: of weights. longest: no gradient of them all is longer. log_every: the loss, every so many steps.
    """

    decay: float = 0.01
    longest: float | None = 5.0
    log_every: int = 200


def kind(group: str) -> str:
    """What kind of picture a group of them is: the first part of its name."""
    return group.split("/", maxsplit=1)[0]


def chances(shares: Sequence[float], there: Iterable[bool]) -> NDArray[np.float64]:
    """How often each kind is chosen: what there is none of never, the others by their shares."""
    left = np.array(shares) * list(there)
    return np.asarray(left / left.sum(), float)


class Maker(Protocol[Made_co]):
    """Makes batches: the same for the same number."""

    def batch(self, number: int) -> Made_co:
        """The batch of that number."""


_at_work: list[Maker[Any]] = []


def _start(maker: Maker[Any]) -> None:
    cv2.setNumThreads(1)
    _at_work[:] = [maker]


def _make(number: int) -> Any:
    return _at_work[0].batch(number)


def made_beside(maker: Maker[Made_co], count: int) -> Iterator[Made_co]:
    """The batches 0 to count - 1, made by a process beside this one."""
    with ProcessPoolExecutor(1, get_context("fork"), _start, (maker,)) as beside:
        ahead: deque[Future[Made_co]] = deque()
        for number in range(count):
            while len(ahead) < AHEAD and number + len(ahead) < count:
                ahead.append(beside.submit(_make, number + len(ahead)))
            yield ahead.popleft().result()


def taught(
    new: Callable[[], Network],
    batches: Iterable[Batch],
    loss_of: Callable[..., torch.Tensor],
    plan: Plan,
    habits: Habits,
    *,
    keep: Path | None = None,
    note: Callable[[nn.Module], str] = lambda _: "",
) -> Network:
    """The running mean of a network's weights over the batches; deterministic for a seed on one thread.

    loss_of: from what the network says (float32) and the rest of the batch. note: what else is told of it
    now and then. keep: where its weights are written as often.
    """
    torch.manual_seed(plan.seed)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    network = new().to(memory_format=torch.channels_last)
    averaged = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    optimiser = torch.optim.AdamW(network.parameters(), plan.rate, weight_decay=habits.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, plan.rate, plan.steps, pct_start=0.1)
    running = 0.0
    for step, batch in enumerate(batches, 1):
        network.train()
        shown, *wanted = map(torch.from_numpy, batch)
        with torch.autocast("cpu", torch.bfloat16):  # twice as quick; the weights stay float32
            output = network(shown.contiguous(memory_format=torch.channels_last))
        loss = loss_of(output.float(), *wanted)
        optimiser.zero_grad()
        loss.backward()
        if habits.longest is not None:
            nn.utils.clip_grad_norm_(network.parameters(), habits.longest)
        optimiser.step()
        schedule.step()
        averaged.update_parameters(network)
        running += max(0.01, 1 / step) * (loss.item() - running)
        if step % habits.log_every == 0:
            log.info("step %d loss %.4f%s", step, running, note(averaged))
            if keep:
                torch.save(averaged.module.state_dict(), keep)
    return averaged.module
