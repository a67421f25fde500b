"""`python -m training.train_leaning --shared ../shared`: teaches the network of `vision/leaning.py`.

Each die is seen turned, mirrored, shifted, scaled, recoloured, blurred and noisy, its foot with it; leaning
dice, which are few, four times as often. One thread, one seed. At the end the model and what vouches for it
stand in vision/models/, and the error on dice it never saw is logged.
"""

import argparse
import hashlib
import json
import logging
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import nn

from training.leaning_data import CUT_EDGES, CUT_PX, Sample, samples
from vision.leaning import LEANING, PATCH_EDGES, PATCH_PX
from vision.network import LEAST_SPREAD, MODELS

log = logging.getLogger("training")
Floats = NDArray[np.float32]
RANK = 24
"""Of the large layer: as good as whole on held-out dice, and a sixth of the size."""


def model() -> nn.Sequential:
    """The network: (n, 3, PATCH_PX, PATCH_PX) to (n, 2)."""
    layers: list[nn.Module] = [nn.Conv2d(3, 24, 5, 2, 2), nn.ReLU(), nn.Conv2d(24, 32, 3, 1, 1), nn.ReLU()]
    layers += [nn.MaxPool2d(2), nn.Conv2d(32, 48, 3, 1, 1), nn.ReLU(), nn.MaxPool2d(2)]
    layers += [nn.Conv2d(48, 64, 3, 1, 1), nn.ReLU(), nn.Flatten(), nn.Linear(64 * 49, 96), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(96, 2))


def squeezed(network: nn.Sequential, rank: int) -> nn.Sequential:
    """The network with its one large layer as a product of two thin ones (its best approximation by SVD)."""
    layers = list(network)
    wide = next(k for k, layer in enumerate(layers) if isinstance(layer, nn.Linear))
    large = layers[wide]
    left, values, right = torch.linalg.svd(large.weight.detach(), full_matrices=False)
    first, second = nn.Linear(large.in_features, rank, bias=False), nn.Linear(rank, large.out_features)
    first.weight.data = right[:rank] * values[:rank, None].sqrt()
    second.weight.data, second.bias.data = left[:, :rank] * values[:rank].sqrt(), large.bias.data
    return nn.Sequential(*layers[:wide], first, second, *layers[wide + 1 :]).eval()


def halved(path: Path) -> None:
    """Store the weights of an ONNX file in half precision; OpenCV widens them again when it loads them."""
    held = onnx.load(str(path))
    for weights in held.graph.initializer:
        if weights.data_type == onnx.TensorProto.FLOAT:
            narrow = numpy_helper.to_array(weights).astype(np.float16)
            weights.CopyFrom(numpy_helper.from_array(narrow, weights.name))
    onnx.save(held, str(path))


def seen(sample: Sample, rng: np.random.Generator | None) -> tuple[Floats, NDArray[np.float64]]:
    """A patch (3, PATCH_PX, PATCH_PX) of a die and its foot; by chance (rng) or straight (None)."""
    zoom = PATCH_PX / PATCH_EDGES * CUT_EDGES / CUT_PX
    turn, flip, shift = np.eye(2), 1.0, np.zeros(2)
    if rng is not None:
        angle, flip = rng.uniform(0, 2 * np.pi), rng.choice([-1.0, 1.0])
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        zoom *= np.exp(rng.normal(0, 0.06))
        shift = rng.normal(0, 0.035, 2) * PATCH_PX / PATCH_EDGES
    linear = turn @ np.diag([flip, 1.0])
    middle = np.full(2, PATCH_PX / 2 - 0.5) + shift - zoom * linear @ np.full(2, CUT_PX / 2 - 0.5)
    matrix = np.column_stack([zoom * linear, middle])
    patch = cv2.warpAffine(sample.cut, matrix, (PATCH_PX, PATCH_PX), borderMode=cv2.BORDER_REPLICATE)
    floats = patch.astype(np.float32)
    if rng is not None:
        floats = _recoloured(floats, rng)
    floats = (floats - floats.mean()) / (floats.std() + LEAST_SPREAD)
    return floats.transpose(2, 0, 1).astype(np.float32), linear @ sample.foot


def _recoloured(patch: Floats, rng: np.random.Generator) -> Floats:
    if rng.random() < 0.5:
        patch = patch[..., rng.permutation(3)]
    if rng.random() < 0.25:
        patch = 255 - patch
    if rng.random() < 0.3:
        patch = cv2.GaussianBlur(patch, (0, 0), rng.uniform(0.4, 1.2)).astype(np.float32)
    patch = patch * rng.uniform(0.6, 1.4, 3) * rng.uniform(0.7, 1.2) + rng.normal(0, 15)
    noisy: Floats = np.clip(patch + rng.normal(0, rng.uniform(0, 8), patch.shape), 0, 255).astype(np.float32)
    return noisy


def train(taught: list[Sample], steps: int, seed: int) -> nn.Sequential:
    """A network taught for `steps` batches of 64."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    network = model()
    optimiser = torch.optim.AdamW(network.parameters(), 2e-3, weight_decay=2e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 2e-3, steps)
    often = np.array([4.0 if sample.tilt_deg > 10 else 1.0 for sample in taught])
    for step in range(steps):
        batch = [seen(taught[k], rng) for k in rng.choice(len(taught), 64, p=often / often.sum())]
        patches, feet = torch.tensor(np.stack([p for p, _ in batch])), np.stack([f for _, f in batch])
        loss = nn.functional.smooth_l1_loss(
            network(patches), torch.tensor(feet, dtype=torch.float32), beta=0.1
        )
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()
        if step % 200 == 199:
            log.info("step %d, loss %.4f", step + 1, float(loss.detach()))
    return network.eval()


def main() -> None:
    """Teach, measure, write."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, required=True, help="the folder that holds renders/")
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=MODELS, help="where the model goes")
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    found = list(samples(args.shared / "renders"))
    network = squeezed(train([s for s in found if not s.held], args.steps, args.seed), RANK)
    held = [seen(s, None) for s in found if s.held]
    with torch.no_grad():
        off = network(torch.tensor(np.stack([p for p, _ in held]))).numpy() - np.stack([f for _, f in held])
    log.info(
        "held out: %d dice, error %s edges (half, nine tenths)",
        len(held),
        np.percentile(np.hypot(*off.T), [50, 90]).round(3),
    )
    path = args.out / f"{LEANING}.onnx"
    names = {"input_names": ["patches"], "output_names": ["feet"]}
    axes = {"patches": {0: "n"}, "feet": {0: "n"}}
    torch.onnx.export(
        network, (torch.zeros(1, 3, PATCH_PX, PATCH_PX),), str(path), dynamic_axes=axes, dynamo=False, **names
    )
    halved(path)
    facts = {
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "taught_by": ["render"],
        "steps": args.steps,
    }
    path.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
