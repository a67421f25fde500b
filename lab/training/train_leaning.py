"""Teaches the network of `vision/inference/foot_network.py`.

`python -m lab.training.train_leaning --shared ../shared --work ../pools`

Each die is seen turned, mirrored, shifted, scaled, recoloured, blurred and noisy, its foot with it. Of drawn
and rendered dice the foot is known; the feet of the dice of one photograph must only follow one rule. One
thread, one seed. At the end the model and what vouches for it stand in vision/models/, and the errors on dice
it never saw are logged. With `--onward` the model that stands there is taught on; what it says of how dice
lie is held to what it said, for other rules than the one of feet count on that.
"""

import argparse
import copy
import hashlib
import json
import logging
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import nn

from lab.training import leaning_data
from lab.training.leaning_data import CUT_EDGES, CUT_PX, Flock, Sample
from lab.training.model import folded, halved
from lab.training.scenes import Wish
from vision.inference.foot_network import LEANING, PATCH_EDGES, PATCH_PX, Posture
from vision.inference.networks import LEAST_SPREAD, MODELS

log = logging.getLogger("training")
Floats = NDArray[np.float32]
BATCH, FLOCKS, FLOCK_MAX = 64, 2, 6
LOGGED = 200
SHARES = {"drawn": 0.27, "beside": 0.31, "rim": 0.18, "case": 0.1, "render": 0.14}
"""How much of what is taught is of each kind; the renders are few beside the drawn lessons, and lifelike."""
RISING, FALLING = 300, 0.65
PEAK, PEAK_ONWARD = 2e-3, 7e-4
"""Highest rate of learning, within how many batches it is reached, and in which last share it falls."""
KEEP_BEFORE = 1.5
"""How much it counts, when a model is taught on, what it said of how dice lie: much, for all else is fitted
to that. With a fifth of it sides were called flat, and photographs read before showed too many dice."""
UNKNOWN = -1
HEAD = 5
"""How many of the network's last parts give its answer from what the others saw."""
SLOPE, SLOPE_KEPT = 1.0, 0.02
"""What the rule of a photograph's feet is expected to fall by from its middle to its side, and how firmly."""


def model() -> nn.Sequential:
    """The network: (n, 3, PATCH_PX, PATCH_PX) to (n, 3 + number of Lies): foot, log of its doubt, odds."""

    def block(inner: int, outer: int, size: int = 3, stride: int = 1) -> list[nn.Module]:
        convolution = nn.Conv2d(inner, outer, size, stride, size // 2, bias=False)
        return [convolution, nn.BatchNorm2d(outer), nn.ReLU()]

    layers = [*block(3, 16, 5, 2), *block(16, 32, 3, 2), *block(32, 40), *block(40, 72, 3, 2)]
    layers += [*block(72, 72), *block(72, 72), nn.Flatten()]
    layers += [nn.Linear(72 * (PATCH_PX // 8) ** 2, 48), nn.ReLU(), nn.Linear(48, 64), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(64, 3 + len(Posture)))


def seen(
    cut: NDArray[np.uint8], rng: np.random.Generator | None, rough: float | None = None
) -> tuple[Floats, NDArray[np.float64]]:
    """A patch (3, PATCH_PX, PATCH_PX) of a cut and how it was turned (2, 2); by chance or (None) straight.

    rough: so many times as far beside the place, and as far from its size, as faces that were read.
    """
    zoom = PATCH_PX / PATCH_EDGES * CUT_EDGES / CUT_PX
    linear, shift = np.eye(2), np.zeros(2)
    if rng is not None:
        angle, flip = rng.uniform(0, 2 * np.pi), rng.choice([-1.0, 1.0])
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        linear = turn @ np.diag([flip, 1.0])
        # faces that were read are measured well (on renders 0.04 and 0.02); what the finder proposes is not
        if rough is None:
            rough = 3.5 if rng.random() < 0.15 else 1.0
        zoom *= float(np.exp(np.clip(rng.normal(0, 0.05 * rough), -0.3, 0.3)))
        shift = np.clip(rng.normal(0, 0.03 * rough, 2), -0.3, 0.3) * PATCH_PX / PATCH_EDGES
    middle = np.full(2, PATCH_PX / 2 - 0.5) + shift - zoom * linear @ np.full(2, CUT_PX / 2 - 0.5)
    matrix = np.column_stack([zoom * linear, middle])
    patch = cv2.warpAffine(cut, matrix, (PATCH_PX, PATCH_PX), borderMode=cv2.BORDER_REPLICATE)
    floats = patch.astype(np.float32)
    if rng is not None:
        floats = _recoloured(floats, rng)
    floats = (floats - floats.mean()) / (floats.std() + np.float32(LEAST_SPREAD))
    return floats.transpose(2, 0, 1).astype(np.float32), linear


def _recoloured(patch: Floats, rng: np.random.Generator) -> Floats:
    if rng.random() < 0.4:
        patch = patch[..., rng.permutation(3)]
    if rng.random() < 0.1:
        patch = np.repeat(patch.mean(2, keepdims=True), 3, axis=2)
    if rng.random() < 0.1:
        patch = 255 - patch
    if rng.random() < 0.35:
        patch = cv2.GaussianBlur(patch, (0, 0), rng.uniform(0.4, 1.4)).astype(np.float32)
    if rng.random() < 0.2:
        small = cv2.resize(patch, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
        patch = cv2.resize(small, (PATCH_PX, PATCH_PX)).astype(np.float32)
    patch = 255 * np.clip(patch / 255, 0, 1) ** np.float32(np.exp(rng.normal(0, 0.25)))
    tint = np.asarray(rng.uniform(0.7, 1.3, 3) * rng.uniform(0.6, 1.3), np.float32)
    noise = rng.standard_normal(patch.shape, np.float32) * np.float32(rng.uniform(0, 8))
    return np.clip(patch * tint + np.float32(rng.normal(0, 12)) + noise, 0, 255)


OFTEN = {
    Posture.LEANING: 2.0,
    Posture.FLAT: 1.0,
    Posture.STACKED: 1.5,
    Posture.HIDDEN: 1.2,
    Posture.NOT: 0.5,
    None: 0.7,
}
"""How often a lesson of each kind is taught."""
LITTLE_DEG, LITTLE_OFTEN = (6.0, 24.0), 1.5
"""Dice that lean by so little are taught this much more often."""


@dataclass(frozen=True, slots=True)
class Lessons:
    """What there is to learn from, and the share of each sample."""

    samples: tuple[Sample, ...]
    share: NDArray[np.float64]
    flocks: tuple[Flock, ...]

    @classmethod
    def of(cls, kinds: dict[str, list[Sample]], flocks: list[Flock]) -> "Lessons":
        """kinds: what there is of each of SHARES; what is held out is left out."""
        samples, shares = [], []
        for kind, every in kinds.items():
            mine = [sample for sample in every if not sample.held]
            little = [LITTLE_DEG[0] < sample.tilt_deg < LITTLE_DEG[1] for sample in mine]
            often = np.array([OFTEN[sample.lies] for sample in mine]) * np.where(little, LITTLE_OFTEN, 1)
            shares.append(SHARES[kind] * often / often.sum())
            samples += mine
        share = np.concatenate(shares)
        return cls(tuple(samples), share / share.sum(), tuple(flock for flock in flocks if not flock.held))


def resumed(path: Path) -> nn.Sequential:
    """The network of an exported model, its norms folded into its convolutions, to be taught on."""
    held = onnx.load(str(path))
    weights = {one.name: numpy_helper.to_array(one).astype(np.float32) for one in held.graph.initializer}
    parts = folded(model()).children()
    network = nn.Sequential(*(part for part in parts if not isinstance(part, nn.Identity)))
    nodes = iter([node for node in held.graph.node if node.op_type in ("Conv", "Gemm")])
    for part in network:
        if isinstance(part, nn.Conv2d | nn.Linear):
            _, weight, bias = next(nodes).input
            part.load_state_dict(
                {"weight": torch.tensor(weights[weight]), "bias": torch.tensor(weights[bias])}
            )
    return network


def train(lessons: Lessons, steps: int, seed: int, before: nn.Sequential | None = None) -> nn.Sequential:
    """A network taught for `steps` batches; from its beginning, or on from where it was `before`."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    network = (model() if before is None else copy.deepcopy(before)).to(memory_format=torch.channels_last)
    peak = PEAK if before is None else PEAK_ONWARD
    optimiser = torch.optim.AdamW(network.parameters(), peak, weight_decay=2e-3)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _pace(step, steps))
    running = 0.0
    for step in range(steps):
        chosen = [lessons.samples[k] for k in rng.choice(len(lessons.samples), BATCH, p=lessons.share)]
        flocks = [_some(lessons.flocks[k], rng) for k in rng.integers(len(lessons.flocks), size=FLOCKS)]
        views = [seen(sample.cut, rng) for sample in chosen]
        views += [seen(cut, rng) for flock in flocks for cut in flock.cuts]
        patches = torch.from_numpy(np.stack([patch for patch, _ in views]))
        output = _output(network, patches)
        turns = torch.tensor(np.stack([turn for _, turn in views]), dtype=torch.float32)
        loss = _known(output[:BATCH], turns[:BATCH], chosen)
        start = BATCH
        for flock in flocks:
            end = start + len(flock.cuts)
            loss = loss + _in_line(output[start:end], turns[start:end], flock) * (0.5 / FLOCKS)
            start = end
        if before is not None:
            with torch.no_grad():
                before_odds = _output(before, patches)[:, 3:].softmax(1)
            loss = loss + KEEP_BEFORE * nn.functional.cross_entropy(output[:, 3:], before_odds)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()
        running += float(loss.detach())
        if step % LOGGED == LOGGED - 1:
            log.info("step %d, loss %.4f", step + 1, running / LOGGED)
            running = 0.0
    return network.to(memory_format=torch.contiguous_format).eval()


def _pace(step: int, steps: int) -> float:
    """The share of the highest rate of learning at a step."""
    return min(1.0, (step + 1) / RISING, max(0.0, (steps - step) / (FALLING * steps)))


def _output(network: nn.Sequential, patches: torch.Tensor) -> torch.Tensor:
    """What the network says; its convolutions in bfloat16, in half the time where the processor knows it."""
    with torch.autocast("cpu", torch.bfloat16):
        seen = network[:-HEAD](patches.contiguous(memory_format=torch.channels_last))
    return network[-HEAD:](seen.float())


def _some(flock: Flock, rng: np.random.Generator) -> Flock:
    few = rng.permutation(len(flock.cuts))[:FLOCK_MAX]
    return Flock(flock.cuts[few], flock.at[few], flock.name, flock.held)


def _doubt(output: torch.Tensor, off2: torch.Tensor) -> torch.Tensor:
    """Loss of how sure the network is of feet whose squared errors are off2 (a Gaussian's likelihood)."""
    doubt = output[:, 2].clamp(-4, 1)
    return 0.05 * (2 * doubt + (off2.detach() / 2 * torch.exp(-2 * doubt)).clamp(max=20)).mean()


def _known(output: torch.Tensor, turns: torch.Tensor, chosen: list[Sample]) -> torch.Tensor:
    """Loss of feet, of how sure they are, and of how dice lie."""
    standing = torch.tensor([sample.foot is not None for sample in chosen])
    feet = np.stack([np.zeros(2) if sample.foot is None else sample.foot for sample in chosen])
    turned = torch.einsum("nij,nj->ni", turns, torch.tensor(feet, dtype=torch.float32))[standing]
    found = output[standing, :2]
    loss = nn.functional.smooth_l1_loss(found, turned, beta=0.1) * 2
    loss = loss + _doubt(output[standing], ((found - turned) ** 2).sum(1))
    lies = torch.tensor([UNKNOWN if sample.lies is None else int(sample.lies) for sample in chosen])
    return loss + 0.15 * nn.functional.cross_entropy(output[:, 3:], lies, ignore_index=UNKNOWN)


def _in_line(output: torch.Tensor, turns: torch.Tensor, flock: Flock) -> torch.Tensor:
    """Loss of a photograph's feet: how far they are from the rule that fits them best, and how sure of it."""
    feet = torch.einsum("nij,ni->nj", turns, output[:, :2])
    at = torch.tensor(flock.at, dtype=torch.float32)
    with torch.no_grad():
        away, left = at - at.mean(0), feet - feet.mean(0)
        slope = (SLOPE * SLOPE_KEPT - (away * left).sum()) / (SLOPE_KEPT + (away**2).sum())
        start = (feet + slope * at).median(0).values
    off2 = ((feet + slope * at - start) ** 2).sum(1)
    flat = nn.functional.cross_entropy(output[:, 3:], torch.full((len(output),), int(Posture.FLAT)))
    away = off2.clamp(min=1e-8).sqrt()
    line = nn.functional.smooth_l1_loss(away, torch.zeros_like(away), beta=0.1)
    return line + _doubt(output, off2) + 0.1 * flat


def report(network: nn.Module, held: list[Sample]) -> None:
    """Log the errors on samples that taught nothing."""
    parts = [np.stack([seen(s.cut, None)[0] for s in held[k : k + 256]]) for k in range(0, len(held), 256)]
    with torch.no_grad():
        output = np.concatenate([network(torch.from_numpy(part)).numpy() for part in parts])
    standing = np.array([sample.foot is not None for sample in held])
    feet = np.array([np.zeros(2) if sample.foot is None else sample.foot for sample in held])
    off = np.hypot(*(output[:, :2] - feet).T)
    tilt = np.array([sample.tilt_deg for sample in held])
    for low, high in ((0, 6), (6, 15), (15, 30), (30, 90)):
        mine = standing & (tilt >= low) & (tilt < high)
        if mine.any():
            errors = np.percentile(off[mine], [50, 90, 98]).round(3)
            text = "leaning %d to %d degrees: %d dice, error %s edges (50, 90, 98 %%)"
            log.info(text, low, high, mine.sum(), errors)
    for lies in Posture:
        mine = np.array([sample.lies == lies for sample in held])
        if mine.any():
            log.info("%s: called so %.1f %%", lies.name, 100 * (output[mine, 3:].argmax(1) == lies).mean())
    over = np.percentile(off[standing] / np.exp(output[standing, 2]), [50, 90, 98]).round(2)
    log.info("error over doubt: %s (50, 90, 98 %%)", over)


def write(network: nn.Module, folder: Path, facts: dict[str, object]) -> None:
    """leaning.onnx and leaning.json into `folder`."""
    path = folder / f"{LEANING}.onnx"
    names = {"input_names": ["patches"], "output_names": ["told"]}
    axes = {"patches": {0: "n"}, "told": {0: "n"}}
    torch.onnx.export(
        network, (torch.zeros(1, 3, PATCH_PX, PATCH_PX),), str(path), dynamic_axes=axes, dynamo=False, **names
    )
    halved(path)
    facts = {"sha256": hashlib.sha256(path.read_bytes()).hexdigest(), **facts}
    path.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def _drawn(work: Path, shards: int, wish: Wish) -> list[Sample]:
    """What there is to learn from scenes drawn by a wish."""
    scenes = leaning_data.scenes(work, shards, wish)
    return [sample for scene, held in scenes for sample in leaning_data.drawn([scene], held=held)]


def main() -> None:
    """Teach, measure, write."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, required=True, help="holds renders/ and photos/")
    parser.add_argument("--work", type=Path, required=True, help="the folder for the drawn scenes")
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--trays", type=int, default=6, help="hundreds of trays of the simulated camera")
    parser.add_argument("--steps", type=int, default=7000)
    parser.add_argument("--onward", action="store_true", help="teach the model on that is there")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=MODELS, help="where the model goes")
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    kinds = {
        "drawn": _drawn(args.work, args.shards, leaning_data.WISH),
        "beside": _drawn(args.work, args.shards, leaning_data.BESIDE),
        "rim": list(leaning_data.trays(args.trays)),
        "case": list(leaning_data.cases()),
        "render": list(leaning_data.renders(args.shared / "renders")),
    }
    flocks = list(leaning_data.photographs(args.shared / "photos"))
    log.info("%s, %d photographs", {kind: len(samples) for kind, samples in kinds.items()}, len(flocks))
    before = resumed(args.out / f"{LEANING}.onnx") if args.onward else None
    network = train(Lessons.of(kinds, flocks), args.steps, args.seed, before)
    write(network, args.out, {"taught_by": [*kinds, "photo"], "steps": args.steps})
    for kind, samples in kinds.items():
        log.info("held out, %s:", kind)
        report(network, [sample for sample in samples if sample.held])


if __name__ == "__main__":
    main()
